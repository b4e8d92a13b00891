import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Following commits.
extension ObserveRun {
    /// What going to a newer version came to.
    enum Step {
        /// Nothing that the reader wants to know.
        case silent
        /// There are lines to deliver.
        case update
        /// The version that is gone is named, and the one to begin anew with if it is not the newest.
        case restart(StreamReset, gone: LSN? = nil, at: LSN? = nil)
    }

    /// Goes to a newer version and delivers what changed.
    ///
    /// - Returns: the reason if the stream ends with that.
    func advance() throws(CommandFailure) -> StreamEnd? {
        // While it delivers, no version may be held in the stack.
        switch try step() {
        case .silent: if let table { try draw(table) }
        case .restart(let reason, let requested, let version):
            return try restart(reason, requested: requested, at: version)
        case .update:
            try deliver("update")
            noteUpdate()
            if eventCount == order.countMax { return .count }
        }
        return try until()
    }

    /// Goes to a newer version, and puts the lines about that into the buffer.
    private func step() throws(CommandFailure) -> Step {
        if let prepared = try takePrepared() { return prepared }
        let known = try reading { () throws(StoreError) in try held.current() }
        guard let old = known else { return .restart(.historyGone, gone: held.version) }
        let newest = try newestSnapshot()
        let lag = newest.version.rawValue - min(newest.version, old.version).rawValue
        if let maximum = order.lagMax, lag > maximum { return .restart(.lag) }
        if order.everyCommit, lag > 1, let step = try backlogStep(from: old, newest.version) {
            return step
        }
        guard var new = try target(after: old, newest) else {
            return .restart(.historyGone, gone: held.version)
        }
        var changes = try compare(old, new)
        if changes.schemaChanged, let next = try next(after: old, before: new) {
            // What was committed before the change of classes is told first, and the way there is
            // compared as a whole only once.
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

    /// Goes to the next version by its commit alone.
    ///
    /// - Returns: `nil` if that cannot be: its commit wrote pages, or changes classes.
    private func backlogStep(
        from old: DatabaseSnapshot, _ newest: LSN
    ) throws(CommandFailure) -> Step? {
        let next = try reading { () throws(StoreError) in
            // Now and then from a newer root, so that the space of the old one is free again.
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

    /// Brings the subject to a newer version.
    ///
    /// - Returns: what is to be told about that; `nil` if nothing is.
    func update(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges,
        newest: LSN
    ) throws(CommandFailure) -> StreamUpdate? {
        let change = try asking { () throws(QueryFailure) in
            try subject.advance(from: old, to: new, by: changes)
        }
        guard let wanted = change?.limited(to: order.operations), !wanted.isEmpty else {
            return nil
        }
        return StreamUpdate(
            change: wanted, old: old, new: new, previous: lineVersion, time: changes.time,
            lag: order.everyCommit ? newest.rawValue - new.version.rawValue : nil,
            count: subject.count(in: new), isQuery: order.hasQuery)
    }

    /// Puts the lines of an update into the buffer, or what the table is to show.
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
        try asking { () throws(QueryFailure) in try lines.update(update) }
    }

    func compare(
        _ old: DatabaseSnapshot, _ new: DatabaseSnapshot
    ) throws(CommandFailure) -> VersionChanges {
        try reading { () throws(StoreError) in try database.changes(from: old, to: new) }
    }

    /// The version that follows another; `nil` if that is the last one, or it is not kept any more.
    private func next(
        after old: DatabaseSnapshot, before last: DatabaseSnapshot
    ) throws(CommandFailure) -> DatabaseSnapshot? {
        let next = LSN(old.version.rawValue + 1)
        guard next < last.version else { return nil }
        return try reading { () throws(StoreError) in try HeldVersion.open(next, in: database) }
    }

    /// The version to go to: the newest one, or the next.
    ///
    /// - Returns: `nil` if the next is not kept any more, and each commit is wanted.
    private func target(
        after old: DatabaseSnapshot, _ newest: DatabaseSnapshot
    ) throws(CommandFailure) -> DatabaseSnapshot? {
        guard order.everyCommit || old.version < steppedThrough,
            newest.version.rawValue > old.version.rawValue + 1
        else { return newest }
        return try next(after: old, before: newest) ?? (order.everyCommit ? nil : newest)
    }

    /// Whether the condition of `--until` holds.
    func until() throws(CommandFailure) -> StreamEnd? {
        guard let condition else { return nil }
        let current = try reading { () throws(StoreError) in try held.current() }
        // What comes instead of a version that is gone is looked at soon.
        guard let snapshot = current else { return nil }
        var values: [Value] = []
        if !condition.aggregates.isEmpty, let query = (subject as? QuerySubject)?.query {
            do throws(QueryFailure) {
                let aggregates = try bound(condition.aggregateText(query), snapshot)
                values = try snapshot.values(aggregates).compactMap(\.first)
            } catch {
                throw failure(condition.placed(error), condition.text)
            }
        }
        return condition.holds(count: subject.count(in: snapshot), values) ? .until : nil
    }

    // MARK: The file

    /// Looks whether the name still leads to the database that is open.
    ///
    /// - Returns: the reason if the stream ends with that.
    func checkFile() throws(CommandFailure) -> StreamEnd? {
        let named: FileStatus?
        do { named = try environment.services.files.status(of: order.file) } catch {
            throw .diagnostic(Diagnostic(error, "cannot examine \(SafeText.escaping(order.file))"))
        }
        let mine = try reading { () throws(StoreError) in try database.store.fileStatus() }
        if let named, named.identity == mine.identity { return nil }
        guard order.followsName else { return named == nil ? .removed : .replaced }
        // Like `tail -F`: until there is another one, there is nothing to say.
        guard named != nil else { return nil }
        let opened = try OpenDatabase(order.file, environment)
        database = opened.database
        held = HeldVersion(database, opened.snapshot)
        backlog = CommitBacklog(database.store)
        lines.database = database.store.identity
        return try restart(.replaced)
    }
}
