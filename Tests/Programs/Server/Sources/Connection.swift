import NIOCore
import NIOHTTP1
import NIOPosix

/// The requests of one connection, one after the other.
struct Connection: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let visits: Visits
    let watcher: Watcher

    func serve(_ channel: Channel) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            for try await part in inbound {
                switch part {
                case .head(let received): head = received
                case .body: break
                case .end:
                    guard let request = head else { continue }
                    head = nil
                    let answer = try await answer(request)
                    try await send(answer, to: request, outbound)
                    if !request.isKeepAlive { return }
                }
            }
        }
    }

    private func answer(_ request: HTTPRequestHead) async throws -> Visits.Answer {
        if request.method == .GET, request.uri == "/changes" {
            let (notifications, visits) = await (watcher.notificationCount, watcher.visitCount)
            return Visits.Answer(status: 200, body: "\(notifications) \(visits)\n")
        }
        // A realm waits for the disk, which the threads of the event loop must not.
        return try await NIOThreadPool.singleton.runIfActive { [visits] in
            try visits.answer(request.method.rawValue, request.uri)
        }
    }

    private func send(
        _ answer: Visits.Answer, to request: HTTPRequestHead,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        let headers: HTTPHeaders = [
            "content-type": "text/plain", "content-length": "\(answer.body.utf8.count)",
            "connection": request.isKeepAlive ? "keep-alive" : "close",
        ]
        let head = HTTPResponseHead(
            version: request.version, status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers)
        try await outbound.write(contentsOf: [
            .head(head), .body(.byteBuffer(ByteBuffer(string: answer.body))), .end(nil),
        ])
    }
}
