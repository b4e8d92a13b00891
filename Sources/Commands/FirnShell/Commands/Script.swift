import FirnFormats
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues

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
            switch try lines.next(prompt: "", before: "") {
            case .line(let line):
                if let ended = Script.entry(endedBy: line, &buffer),
                    let status = try execute([ended], firstLine)
                {
                    return status
                }
                if buffer.isEmpty { firstLine = lines.lineNumber }
                let entries =
                    switch buffer.add(line, mayContinue: true) {
                    case .complete(let entries), .needs(_, after: let entries): entries
                    }
                if let status = try execute(entries, firstLine) { return status }
                if !entries.isEmpty { firstLine = lines.lineNumber }
            case .cancelled: continue
            case .end:
                guard let last = buffer.take() else { return nil }
                return try execute([.statement(last)], firstLine)
            case .signal(let signal): throw .interrupted(signal: signal)
            }
        }
    }

    /// Removes and returns the statement that a line ends.
    ///
    /// An empty line ends a statement, complete or not, but inside a string it is text.
    private static func entry(
        endedBy line: String, _ buffer: inout StatementBuffer
    ) -> StatementBuffer.Entry? {
        guard line.allSatisfy(\.isWhitespace) else { return buffer.take(before: line) }
        guard buffer.missing?.isQuote != true else { return nil }
        return buffer.take().map { .statement($0) }
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
