import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnText
import FirnValues

/// One run of `observe`: delivers the result, then follows the commits of all processes.
///
///     begin      initial, or resume        the first lines
///     follow     wait, advance, deliver    one update for the commits since the last one
///     end        the reason                the last line, in all cases
final class ObserveRun: CommandRun {
    /// The minimum time between two runs of a query whose result cannot be maintained.
    static let runNanoseconds: UInt64 = 250_000_000

    let options: ObserveOptions
    let environment: CommandEnvironment
    let typed: TypedText
    var text: String { typed.text }
    let lines: StreamLines
    let output: StreamOutput
    let cursor: CursorFile?
    let times: StreamTimes
    let condition: UntilCondition?
    /// The table that is drawn instead of lines.
    let table: LiveTable?
    /// The lines for people, which are written instead of the lines for programs.
    let changeLog: ChangeLog?
    var database: Database
    var held: HeldVersion
    /// The commits to report next, one by one, with `--every-commit`.
    var backlog: CommitBacklog
    var subject: any ObservedSubject
    /// The time at which the subject reached its version.
    var lastRun: UInt64 = 0
    /// Whether the user knows that the query is run again after a commit.
    var hasReportedRuns = false
    /// The update for the next commit; ``held`` does not move to it before it is durable.
    var ahead = PendingCommit.Prepared<PreparedUpdate>.none
    /// The lines of the next commit.
    var linesAhead = TextBuffer(capacity: 4 << 10)
    /// The version up to which commits are processed one by one because of schema changes in
    /// between; at most the first schema change.
    var steppedThrough = LSN.zero
    /// The position of the last delivered line.
    private(set) var linePosition: StreamToken
    /// The position at which a later run can resume without missing anything; `nil` before all
    /// objects were delivered.
    private var position: StreamToken?
    /// The number of delivered updates.
    private(set) var eventCount: UInt64 = 0

    init(_ options: ObserveOptions, _ environment: CommandEnvironment) throws(CommandFailure) {
        var options = options
        try options.check()
        let drawsTable = try options.drawsTable(environment)
        // A table does not print heartbeats.
        if drawsTable { options.heartbeat = .off }
        options.initial = options.initial(environment)
        let log = try options.writesLog(environment) ? ChangeLog(options.file, environment) : nil
        var environment = environment
        if let log {
            options.shape = .rows
            options.heartbeat = .off
            environment.output = log
        }
        changeLog = log
        self.options = options
        self.environment = environment
        typed = options.hasQuery ? try options.queryText() : TypedText()
        times = StreamTimes(options, environment.services.clock)
        output = StreamOutput(environment, deadline: times.deadline, drawsTable: drawsTable)
        condition = try options.until.map { until throws(CommandFailure) in
            do throws(QueryError) { return try UntilCondition(until, options.arguments) } catch {
                throw .diagnostic(Diagnostic(error, text: until, file: options.file))
            }
        }
        let opened = try OpenDatabase(options.file, environment)
        database = opened.database
        lines = StreamLines(options, database.store.identity, try options.rowDialect())
        held = HeldVersion(database, opened.snapshot)
        backlog = CommitBacklog(database.store)
        linePosition = held.position
        subject = DatabaseSubject(opened.snapshot)
        cursor = options.cursorFile.map { CursorFile($0, environment.services) }
        try cursor?.checkWritable()
        if !drawsTable, options.command == nil, environment.output.endsInsideLine {
            // An earlier run could not complete its last line, which this one writes again.
            lines.buffer.append("\n")
        }
        if cursor != nil, options.command == nil, environment.verbosity >= 0,
            environment.output.isPipe
        {
            environment.note(
                "the position is stored when a line is in the pipe, which may be lost with its reader; "
                    + "--since @FILE with the file of firn write --cursor-file loses nothing\n")
        }
        // The terminal is changed only after everything else has succeeded.
        table = drawsTable ? LiveTable(typed.text, environment) : nil
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer {
            table?.end()
            changeLog?.end()
        }
        do {
            let reason = try observe()
            position = position.map { _ in held.position }
            try writeEnd(reason, held.version)
            if let position { try storePosition(position) }
            return reason.status
        } catch {
            // Reports the failure itself; a failure to write the line about it is not reported.
            if !output.isStuck { try? writeEnd(StreamEnd(error), linePosition.version) }
            throw error
        }
    }

