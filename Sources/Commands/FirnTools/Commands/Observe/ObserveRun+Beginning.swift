import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// The start and the restart of a stream.
extension ObserveRun {
    /// The maximum number of objects in a line.
    private static let pageCount = 1000

    /// Delivers the first lines.
    ///
    /// - Returns: the reason if the stream ends already.
    func begin() throws(CommandFailure) -> StreamEnd? {
        guard let start = try startVersion() else {
            try makeSubject(try newestSnapshot())
            return try sendInitial()
        }
        switch try resume(after: start) {
        case .resumed: break
        case .gone: return try restart(.historyGone, requested: start.version)
        case .replaced: return try restart(.replaced, requested: start.version)
        }
        try deliver(nil)
        return try until()
    }

    private enum Resumption {
        case resumed
        /// The version is not kept, or does not exist yet.
        case gone
        /// The version with this number was created by another commit.
        case replaced
    }

    /// Moves to a version, and appends the line about it to the buffer.
    private func resume(after position: StreamToken) throws(CommandFailure) -> Resumption {
        let found = try CommandFailure.converting(
            HeldVersion.open(position.version, in: database))
        guard let found else { return .gone }
        guard position.isPosition(of: found.version, found.snapshot.chain) else {
            return .replaced
        }
        try makeSubject(found)
        table?.begin()
        lines.resume(subject, held.position, count: subject.count(in: found))
        return .resumed
    }

    /// Returns the version at which an earlier run ended or that the user names, or `nil` to start
    /// from the beginning.
    private func startVersion() throws(CommandFailure) -> StreamToken? {
        if let token = try cursor?.token() { return try position(of: token) }
        switch options.since {
        case nil: return nil
        case .now: return held.position
        case .version(let version): return StreamToken(of: version)
        case .token(let token): return try position(of: token)
        case .file(let path):
            let token = try CursorFile(path, environment.services).token()
            return try token.map { token throws(CommandFailure) in try position(of: token) }
        }
    }

    private func position(of token: String) throws(CommandFailure) -> StreamToken {
        if let position = StreamToken(token, in: lines.database) { return position }
        var diagnostic = Diagnostic(
            .historyToken,
            "\"\(SafeText.excerpt(of: token.utf8, characters: 40))\" is not a token of "
                + SafeText.escaping(options.file))
        diagnostic.file = options.file
        diagnostic.remedy = "a token is valid only for the database that printed it"
        throw .diagnostic(diagnostic)
    }

    /// Moves to a version, and computes the observed result.
    private func makeSubject(_ snapshot: DatabaseSnapshot) throws(CommandFailure) {
        begin(at: snapshot)
        if !options.hasQuery, let condition, !condition.aggregates.isEmpty {
            throw .diagnostic(
                .usage("without a query, --until can test only count"))
        }
        try makeSubject(againAt: snapshot)
    }

    /// Rejects options that the observed values do not allow, and reports that they are recomputed
    /// after each change.
    private func check(_ subject: any ObservedSubject) throws(CommandFailure) {
        if subject is ValuesSubject, let condition, !condition.aggregates.isEmpty {
            throw .diagnostic(
                .usage(
                    "of a query that returns values, --until can test only count",
                    remedy: "observe the objects, and test the aggregate values with --until"))
        }
        guard let reason = subject.reasonToRunAgain else { return }
        if options.everyCommit {
            throw .diagnostic(
                .usage(
                    "--every-commit cannot be combined with a query that is run again after a "
                        + "commit, because of \(reason)"))
        }
        guard !hasReportedRuns, environment.verbosity >= 0 else { return }
        hasReportedRuns = true
        let span = (options.debounce?.nanoseconds ?? ObserveRun.runNanoseconds) / 1_000_000
        environment.note(
            "the result of \(SafeText.escaping(text)) is computed again at most every \(span) ms: "
                + "\(reason)\n")
    }

    /// Computes the observed result again, at the held version.
    func makeSubject(againAt snapshot: DatabaseSnapshot) throws(CommandFailure) {
        if options.hasQuery {
            let made = try asking(try bound(text, snapshot).observed(on: snapshot))
            try check(made)
            subject = made
            lastRun = environment.services.clock.monotonicNanoseconds()
        } else {
            subject = DatabaseSubject(snapshot)
        }
        ahead = .none
    }

    /// Binds a text to the schema of a version.
    func bound(
        _ text: String, _ snapshot: DatabaseSnapshot
    ) throws(QueryFailure) -> BoundQuery {
        try snapshot.bound(text, defaultClass: options.className, arguments: options.arguments)
    }

    // MARK: The objects

