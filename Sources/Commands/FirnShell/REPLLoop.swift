import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues

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
        var entry = TypedEntry()
        /// Whether the user was warned of uncommitted changes and quits again.
        var isWarned = false
        while true {
            switch try next(&entry, &isWarned) {
            case .goOn: continue
            case .leave(let status): return status
            case .event(let event):
                switch event {
                case .line(let text):
                    if let status = try take(text, &entry, &isWarned) { return status }
                case .cancelled:
                    isWarned = false
                    entry = TypedEntry()
                case .end:
                    if !entry.buffer.isEmpty {
                        entry = TypedEntry()
                    } else if mayLeave(&isWarned) {
                        return 0
                    }
                case .signal(let signal): throw .interrupted(signal: signal)
                }
            }
        }
    }

    /// The lines of the statement being typed.
    private struct TypedEntry {
        var buffer = StatementBuffer()
        /// The same lines, for the history.
        var text = ""
    }

    private enum Next {
        case event(LineEvent)
        case goOn
        case leave(Int32)
    }

    /// Reads the next line.
    ///
    /// A complete statement runs at once, unless a line that may continue it is already waiting.
    private func next(
        _ entry: inout TypedEntry, _ isWarned: inout Bool
    ) throws(CommandFailure) -> Next {
        guard entry.buffer.isComplete else {
            let columns = session.environment.errorColumns()
            let prompt =
                entry.buffer.missing.map { Prompt.continuation($0) }
                ?? session.prompt.text(columns: columns)
            return .event(try lines.next(prompt: prompt, before: entry.buffer.text))
        }
        let event = try lines.nextWaiting(before: entry.buffer.text)
        if let event, event != .end { return .event(event) }
        if let status = try finish(&entry, &isWarned) { return .leave(status) }
        return event.map { .event($0) } ?? .goOn
    }

    /// Runs the complete statement, if there is one.
    private func finish(
        _ entry: inout TypedEntry, _ isWarned: inout Bool
    ) throws(CommandFailure) -> Int32? {
        guard entry.buffer.isComplete, let statement = entry.buffer.take() else { return nil }
        lines.remember(entry.text)
        entry = TypedEntry()
        return try carryOut([.statement(statement)], &isWarned)
    }

    /// - Parameter text: one line, or several lines of a pasted, recalled or edited text.
    private func take(
        _ text: String, _ entry: inout TypedEntry, _ isWarned: inout Bool
    ) throws(CommandFailure) -> Int32? {
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        /// The end of the lines that are known not to be one statement.
        var examinedEnd = rest.startIndex
        while let line = rest.first.map({ String($0) }) {
            // An empty line ends a complete statement, and discards any other.
            if line.allSatisfy(\.isWhitespace) {
                if let status = try finish(&entry, &isWarned) { return status }
                entry = TypedEntry()
                rest.removeFirst()
                continue
            }
            if !StatementScanner.continues(line),
                let status = try finish(&entry, &isWarned)
            {
                return status
            }
            var lineCount = 1
            if entry.buffer.isEmpty, rest.startIndex >= examinedEnd {
                let paragraph = rest.prefix { !$0.allSatisfy(\.isWhitespace) }
                if isStatement(paragraph) { lineCount = paragraph.count }
                examinedEnd = paragraph.endIndex
            }
            let piece = rest.prefix(lineCount).joined(separator: "\n")
            rest.removeFirst(lineCount)
            entry.text += (entry.text.isEmpty ? "" : "\n") + piece
            if lineCount > 1 {
                lines.remember(entry.text)
                entry = TypedEntry()
                if let status = try carryOut([.statement(piece)], &isWarned) { return status }
                continue
            }
            let entries =
                switch entry.buffer.add(piece, mayContinue: true) {
                case .complete(let entries), .needs(_, after: let entries): entries
                }
            if entry.buffer.isEmpty {
                lines.remember(entry.text)
                entry.text = ""
            }
            if let status = try carryOut(entries, &isWarned) { return status }
        }
        return nil
    }

    /// Returns whether several lines form one statement.
    private func isStatement(_ lines: ArraySlice<Substring>) -> Bool {
        let others = lines.dropFirst()
        guard !others.isEmpty, !others.contains(where: { session.begins(String($0)) }) else {
            return false
        }
        return (try? ShellStatement.parse(lines.joined(separator: "\n")))?.count == 1
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
                session.report(text)
                var entry = TypedEntry()
                if let status = try take(text, &entry, &isWarned) { return status }
                if let status = try finish(&entry, &isWarned) { return status }
                guard let unfinished = entry.buffer.take() else { continue }
                if let status = try carryOut([.statement(unfinished)], &isWarned) { return status }
            }
        }
        return nil
    }

    /// Runs an entry, and reports an error.
    private func execute(_ entry: StatementBuffer.Entry) throws(CommandFailure) -> Session.Step {
        do throws(CommandFailure) { return try session.execute(entry) } catch {
            switch error {
            case .diagnostic(let diagnostic): session.report(diagnostic)
            case .ended(let status): return .leave(status)
            case .interrupted(let signal):
                guard signal == Signals.interrupt else { throw error }
                // The signal ended only the statement.
                session.environment.forgetSignal()
                session.environment.report("cancelled\(stateAfterCancelling(entry))\n")
            }
        }
        return .goOn
    }

    /// Reports what an interrupted statement has changed; commands report it themselves.
    private func stateAfterCancelling(_ entry: StatementBuffer.Entry) -> String {
        guard case .statement = entry else { return "" }
        guard session.transaction?.hasFailed != true else {
            return ": nothing is on disk; .cancel ends the transaction"
        }
        return ": nothing was changed"
    }

    /// Returns whether the user can quit without losing changes, or was warned.
    private func mayLeave(_ isWarned: inout Bool) -> Bool {
        guard !isWarned else { return true }
        if let transaction = session.transaction, transaction.changeCount > 0 {
            let count = Formatting.count(transaction.changeCount, "uncommitted change")
            session.environment.reportToPeople(
                "\(count) (.diff to see): .commit, .cancel, or Ctrl-D again to discard\n")
        } else if let database = session.database, database.hasUnsavedChanges {
            session.environment.reportToPeople(
                "changes to \(SafeText.escaping(database.path)) are only in memory: "
                    + ".save FILE.firn, or Ctrl-D again to discard\n")
        } else {
            return true
        }
        isWarned = true
        return false
    }
}