    private func observe() throws(CommandFailure) -> StreamEnd {
        if let reason = try begin() { return reason }
        while true {
            try checkEnvironment()
            if times.isOver { return .timeout }
            guard let newest = try newestVersion() else {
                if let reason = try restart(.replaced) { return reason }
                continue
            }
            if times.wantsHeartbeat { try heartbeat(newest) }
            if let table {
                table.readKeys()
                if table.isQuit { return .quit }
                if table.isStale { try draw(table) }
            }
            if changeLog?.isQuit == true { return .quit }
            if newest > held.version {
                try debounce()
                if let reason = try advance() { return reason }
            } else {
                if let reason = try checkFile() { return reason }
                if options.catchesUp { return .caughtUp }
                if !times.isIdle { try wait() }
                // A prepared commit is delivered immediately, because a reader waits for it.
                if ahead.isDurable, let reason = try advance() { return reason }
            }
            // Existing commits are reported before the idle time is checked.
            if newest <= held.version, times.isIdle { return .idle }
        }
    }

    /// Returns the newest version, without holding it; `nil` if the held one is not part of its
    /// history.
    private func newestVersion() throws(CommandFailure) -> LSN? {
        let newest = try newestSnapshot()
        return held.isAhead(of: newest) ? nil : newest.version
    }

    /// Stops the run if a signal arrived or the reader has closed the pipe.
    private func checkEnvironment() throws(CommandFailure) {
        try environment.checkSignals()
        if options.command == nil { try output.checkReader() }
    }

    /// Waits for a commit, or for anything else to do.
    private func wait() throws(CommandFailure) {
        let span = min(times.nextNanoseconds, table?.nextNanoseconds ?? .max)
        let newest = try CommandFailure.converting(
            database.store.waitForVersion(
                after: held.version, nanoseconds: span, askingEvery: StreamTimes.lookNanoseconds,
                while: {
                    environment.pendingSignal() == nil && table?.isWaiting != true
                        && changeLog?.isWaiting != true
                        && (options.command != nil || environment.outputReadiness(0) != .abandoned)
                }, onStep: { if case .appended(let commit) = $0 { self.prepare(commit) } }))
        guard newest <= held.version else { return }
        // The same version may have a newer root; the old root must not be held.
        let snapshot = try newestSnapshot()
        if snapshot.version == held.version { held.move(to: snapshot) }
        if ahead.isOutdated { giveUpPrepared() }
    }

    /// Waits for other commits.
    private func debounce() throws(CommandFailure) {
        let span = max(options.debounce?.nanoseconds ?? runRest, table?.restNanoseconds ?? 0)
        guard span > 0 else { return }
        let clock = environment.services.clock
        let end = clock.monotonicNanoseconds() &+ span
        while true {
            try checkEnvironment()
            let now = clock.monotonicNanoseconds()
            guard now < end, !times.isOver else { return }
            clock.sleep(nanoseconds: min(end - now, StreamTimes.lookNanoseconds))
        }
    }

    /// The time until a query that cannot be maintained may be run again.
    private var runRest: UInt64 {
        guard subject.reasonToRunAgain != nil else { return 0 }
        let elapsed = environment.services.clock.monotonicNanoseconds() &- lastRun
        return elapsed < ObserveRun.runNanoseconds ? ObserveRun.runNanoseconds - elapsed : 0
    }

    // MARK: Lines

    /// Delivers the contents of the buffer, and stores the position.
    ///
    /// - Parameters:
    ///   - type: the event type for a command; `nil` for lines that no command is run for.
    ///   - isPosition: whether a later run can resume after it.
    func deliver(_ type: String?, isPosition: Bool = true) throws(CommandFailure) {
        position = nil
        if let table {
            if isPosition { try draw(table) }
            noteLine()
        } else if options.command == nil {
            try output.write(lines.buffer.bytes) { letGo() }
            noteLine()
        } else if let type {
            try runCommand(type)
            noteLine()
        }
        lines.buffer.removeAll()
        guard isPosition else { return }
        position = held.position
        try storePosition(held.position)
    }

