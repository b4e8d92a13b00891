import FirnEngine
import FirnFormats
import FirnQuery
import FirnText
import FirnValues

/// An update for a commit that may not be on disk yet.
struct PreparedUpdate {
    let new: DatabaseSnapshot
    /// The update, or `nil` if there is nothing to report.
    let update: StreamUpdate?
    /// The start of the lines.
    let beginning: StreamLines.Beginning
}

/// Processes a commit while the disk makes it durable; ``PendingCommit`` draws the states.
extension ObserveRun {
    /// Moves the subject to the next version, and stores its lines.
    ///
    /// If this fails, the error is reported when the version is visible.
    func prepare(_ commit: PendingCommit) {
        guard case .none = ahead, table == nil, options.debounce == nil, options.lagMax != 0,
            subject.reasonToRunAgain == nil
        else { return }
        let beginning = lines.beginning
        do {
            ahead = try prepared(commit, beginning)
        } catch {
            lines.beginning = beginning
            ahead = .stale
        }
        swap(&lines.buffer, &linesAhead)
        lines.buffer.removeAll()
    }

    private func prepared(
        _ commit: PendingCommit, _ beginning: StreamLines.Beginning
    ) throws(CommandFailure) -> PendingCommit.Prepared<PreparedUpdate> {
        let known = try CommandFailure.converting(held.current())
        guard let old = known, old.version < commit.snapshot.version else { return .none }
        let new = database.snapshot(commit)
        let changes = try compare(old, new)
        guard !changes.schemaChanged else { return .none }
        let update = try update(from: old, to: new, by: changes, newest: new.version)
        if let update { try render(update) }
        return .ready(commit, PreparedUpdate(new: new, update: update, beginning: beginning))
    }

    /// Moves to the prepared version if it is durable, and appends its lines to the buffer.
    ///
    /// - Returns: `nil` if there is none: the subject is at the held version.
    func takePrepared() throws(CommandFailure) -> Step? {
        if let prepared = ahead.take() { return try move(to: prepared) }
        giveUpPrepared()
        guard case .stale = ahead else { return nil }
        let known = try CommandFailure.converting(held.current())
        guard let old = known else { return .restart(.historyGone, gone: held.version) }
        try makeSubject(againAt: old)
        return nil
    }

    private func move(to prepared: PreparedUpdate) throws(CommandFailure) -> Step {
        held.move(to: prepared.new)
        guard var update = prepared.update else { return .silent }
        if update.previous == linePosition {
            swap(&lines.buffer, &linesAhead)
        } else {
            // Another line, such as a heartbeat, was delivered in the meantime.
            update.previous = linePosition
            lines.beginning = prepared.beginning
            try render(update)
        }
        return .update
    }

    /// Discards the prepared update, so that its version holds no space.
    func giveUpPrepared() {
        if let discarded = ahead.discard() { lines.beginning = discarded.beginning }
    }
}
