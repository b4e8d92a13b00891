import FirnEngine
import FirnQuery
import FirnValues

/// The state of the next commit before it is durable.
///
///     none --a commit is in the log--> ready --it is durable--> none; its lines are delivered
///                                        \--the log ended, or it held up space--> stale
///     stale --the next version--> none: the subject is rebuilt at the held version
///
/// Nothing of the commit is shown before it is durable: ``ObserveRun/held`` does not move before.
enum UpdateAhead {
    /// The subject is at the held version.
    case none
    /// The subject is at the version of the commit, and its lines are pending.
    case ready(PreparedUpdate)
    /// The subject is at a discarded version, or at none.
    case stale
}

/// An update for a commit that may not be on disk yet.
struct PreparedUpdate {
    let expected: PendingCommit
    let new: DatabaseSnapshot
    /// The update, or `nil` if there is nothing to report.
    let update: StreamUpdate?
    /// The start of the lines.
    let beginning: StreamLines.Beginning
}

/// Processes a commit while the disk makes it durable.
extension ObserveRun {
    /// Moves the subject to the next version, and stores its lines.
    ///
    /// If this fails, the error is reported when the version is visible.
    func prepare(_ expected: PendingCommit) {
        guard case .none = ahead, table == nil, options.debounce == nil, options.lagMax != 0 else {
            return
        }
        let beginning = lines.beginning
        do {
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
        let known = try CommandFailure.converting(held.current())
        guard let old = known, old.version < expected.snapshot.version else { return .none }
        let new = database.snapshot(expected)
        let changes = try compare(old, new)
        guard !changes.schemaChanged else { return .none }
        let update = try update(from: old, to: new, by: changes, newest: new.version)
        if let update { try render(update) }
        return .ready(
            PreparedUpdate(expected: expected, new: new, update: update, beginning: beginning))
    }

    /// Whether the prepared update is durable.
    var isPreparedDurable: Bool {
        if case .ready(let prepared) = ahead { prepared.expected.fate == .durable } else { false }
    }

    /// Moves to the prepared version if it is durable, and appends its lines to the buffer.
    ///
    /// - Returns: `nil` if there is none: the subject is at the held version.
    func takePrepared() throws(CommandFailure) -> Step? {
        if case .ready(let prepared) = ahead, prepared.expected.fate == .durable {
            return try take(prepared)
        }
        giveUpPrepared()
        guard case .stale = ahead else { return nil }
        let known = try CommandFailure.converting(held.current())
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
            // Another line, such as a heartbeat, was delivered in the meantime.
            update.previous = lineVersion
            lines.beginning = prepared.beginning
            try render(update)
        }
        return .update
    }

    /// Discards the prepared update, so that its version holds no space.
    func giveUpPrepared() {
        guard case .ready(let prepared) = ahead else { return }
        lines.beginning = prepared.beginning
        ahead = .stale
    }

    /// Discards an update that was prepared for an aborted version, or that is not based on the
    /// newest root.
    func giveUpPreparedIfOld() {
        guard case .ready(let prepared) = ahead else { return }
        if prepared.expected.fate == .lost || !prepared.expected.isOnNewestRoot {
            giveUpPrepared()
        }
    }
}
