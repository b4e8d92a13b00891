import FirnFormats
import FirnTools
import FirnValues
import NIOCore
import NIOHTTP1

/// The requests of one connection, one after another.
///
/// A connection that has not sent a complete request within a time limit is closed, however slowly
/// its bytes arrive.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: Service
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// The bytes of the body that count against the limit of all connections.
    private var bodyByteCount = 0
    /// The response in progress.
    private var exchange: Exchange?
    private var deadline: Scheduled<Void>?
    /// Whether a request was refused before it was complete, so that its rest is ignored.
    private var isRefusing = false

    init(_ service: Service) { self.service = service }

    func channelActive(context: ChannelHandlerContext) {
        setDeadline(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        service.bodies.giveBack(bodyByteCount)
        bodyByteCount = 0
        exchange?.abandon()
        exchange = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let part): add(part, context)
        case .end: complete(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder has answered a malformed request with 400.
        context.close(promise: nil)
    }

    // MARK: Requests

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard !isRefusing else { return }
        self.head = head
        body.clear()
        // The body of a request that is refused anyway is not read.
        let hasBody =
            head.headers.contains(name: "Content-Length")
            || head.headers.contains(name: "Transfer-Encoding")
        if hasBody, let problem = service.refusal(of: head) {
            return refuse(problem, context)
        }
        let length = head.headers.first(name: "Content-Length").flatMap { UInt64($0) } ?? 0
        if length > service.options.bodyByteCountMaximum { refuse(tooLarge, context) }
        // An expectation is met by the response to an empty body, too.
        if head.headers.first(name: "Expect")?.lowercased() == "100-continue", !isRefusing {
            let go = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
        }
    }

    private func add(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isRefusing else { return }
        guard service.bodies.take(part.readableBytes) else { return refuse(tooMany, context) }
        bodyByteCount += part.readableBytes
        var part = part
        body.writeBuffer(&part)
        if body.readableBytes > service.options.bodyByteCountMaximum { refuse(tooLarge, context) }
    }

    private func complete(_ context: ChannelHandlerContext) {
        guard !isRefusing, let head else { return }
        self.head = nil
        deadline?.cancel()
        let exchange = Exchange(context.channel, head)
        self.exchange = exchange
        service.handle(head, Array(body.readableBytesView), exchange)
        service.bodies.giveBack(bodyByteCount)
        bodyByteCount = 0
        body = ByteBuffer()
    }

    /// Answers a request before it is complete, and closes the connection.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        isRefusing = true
        service.bodies.giveBack(bodyByteCount)
        bodyByteCount = 0
        body.clear()
        let head = head ?? HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        let exchange = Exchange(context.channel, head, keepsAlive: false)
        self.exchange = exchange
        exchange.respond(Response(problem))
    }

    private var tooMany: Problem {
        Problem(
            .serviceUnavailable, .inputLimit, "too many large requests arrive at the same time",
            remedy: "try again")
    }

    private var tooLarge: Problem {
        Problem(
            .payloadTooLarge, .inputLimit, "the body is too large",
            remedy: "send at most \(service.options.bodyByteCountMaximum) bytes in one request")
    }

    // MARK: Time limits

    private func setDeadline(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(
            in: .nanoseconds(Int64(clamping: service.options.requestNanoseconds))
        ) {
            let (handler, context) = bound.value
            handler.missDeadline(context)
        }
    }

    private func missDeadline(_ context: ChannelHandlerContext) {
        guard exchange == nil, !isRefusing else { return }
        guard head != nil else { return context.close(promise: nil) }
        refuse(
            Problem(
                .requestTimeout, .commandTimeout, "the request did not arrive in time",
                remedy: "send it faster, or in smaller parts"), context)
    }
}

/// Tells the handler that a response was sent, so that the next request can begin.
extension ConnectionHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        if case .end = unwrapOutboundIn(data) {
            exchange = nil
            setDeadline(context)
        }
        context.write(data, promise: promise)
    }
}
