import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// Following commits.
extension ObserveRun {
    /// The result of moving to a newer version.
    enum Step {
        /// There is nothing to report.
        case silent
        /// There are lines to deliver.
        case update
        /// Names the missing version, and the version to restart from if it is not the newest.
        case restart(StreamReset, gone: LSN? = nil, at: LSN? = nil)
    }

    /// Moves to a newer version, and delivers the changes.
    ///
    /// - Returns: the reason if the stream ends.
    func advance() throws(CommandFailure) -> StreamEnd? {
        // No version may be held on the stack during delivery.
        switch try step() {
        case .silent: if let table { try draw(table) }
        case .restart(let reason, let requested, let version):
            return try restart(reason, requested: requested, at: version)
        case .update:
            try deliver("update")
            noteUpdate()
            if eventCount == options.countMax { return .count }
        }
        return try until()
    }

    /// Moves to a newer version, and appends the lines about it to the buffer.
    private func step() throws(CommandFailure) -> Step {
        if let prepared = try takePrepared() { return prepared }
        let known = try CommandFailure.converting(held.current())
        guard let old = known else { return .restart(.historyGone, gone: held.version) }
        let newest = try newestSnapshot()
        let lag = newest.version.rawValue - min(newest.version, old.version).rawValue
        if let maximum = options.lagMax, lag > maximum { return .restart(.lag) }
        if options.everyCommit, lag > 1, let step = try backlogStep(from: old, newest.version) {
            return step
        }
        guard var new = try target(after: old, newest) else {
            return .restart(.historyGone, gone: held.version)
        }
        var changes = try compare(old, new)
        if changes.schemaChanged, let next = try next(after: old, before: new) {
            // Commits before the schema change are delivered first, and the path to it is compared
            // as a whole only once.
            steppedThrough = new.version
            new = next
            changes = try compare(old, new)
        }
        if changes.schemaChanged {
            steppedThrough = new.version
            return .restart(.schemaChanged, at: new.version)
        }
        let update = try update(from: old, to: new, by: changes, newest: newest.version)
        held.move(to: new)
        return try put(update)
    }

    /// Moves to the next version by its commit alone.
    ///
    /// - Returns: `nil` if this is not possible: the commit wrote pages or changed the schema.
    private func backlogStep(
        from old: DatabaseSnapshot, _ newest: LSN
    ) throws(CommandFailure) -> Step? {
        let next = try CommandFailure.converting { () throws(StoreError) in
            // Reopens from a newer root occasionally, to free the space of the old root.
            let base = backlog.isSpent ? try held.reopened() : old
            guard let base else { return nil as (DatabaseSnapshot, VersionChanges)? }
            try backlog.fill(after: base.version, through: newest)
            guard let (new, changes) = try database.step(backlog, from: base) else { return nil }
            return (new, changes)
        }
        guard let (new, changes) = next, !changes.schemaChanged else {
            backlog.removeAll()
            return nil
        }
        let update = try update(from: old, to: new, by: changes, newest: newest)
        held.move(to: new)
        return try put(update)
    }

    /// Moves the subject to a newer version.
    ///
    /// - Returns: the update to report, or `nil` if there is none.
    func update(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges,
        newest: LSN
    ) throws(CommandFailure) -> StreamUpdate? {
        let change = try asking(subject.advance(from: old, to: new, by: changes))
        lastRun = environment.services.clock.monotonicNanoseconds()
        guard let wanted = change?.limited(to: options.operations), !wanted.isEmpty else {
            return nil
        }
        return StreamUpdate(
            change: wanted, old: old, new: new, previous: linePosition, commit: changes.commit,
            lag: options.everyCommit ? newest.rawValue - new.version.rawValue : nil,
            count: subject.count(in: new), isQuery: options.hasQuery)
    }

    /// Appends the lines of an update to the buffer, or updates the table.
    private func put(_ update: StreamUpdate?) throws(CommandFailure) -> Step {
        guard let update else { return .silent }
        if let table {
            table.note(update.change, update.new.version)
        } else {
            try render(update)
        }
        return .update
    }

    func render(_ update: StreamUpdate) throws(CommandFailure) {
        try asking(lines.update(update))
    }

    func compare(
        _ old: DatabaseSnapshot, _ new: DatabaseSnapshot
    ) throws(CommandFailure) -> VersionChanges {
        try CommandFailure.converting(database.changes(from: old, to: new))
    }

    /// Returns the version after another, or `nil` if it is the newest or is no longer kept.
    private func next(
        after old: DatabaseSnapshot, before last: DatabaseSnapshot
    ) throws(CommandFailure) -> DatabaseSnapshot? {
        let next = LSN(old.version.rawValue + 1)
        guard next < last.version else { return nil }
        return try CommandFailure.converting(HeldVersion.open(next, in: database))
    }

    /// Returns the version to move to: the newest, or the next.
    ///
    /// - Returns: `nil` if `--every-commit` requires the next version, which is no longer kept.
    private func target(
        after old: DatabaseSnapshot, _ newest: DatabaseSnapshot
    ) throws(CommandFailure) -> DatabaseSnapshot? {
        guard options.everyCommit || old.version < steppedThrough,
            newest.version.rawValue > old.version.rawValue + 1
        else { return newest }
        return try next(after: old, before: newest) ?? (options.everyCommit ? nil : newest)
    }

    /// Returns whether the condition of `--until` is met.
    func until() throws(CommandFailure) -> StreamEnd? {
        guard let condition else { return nil }
        let current = try CommandFailure.converting(held.current())
        // The restart after a missing version tests the condition.
        guard let snapshot = current else { return nil }
        var values: [Value] = []
        if !condition.aggregates.isEmpty, let query = (subject as? QuerySubject)?.query {
            do {
                let aggregates = try bound(condition.aggregateText(query), snapshot)
                values = try snapshot.values(aggregates).compactMap(\.first)
            } catch {
                throw CommandFailure(
                    condition.placed(error), text: condition.text, file: options.file)
            }
        }
        let count = (subject as? ValuesSubject)?.tested ?? subject.count(in: snapshot)
        return condition.holds(count: count, values) ? .until : nil
    }

    // MARK: The file

    /// Checks whether the file name still refers to the open database.
    ///
    /// - Returns: the reason if the stream ends.
    func checkFile() throws(CommandFailure) -> StreamEnd? {
        let named: FileStatus?
        do { named = try environment.services.files.status(of: options.file) } catch {
            throw .diagnostic(
                Diagnostic(error, "cannot examine \(SafeText.escaping(options.file))"))
        }
        let mine = try CommandFailure.converting(database.store.fileStatus())
        if let named, named.identity == mine.identity { return nil }
        guard options.followsName else { return named == nil ? .removed : .replaced }
        // As with `tail -F`, nothing is reported until there is a new file.
        guard named != nil else { return nil }
        let opened = try OpenDatabase(options.file, environment)
        database = opened.database
        held = HeldVersion(database, opened.snapshot)
        backlog = CommitBacklog(database.store)
        lines.database = database.store.identity
        return try restart(.replaced)
    }
}
