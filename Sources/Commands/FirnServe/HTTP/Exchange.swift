import FirnPlatform
import FirnValues
import NIOCore
import NIOHTTP1

/// A request whose response is being sent.
///
/// Workers write the body and wait if the client reads slowly; the event loop only moves bytes.
///
///     respond(_:)              a response that is complete
///     begin, write..., end     a response of any length
///     abort                    the end of a response that cannot be completed
final class Exchange: @unchecked Sendable {
    /// The number of bytes on their way to the client above which a worker waits.
    private static let pendingByteCountMaximum = 1 << 20
    /// The time in tenths of a second within which the client of a response must read something,
    /// because it keeps a worker from others.
    static let responsePatience = 100
    /// The same limit for the client of a stream, which does not keep a worker from others.
    static let streamPatience = 600
    private static let waitNanoseconds: UInt64 = 100_000_000

    let channel: any Channel
    private let version: HTTPVersion
    private let keepsAlive: Bool
    /// The page that sent the request, which may read the response; set before the response begins.
    var origin: String?
    private let isHead: Bool
    private let lock = Lock()
    private let condition = Condition()
    /// The following fields are protected by the lock.
    private var pendingByteCount = 0
    private var isGone = false
    private var hasBegun = false

    /// - Parameter keepsAlive: Whether the connection stays open if the client asks for it.
    init(_ channel: any Channel, _ head: HTTPRequestHead, keepsAlive: Bool = true) {
        self.channel = channel
        version = head.version
        self.keepsAlive = keepsAlive && head.isKeepAlive
        // The client wants no body.
        isHead = head.method == .HEAD
    }

    /// Whether the client has left.
    var isAbandoned: Bool { lock.withLock { isGone } }

    /// Whether the status was sent.
    var hasStarted: Bool { lock.withLock { hasBegun } }

    /// Whether as much as possible is on its way to the client.
    var isFull: Bool { lock.withLock { pendingByteCount > Exchange.pendingByteCountMaximum } }

    /// Records that the client has left, and wakes the worker.
    func abandon() {
        lock.withLock { isGone = true }
        condition.wakeAll()
    }

    // MARK: Complete responses

    func respond(_ response: Response) {
        lock.withLock { hasBegun = true }
        var headers = response.headers
        headers.replaceOrAdd(name: "Content-Length", value: String(response.body.count))
        let head = head(response.status, headers)
        let body = isHead ? [] : response.body
        channel.eventLoop.execute { [self] in
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            if !body.isEmpty {
                channel.write(
                    HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
            }
            finish()
        }
    }

    private func head(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) -> HTTPResponseHead {
        var headers = headers
        ResponseHeaders.add(to: &headers)
        if let origin {
            headers.replaceOrAdd(name: "Access-Control-Allow-Origin", value: origin)
            headers.replaceOrAdd(name: "Access-Control-Expose-Headers", value: "ETag, Retry-After")
            headers.add(name: "Vary", value: "Origin")
        }
        if !keepsAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
        return HTTPResponseHead(version: version, status: status, headers: headers)
    }

    /// Ends the response, on the event loop.
    private func finish() {
        let sent = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !keepsAlive { sent.whenComplete { [channel] _ in channel.close(promise: nil) } }
    }

    // MARK: Streams

    func begin(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) {
        lock.withLock {
            hasBegun = true
            isGone = isGone || isHead
        }
        var headers = headers
        if isHead { headers.replaceOrAdd(name: "Connection", value: "close") }
        let head = head(status, headers)
        channel.eventLoop.execute { [self] in
            let sent = channel.writeAndFlush(HTTPServerResponsePart.head(head))
            // Without a body there is nothing that would mark its end.
            if isHead { sent.whenComplete { [channel] _ in channel.close(promise: nil) } }
        }
    }

    /// Sends a part of the body, after waiting for the client if it reads slowly.
    ///
    /// - Parameters:
    ///   - patience: The time in tenths of a second in which the client must read something.
    ///   - isStopped: Returns whether to wait no longer.
    /// - Throws: ``PlatformError`` with `brokenPipe` if the client has left, or does not read.
    func write(
        _ bytes: UnsafeRawBufferPointer, patience: Int = responsePatience,
        isStopped: () -> Bool
    ) throws(PlatformError) {
        guard !bytes.isEmpty else { return }
        try reserve(patience, isStopped)
        send(ByteBuffer(bytes: bytes))
    }

    /// Sends bytes without waiting.
    func send(_ buffer: ByteBuffer) { Exchange.send([(self, buffer)]) }

    /// Sends bytes to several clients without waiting, with one step of each event loop.
    static func send(_ parts: [(exchange: Exchange, buffer: ByteBuffer)]) {
        var loops: [(loop: any EventLoop, parts: [(Exchange, ByteBuffer)])] = []
        for (exchange, buffer) in parts {
            exchange.lock.withLock { exchange.pendingByteCount += buffer.readableBytes }
            let loop = exchange.channel.eventLoop
            if let index = loops.firstIndex(where: { $0.loop === loop }) {
                loops[index].parts.append((exchange, buffer))
            } else {
                loops.append((loop, [(exchange, buffer)]))
            }
        }
        for (loop, parts) in loops {
            // Promises are made on the event loop: one that has ended would lose them.
            loop.execute { for (exchange, buffer) in parts { exchange.put(buffer) } }
        }
    }

    /// Sends bytes that are counted as pending, on the event loop.
    private func put(_ buffer: ByteBuffer) {
        let count = buffer.readableBytes
        let sent = channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer)))
        sent.whenComplete { [self] result in
            lock.withLock {
                pendingByteCount -= count
                if case .failure = result { isGone = true }
            }
            condition.wakeAll()
        }
    }

    /// Waits until more bytes may be on their way.
    private func reserve(_ patience: Int, _ isStopped: () -> Bool) throws(PlatformError) {
        let isStalled = lock.withLock { () -> Bool in
            var (waitCount, before) = (0, pendingByteCount)
            while !isGone, pendingByteCount > Exchange.pendingByteCountMaximum {
                condition.wait(lock, nanoseconds: Exchange.waitNanoseconds)
                waitCount = pendingByteCount == before ? waitCount + 1 : 0
                before = pendingByteCount
                if waitCount > patience || isStopped() { return true }
            }
            return false
        }
        if isStalled {
            abort()
            abandon()
        }
        guard !isAbandoned else {
            throw PlatformError(.brokenPipe, operation: "send a response", path: "")
        }
    }

    func end() { channel.eventLoop.execute { [self] in finish() } }

    /// Closes the connection, so that the client does not mistake the response for a complete one.
    func abort() { channel.close(promise: nil) }
}
