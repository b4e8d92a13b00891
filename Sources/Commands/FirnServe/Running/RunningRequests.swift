import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// The requests that run commands, with their progress.
final class RunningRequests: Sendable {
    /// The longest identifier that a client can give to a request, in bytes.
    static let identifierByteCountMaximum = 128

    /// A request that is running.
    struct Entry: Sendable {
        /// The name that the client gave it in the header `X-Request-ID`.
        let identifier: String?
        let path: String
        let query: String?
        /// The monotonic time of its start in nanoseconds.
        let start: UInt64
        /// The latest progress, one JSON object; empty if there is none.
        fileprivate(set) var progress = ""
    }

    private let state = Guarded<(entries: [UInt64: Entry], next: UInt64)>(([:], 0))

    /// The requests that are running, in the order of their starts.
    var entries: [Entry] {
        state.withLock { state in
            state.entries.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Lists a request as running during a body.
    ///
    /// - Parameter body: Receives the sink for the progress lines of the command.
    func note<Failure: Error>(
        _ entry: Entry, _ body: (any ByteSink) throws(Failure) -> Void
    ) throws(Failure) {
        let number = state.withLock { state in
            state.next += 1
            state.entries[state.next] = entry
            return state.next
        }
        defer { state.withLock { _ = $0.entries.removeValue(forKey: number) } }
        try body(ProgressSink(self, number))
    }

    fileprivate func setProgress(_ progress: String, of number: UInt64) {
        state.withLock { $0.entries[number]?.progress = progress }
    }
}

/// Keeps the latest progress of a command, whose notes a client does not see.
private final class ProgressSink: ByteSink {
    /// The beginning of a line of progress; see `Progress`.
    private static let beginning = Array(#"{"v":1,"type":"progress","#.utf8)

    private let requests: RunningRequests
    private let number: UInt64

    init(_ requests: RunningRequests, _ number: UInt64) {
        self.requests = requests
        self.number = number
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        guard bytes.starts(with: Self.beginning) else { return }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        requests.setProgress(String(decoding: line, as: UTF8.self), of: number)
    }
}
