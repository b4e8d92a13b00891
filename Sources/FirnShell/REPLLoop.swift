import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTools

/// The interactive loop: prompts, runs the typed statements, reports errors, and continues.
struct REPLLoop {
    private let session: Session
    private let lines: any LineInput

    init(_ session: Session, _ lines: any LineInput) {
        self.session = session
        self.lines = lines
    }

    /// - Returns: the exit status.
    func run() throws(CommandFailure) -> Int32 {
        var buffer = StatementBuffer()
        /// Whether the user was warned of uncommitted changes and quits again.
        var isWarned = false
        while true {
            let prompt =
                buffer.missing.map { Prompt.continuation($0) } ?? session.prompt.text
            switch try lines.next(prompt: prompt, before: buffer.text) {
            case .line(let text):
                if let status = try take(text, &buffer, &isWarned) { return status }
            case .cancelled:
                isWarned = false
                _ = buffer.take()
            case .end:
                if buffer.take() != nil { continue }
                if mayLeave(&isWarned) { return 0 }
            case .signal(let signal): throw .interrupted(signal: signal)
            }
        }
    }

    /// - Parameter text: one or several lines.
    private func take(
        _ text: String, _ buffer: inout StatementBuffer, _ isWarned: inout Bool
    ) throws(CommandFailure) -> Int32? {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // An empty line discards the statement.
            if line.allSatisfy(\.isWhitespace) {
                _ = buffer.take()
                continue
            }
            let before = buffer.text
            let entries =
                switch buffer.add(String(line)) {
                case .complete(let entries), .needs(_, after: let entries): entries
                }
            if buffer.isEmpty { lines.remember(before + line) }
            if let status = try carryOut(entries, &isWarned) { return status }
        }
        return nil
    }

    /// - Returns: the exit status, if the user quits.
    private func carryOut(
        _ entries: [StatementBuffer.Entry], _ isWarned: inout Bool
    ) throws(CommandFailure) -> Int32? {
        for entry in entries {
            switch try execute(entry) {
            case .goOn: isWarned = false
            case .leave(let status): if mayLeave(&isWarned) { return status }
            case .again(let text):
                // The text is shown and stored as if it had been typed here.
                session.tell(text)
                var buffer = StatementBuffer()
                if let status = try take(text, &buffer, &isWarned) { return status }
                guard let unfinished = buffer.take() else { continue }
                if let status = try carryOut([.statement(unfinished)], &isWarned) { return status }
            }
        }
        return nil
    }

    /// Runs an entry, and reports an error.
    private func execute(_ entry: StatementBuffer.Entry) throws(CommandFailure) -> Session.Step {
        do throws(CommandFailure) { return try session.execute(entry) } catch {
            switch error {
            case .diagnostic(let diagnostic): session.tell(diagnostic)
            case .ended(let status): return .leave(status)
            case .interrupted(let signal):
                guard signal == Signals.interrupt else { throw error }
                // The signal ended only the statement.
                session.environment.forgetSignal()
                session.environment.report("cancelled\n")
            }
        }
        return .goOn
    }

    /// Returns whether the user can quit without losing changes, or was warned.
    private func mayLeave(_ isWarned: inout Bool) -> Bool {
        guard let transaction = session.transaction, transaction.changeCount > 0, !isWarned else {
            return true
        }
        isWarned = true
        let count = Formatting.count(transaction.changeCount, "uncommitted change")
        session.environment.report(
            "\(count) (.diff to see) — .commit, .cancel, or Ctrl-D again to discard\n")
        return false
    }
}
