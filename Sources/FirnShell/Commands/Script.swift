import FirnQuery
import FirnTools

/// Runs the statements of standard input or of a file, up to the first error.
struct Script {
    private let session: Session
    private let lines: StreamLines

    init(_ session: Session, _ lines: StreamLines) {
        self.session = session
        self.lines = lines
    }

    /// - Returns: the status of `.quit`; `nil` at the end of the input.
    func run() throws(CommandFailure) -> Int32? {
        var buffer = StatementBuffer()
        /// The first line of the unfinished statement.
        var firstLine: UInt64 = 0
        while true {
            if buffer.isEmpty { firstLine = lines.lineNumber + 1 }
            switch try lines.next(prompt: "", before: "") {
            case .line(let line):
                // Inside a string, an empty line is text; otherwise it ends the statement.
                if line.allSatisfy(\.isWhitespace), let missing = buffer.missing,
                    !missing.isQuote, let unfinished = buffer.take()
                {
                    _ = try execute([.statement(unfinished)], firstLine)
                    continue
                }
                let entries =
                    switch buffer.add(line) {
                    case .complete(let entries), .needs(_, after: let entries): entries
                    }
                if let status = try execute(entries, firstLine) { return status }
            case .cancelled: continue
            case .end:
                guard let unfinished = buffer.take() else { return nil }
                return try execute([.statement(unfinished)], firstLine)
            case .signal(let signal): throw .interrupted(signal: signal)
            }
        }
    }

    private func execute(
        _ entries: [StatementBuffer.Entry], _ line: UInt64
    ) throws(CommandFailure) -> Int32? {
        for entry in entries {
            do throws(CommandFailure) {
                if case .leave(let status) = try session.execute(entry) { return status }
            } catch {
                guard case .diagnostic(var diagnostic) = error else { throw error }
                diagnostic.details.append("in line \(line) of \(lines.name)")
                throw .diagnostic(diagnostic)
            }
        }
        return nil
    }
}

extension StatementScanner.Missing {
    fileprivate var isQuote: Bool {
        if case .quote = self { true } else { false }
    }
}