    /// Delivers the result, and starts again if its version is dropped in the meantime.
    private func sendInitial() throws(CommandFailure) -> StreamEnd? {
        if let table {
            table.begin()
            try deliver("initial")
            return try until()
        }
        while try !sendObjects() { try sendReset(.historyGone, requested: held.version) }
        return try until()
    }

    /// - Returns: whether the version existed all the time.
    private func sendObjects() throws(CommandFailure) -> Bool {
        guard let (count, contents) = try beginObjects() else { return false }
        if contents.isEmpty {
            try deliver(options.initial == .none ? nil : "initial")
            return true
        }
        var sent = 0
        for content in contents {
            var start = 0
            while start < content.count {
                let range = start..<min(content.count, start + ObserveRun.pageCount)
                // No version may be held on the stack during delivery.
                guard try addPage(range, of: content, &sent, of: count) else { return false }
                try deliver("initial", isPosition: sent == count)
                try environment.checkSignals()
                start = range.upperBound
            }
        }
        return true
    }

    /// Appends the lines before the objects to the buffer, or the whole output if objects are not
    /// requested.
    ///
    /// - Returns: the number of objects, and the objects to deliver; `nil` if the version is no
    ///   longer kept.
    private func beginObjects() throws(CommandFailure) -> (Int, [SubjectContent])? {
        let current = try CommandFailure.converting(held.current())
        guard let snapshot = current else { return nil }
        let count = subject.count(in: snapshot)
        let wantsObjects = options.initial == .full && options.shape != .index
        guard wantsObjects, count > 0 else {
            lines.initial(
                subject, snapshot, count: options.initial == .none ? nil : count,
                objectsFollow: wantsObjects ? false : nil)
            return (count, [])
        }
        if options.shape == .rows {
            lines.initial(subject, snapshot, count: count, objectsFollow: true)
        }
        let contents = try asking(subject.contents(in: snapshot))
        return (count, contents.filter { $0.count > 0 })
    }

    /// Appends some objects to the buffer.
    ///
    /// - Parameters:
    ///   - sent: the number of objects delivered before.
    ///   - count: the total number of objects.
    /// - Returns: whether the version still exists.
    private func addPage(
        _ range: Range<Int>, of content: SubjectContent, _ sent: inout Int, of count: Int
    ) throws(CommandFailure) -> Bool {
        let current = try CommandFailure.converting(held.current())
        guard let snapshot = current else { return false }
        let isFirst = sent == 0
        sent += range.count
        let isLast = sent == count
        try asking(
            lines.initial(
                content.rows(range), at: range.lowerBound, of: content, subject, snapshot,
                count: count, isFirst: isFirst, isLast: isLast))
        return true
    }

    // MARK: Restarting

    /// Resets the reader and delivers all objects.
    ///
    /// - Parameters:
    ///   - requested: the version that is no longer kept.
    ///   - version: the version to start with; `nil` for the newest.
    func restart(
        _ reason: StreamReset, requested: LSN? = nil, at version: LSN? = nil
    ) throws(CommandFailure) -> StreamEnd? {
        try sendReset(reason, requested: requested, at: version)
        return try sendInitial()
    }

    private func sendReset(
        _ reason: StreamReset, requested: LSN?, at version: LSN? = nil
    ) throws(CommandFailure) {
        let isWhole = options.initial == .full && options.shape != .index
        try addReset(reason, requested: requested, at: version, isWhole: isWhole)
        try deliver("reset", isPosition: !isWhole)
        // Uses the version of the line, so that no change between it and the next line is missed.
        let current = try CommandFailure.converting(held.current())
        if let current { try makeSubject(current) } else { try makeSubject(try newestSnapshot()) }
    }

    /// Moves to a version, and appends the line about it to the buffer.
    ///
    /// - Parameters:
    ///   - version: the version; the newest if `nil` or no longer kept.
    ///   - isWhole: whether all objects follow.
    private func addReset(
        _ reason: StreamReset, requested: LSN?, at version: LSN?, isWhole: Bool
    ) throws(CommandFailure) {
        let report = try CommandFailure.converting(database.store.versions())
        if options.onGap == .fail, let requested {
            throw CommandFailure(
                StoreError(
                    .versionGone, path: options.file,
                    detail: "version \(requested.rawValue) is no longer kept; \(report.range)",
                    remedy: "start again with --on-gap reset"))
        }
        let snapshot: DatabaseSnapshot
        if let version,
            let kept = try CommandFailure.converting(HeldVersion.open(version, in: database))
        {
            snapshot = kept
        } else {
            snapshot = try newestSnapshot()
        }
        held.move(to: snapshot)
        lines.reset(
            // No state was delivered yet: a reader that resumes here starts again.
            reason, snapshot.version, position: isWhole ? .beginning : held.position,
            gap: requested.map { ($0, report.oldest) })
    }
}
