import FirnPlatform

/// Standard output of a stream, which may be read slowly or not any more.
final class StreamOutput {
    /// How long a reader may take before the version that is held is let go.
    private static let briefNanoseconds: UInt64 = 50_000_000
    /// How often signals and the time are looked at while nobody reads.
    private static let lookNanoseconds: UInt64 = 200_000_000

    private let environment: CommandEnvironment
    /// When the stream ends whatever happens, on the monotonic clock.
    private let deadline: UInt64?
    /// Whether what could harm a terminal is escaped.
    private let escapes: Bool
    /// Whether a line was begun that nobody reads the end of: nothing more can be said.
    private(set) var isStuck = false

    /// - Parameter drawsTable: whether what is written are drawings with escapes of their own.
    init(_ environment: CommandEnvironment, deadline: UInt64?, drawsTable: Bool) {
        self.environment = environment
        self.deadline = deadline
        escapes = environment.escapesOutput && !drawsTable
    }

    /// Ends the command silently if nobody reads any more.
    func checkReader() throws(CommandFailure) {
        if environment.outputReadiness(0) == .abandoned { throw abandoned() }
    }

    private func abandoned() -> CommandFailure {
        isStuck = true
        return .interrupted(signal: Signals.brokenPipe)
    }

    /// Writes all the bytes, which end with a whole character.
    ///
    /// - Parameter beforeWaiting: called before it waits long for the reader.
    func write(
        _ bytes: UnsafeRawBufferPointer, beforeWaiting: () -> Void
    ) throws(CommandFailure) {
        guard escapes, TerminalSafeSink.mayHarm(bytes) else {
            return try writePieces(bytes, beforeWaiting)
        }
        // As a whole: a piece may end in the middle of a character.
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
