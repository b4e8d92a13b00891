import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues
import NIOHTTP1

/// The standard output of a command that answers a request.
///
/// A short output is kept until the command has ended, so that an error becomes the response. A
/// long one is streamed.
final class ResponseSink: ByteSink {
    private static let byteCountMaximum = 64 << 10

    private let exchange: Exchange
    private let headers: HTTPHeaders
    private let type: String
    private var kept: [UInt8] = []
    private var isStreaming = false
    /// Returns whether to stop waiting for a client that reads slowly.
    private let isStopped: () -> Bool

    init(
        _ exchange: Exchange, type: String, headers: HTTPHeaders = [:],
        isStopped: @escaping () -> Bool
    ) {
        self.isStopped = isStopped
        self.exchange = exchange
        self.headers = headers
        self.type = type
    }

    var isPipe: Bool { true }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        guard !isStreaming else { return try exchange.write(bytes, isStopped: isStopped) }
        kept.append(contentsOf: bytes)
        guard kept.count > ResponseSink.byteCountMaximum else { return }
        isStreaming = true
        var headers = headers
        headers.replaceOrAdd(name: "Content-Type", value: type)
        exchange.begin(.ok, headers)
        let first = kept
        kept = []
        let sent = first.withUnsafeBytes { bytes in
            Result { () throws(PlatformError) in try exchange.write(bytes, isStopped: isStopped) }
        }
        try sent.get()
    }

    /// Ends the response after the command has succeeded.
    func finish() {
        if isStreaming { return exchange.end() }
        exchange.respond(Response(.ok, type: type, kept, headers))
    }

    /// Ends the response after the command has failed.
    ///
    /// A response that has begun is cut off: the client must not take it for complete.
    func fail(_ problem: Problem) {
        if isStreaming { return exchange.abort() }
        exchange.respond(Response(problem))
    }
}
