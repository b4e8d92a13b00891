import FirnEngine
import FirnQuery
import FirnValues

/// What is known of the commit that comes next before it is on disk.
///
///     none --a commit is in the log--> ready --it is on disk--> none, and its lines are delivered
///                                        \--the log ended, or it held space up--> stale
///     stale --the next version--> none: the subject is made anew at the version that is held
///
/// Nothing of it is shown before it is on disk: ``ObserveRun/held`` stays where it is until then.
enum UpdateAhead {
    /// The subject is at the version that is held.
    case none
    /// The subject is at the version of the commit, and its lines wait.
    case ready(PreparedUpdate)
    /// The subject is at a version that was given up, or at none.
    case stale
}

/// An update for a commit that may not be on disk yet.
struct PreparedUpdate {
    let expected: PendingCommit
    let new: DatabaseSnapshot
    /// `nil` if the reader is not to be told anything.
    let update: StreamUpdate?
    /// What the lines began with.
    let beginning: StreamLines.Beginning
}

/// Doing the work for a commit while the disk makes it durable.
extension ObserveRun {
    /// Brings the subject to the version that comes next, and puts its lines aside.
    ///
    /// Whatever keeps that from being done is told when the version is there.
    func prepare(_ expected: PendingCommit) {
        guard case .none = ahead, table == nil, order.debounce == nil, order.lagMax != 0 else {
            return
        }
        let beginning = lines.beginning
        do throws(CommandFailure) {
            ahead = try prepared(expected, beginning)
        } catch {
            lines.beginning = beginning
            ahead = .stale
        }
        swap(&lines.buffer, &linesAhead)
        lines.buffer.removeAll()
    }

    private func prepared(
        _ expected: PendingCommit, _ beginning: StreamLines.Beginning
    ) throws(CommandFailure) -> UpdateAhead {
        let known = try reading { () throws(StoreError) in try held.current() }
        guard let old = known, old.version < expected.snapshot.version else { return .none }
        let new = database.snapshot(expected)
        let changes = try compare(old, new)
        guard !changes.schemaChanged else { return .none }
        let update = try update(from: old, to: new, by: changes, newest: new.version)
        if let update { try render(update) }
        return .ready(
            PreparedUpdate(expected: expected, new: new, update: update, beginning: beginning))
    }

    /// Whether what was prepared can be told.
    var isPreparedDurable: Bool {
        if case .ready(let prepared) = ahead { prepared.expected.fate == .durable } else { false }
    }

    /// Goes to the version that was prepared, if it is on disk, and puts its lines into the buffer.
    ///
    /// - Returns: `nil` if there is none: the subject is at the version that is held.
    func takePrepared() throws(CommandFailure) -> Step? {
        if case .ready(let prepared) = ahead, prepared.expected.fate == .durable {
            return try take(prepared)
        }
        giveUpPrepared()
        guard case .stale = ahead else { return nil }
        let known = try reading { () throws(StoreError) in try held.current() }
        guard let old = known else { return .restart(.historyGone, gone: held.version) }
        try makeSubject(anewAt: old)
        return nil
    }

    private func take(_ prepared: PreparedUpdate) throws(CommandFailure) -> Step {
        ahead = .none
        held.move(to: prepared.new)
        guard var update = prepared.update else { return .silent }
        if update.previous == lineVersion {
            swap(&lines.buffer, &linesAhead)
        } else {
            // Another line, such as a heartbeat, was delivered since.
            update.previous = lineVersion
            lines.beginning = prepared.beginning
            try render(update)
        }
        return .update
    }

    /// Forgets what was prepared, so that its version keeps nothing from being used again.
    func giveUpPrepared() {
        guard case .ready(let prepared) = ahead else { return }
        lines.beginning = prepared.beginning
        ahead = .stale
    }

    /// Forgets what was prepared for a version that does not come, or that is not on the newest root.
    func giveUpPreparedIfOld() {
        guard case .ready(let prepared) = ahead else { return }
        if prepared.expected.fate == .lost || !prepared.expected.isOnNewestRoot {
            giveUpPrepared()
        }
    }
}
