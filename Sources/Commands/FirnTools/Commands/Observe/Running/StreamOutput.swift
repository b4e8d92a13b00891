import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// The standard output of a stream, whose reader can be slow or gone.
final class StreamOutput {
    /// The time a reader can take before the held version is released.
    private static let briefNanoseconds: UInt64 = 50_000_000
    /// The interval at which signals and the deadline are checked while the reader does not read.
    private static let lookNanoseconds: UInt64 = 200_000_000

    private let environment: CommandEnvironment
    /// The deadline of the stream, on the monotonic clock.
    private let deadline: UInt64?
    /// Whether characters that could harm a terminal are escaped.
    private let escapes: Bool
    /// Whether a line is incomplete because the reader is gone; no further output is possible.
    private(set) var isStuck = false

    /// - Parameter drawsTable: whether the output is a drawing that contains escape sequences.
    init(_ environment: CommandEnvironment, deadline: UInt64?, drawsTable: Bool) {
        self.environment = environment
        self.deadline = deadline
        escapes = environment.escapesOutput && !drawsTable
    }

    /// Ends the command silently if the reader has closed the pipe.
    func checkReader() throws(CommandFailure) {
        if environment.outputReadiness(0) == .abandoned { throw abandoned() }
    }

    private func abandoned() -> CommandFailure {
        isStuck = true
        return .interrupted(signal: Signals.brokenPipe)
    }

    /// Writes all the bytes, which end with a complete character.
    ///
    /// - Parameter beforeWaiting: called before a long wait for the reader.
    func write(
        _ bytes: UnsafeRawBufferPointer, beforeWaiting: () -> Void
    ) throws(CommandFailure) {
        guard escapes, TerminalSafeSink.mayHarm(bytes) else {
            return try writePieces(bytes, beforeWaiting)
        }
        // Escapes the bytes as a whole, because a piece may end inside a character.
        var safe = TextBuffer(capacity: bytes.count + bytes.count / 8)
        safe.append(string: TerminalSafeSink.escaping(String(decoding: bytes, as: UTF8.self)))
        try writePieces(safe.bytes, beforeWaiting)
    }

    private func writePieces(
        _ bytes: UnsafeRawBufferPointer, _ beforeWaiting: () -> Void
    ) throws(CommandFailure) {
        var rest = bytes
        while !rest.isEmpty {
            try waitForReader(beforeWaiting)
            let piece = UnsafeRawBufferPointer(
                rebasing: rest.prefix(StandardStream.pieceByteCount))
            do { try environment.output.write(piece) } catch {
                isStuck = true
                throw CommandFailure(writing: environment.outputName, error)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
        }
    }

    private func waitForReader(_ beforeWaiting: () -> Void) throws(CommandFailure) {
        var nanoseconds: UInt64 = 0
        while true {
            switch environment.outputReadiness(nanoseconds) {
            case .ready: return
            case .abandoned: throw abandoned()
            case .full: break
            }
            if nanoseconds == StreamOutput.briefNanoseconds { beforeWaiting() }
            nanoseconds =
                nanoseconds == 0 ? StreamOutput.briefNanoseconds : StreamOutput.lookNanoseconds
            if let signal = environment.pendingSignal() {
                isStuck = true
                throw .interrupted(signal: signal)
            }
            if let deadline, environment.services.clock.monotonicNanoseconds() >= deadline {
                isStuck = true
                throw .ended(status: ExitStatus.timeout.rawValue)
            }
        }
    }
}