    /// Stores the position of a later run; everything delivered before it is then durable.
    private func storePosition(_ position: StreamToken) throws(CommandFailure) {
        guard let cursor else { return }
        do { try environment.output.makeDurable() } catch {
            throw CommandFailure(writing: environment.outputName, error)
        }
        try cursor.store(lines.text(position))
    }

    /// Draws the current state.
    func draw(_ table: LiveTable, isLast: Bool = false) throws(CommandFailure) {
        lines.buffer.removeAll()
        // No version may be held during the write.
        try addFrame(table, isLast: isLast)
        try output.write(lines.buffer.bytes) { letGo() }
        lines.buffer.removeAll()
    }

    private func addFrame(_ table: LiveTable, isLast: Bool) throws(CommandFailure) {
        let current = try CommandFailure.converting(held.current())
        // The restart after a missing version draws it.
        guard let snapshot = current else { return }
        try asking(table.draw(subject, snapshot, isLast: isLast, to: &lines.buffer))
    }

    /// Starts at a version: the next delivery contains the changes after it.
    func begin(at snapshot: DatabaseSnapshot) {
        held.move(to: snapshot)
        linePosition = held.position
    }

    /// Releases the held version during a long wait.
    private func letGo() {
        held.letGo()
        giveUpPrepared()
    }

    private func noteLine() {
        linePosition = held.position
        times.noteLine()
    }

    /// Runs the command of `--exec` with the lines as its input.
    private func runCommand(_ type: String) throws(CommandFailure) {
        guard let command = options.command else { return }
        let count = try CommandFailure.converting(held.current().map { subject.count(in: $0) } ?? 0)
        // The command can take any time.
        letGo()
        let ending: ShellCommand.Ending
        do {
            ending = try ShellCommand.run(
                command, input: lines.buffer.bytes,
                variables: [
                    ("FIRN_EVENT_TYPE", type), ("FIRN_VERSION", String(held.version.rawValue)),
                    ("FIRN_TOKEN", lines.text(held.position)), ("FIRN_COUNT", String(count)),
                ], deadline: times.deadline)
        } catch { throw .diagnostic(Diagnostic(error, "cannot run the command of --exec")) }
        try environment.checkSignals()
        if ending.isTimedOut { throw .ended(status: ExitStatus.timeout.rawValue) }
        guard ending.status == 0 || options.keepsGoing else {
            throw .ended(status: ending.status)
        }
    }

    private func heartbeat(_ newest: LSN) throws(CommandFailure) {
        let time = environment.services.clock.wallTime()
        lines.heartbeat(
            held.position, time: time.seconds &* 1_000_000_000 &+ Int64(time.nanoseconds),
            lag: newest.rawValue - min(newest, held.version).rawValue)
        // No command runs for a heartbeat, but the next heartbeat must not follow immediately.
        times.noteLine()
        try deliver(nil)
    }

    private func writeEnd(_ reason: StreamEnd, _ version: LSN) throws(CommandFailure) {
        guard options.command == nil else { return }
        if let table {
            // A rejected query has no rows to show.
            guard !(subject is DatabaseSubject) else { return }
            try draw(table, isLast: true)
            guard let farewell = LiveTable.farewell(reason) else { return }
            lines.buffer.append(string: farewell + "\n")
            return try output.write(lines.buffer.bytes) { letGo() }
        }
        lines.buffer.removeAll()
        lines.end(reason, version, position: position, events: eventCount)
        try output.write(lines.buffer.bytes) { letGo() }
    }

    func noteUpdate() {
        eventCount += 1
        times.noteUpdate()
    }

    // MARK: Errors

    func newestSnapshot() throws(CommandFailure) -> DatabaseSnapshot {
        try CommandFailure.converting(database.snapshot())
    }

    /// Returns a result of the query, whose errors become failures of the command.
    func asking<Result>(
        _ result: @autoclosure () throws(QueryFailure) -> Result
    ) throws(CommandFailure) -> Result {
        do { return try result() } catch {
            throw CommandFailure(error, typed, file: options.file)
        }
    }
}
