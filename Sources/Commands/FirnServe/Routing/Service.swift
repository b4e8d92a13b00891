import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues
import NIOCore
import NIOHTTP1

/// The server without its sockets: it answers the requests of all connections.
final class Service: Sendable {
    let options: ServeOptions
    let files: ServedFiles
    let policy: AccessPolicy
    let services: SystemServices
    let workers: RequestWorkers
    let streams: StreamHubs
    let replies = WriteReplies()
    let running = RunningRequests()
    /// The bodies that arrive.
    let bodies: Budget
    /// The threads of short requests, which must not wait for long ones.
    private let shortWorkers = RequestWorkers(countMaximum: 2, waitingMaximum: 256)
    let router: Router
    private let ending = Guarded(false)
    /// The time of the last request, and the number of requests in progress.
    private let activity = Guarded<(last: UInt64, count: Int)>((0, 0))

    init(
        _ options: ServeOptions, _ files: ServedFiles, _ policy: AccessPolicy, _ router: Router
    ) {
        self.options = options
        self.policy = policy
        self.router = router
        self.files = files
        services = files.services
        workers = RequestWorkers(
            countMaximum: options.queryCountMaximum, waitingMaximum: options.waitingCountMaximum)
        streams = StreamHubs(files, countMaximum: options.streamCountMaximum)
        bodies = Budget(maximum: Int(clamping: 4 * options.bodyByteCountMaximum))
        activity.withLock { $0.last = services.clock.monotonicNanoseconds() }
    }

    /// Whether the server accepts no more requests.
    var isEnding: Bool { ending.withLock { $0 } }

    /// Returns the time limit of a request in nanoseconds.
    func timeNanoseconds(_ arguments: Arguments) -> UInt64 {
        let limit = options.timeNanoseconds
        guard let text = arguments["timeout"], let seconds = UInt64(text) else { return limit }
        return min(limit, seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
    }

    // MARK: Requests

    /// Returns the reason to refuse a request before its body arrives, or `nil`.
    func refusal(of head: HTTPRequestHead) -> Problem? {
        do throws(Problem) {
            guard !isEnding else { throw Problem.ending }
            try policy.checkSource(head.headers)
            if head.method != .OPTIONS { try policy.checkToken(head.headers) }
            return nil
        } catch {
            return error
        }
    }

    /// Answers a request, on its event loop.
    func handle(_ head: HTTPRequestHead, _ body: [UInt8], _ exchange: Exchange) {
        do throws(Problem) {
            guard !isEnding else { throw Problem.ending }
            let uri = head.uri[...]
            let path = uri.prefix { $0 != "?" }
            guard let items = QueryItems(uri.dropFirst(path.count + 1)) else {
                throw .parameter("the URL has an invalid percent encoding")
            }
            try policy.checkSource(head.headers)
            exchange.origin = head.headers.first(name: "Origin")
            if answerPreflight(head, exchange) { return }
            if answerPage(String(path), items, head, exchange) { return }
            try policy.checkToken(head.headers)
            let route = try router.route(head.method, String(path))
            let call = Call(
                service: self,
                request: Request(
                    method: head.method, path: String(path), items: items, headers: head.headers,
                    body: body),
                arguments: try Arguments(items, of: route.parameters), exchange: exchange)
            let workers: RequestWorkers
            switch route.effort {
            case .none: return perform(route, call)
            case .short: workers = shortWorkers
            case .any: workers = self.workers
            }
            noteRequest(1)
            let isAccepted = workers.run { [self] in
                perform(route, call)
                noteRequest(-1)
            }
            guard !isAccepted else { return }
            noteRequest(-1)
            throw Problem(
                .serviceUnavailable, .lockHeld,
                "\(options.queryCountMaximum) requests are running, and more are waiting",
                remedy: "try again, or start the server with a larger --max-queries")
        } catch {
            exchange.respond(Response(error))
        }
    }

    /// Answers a request for the page.
    private func answerPage(
        _ path: String, _ items: QueryItems, _ head: HTTPRequestHead, _ exchange: Exchange
    ) -> Bool {
        guard head.method == .GET || head.method == .HEAD,
            let page = Page.response(path, head.headers)
        else { return false }
        if let token = policy.token, let given = items.values("token").first {
            exchange.respond(
                token.matches(given) ? Page.remembering(token, as: policy.cookieName) : Page.locked)
        } else if (try? policy.checkToken(head.headers)) == nil {
            exchange.respond(Page.locked)
        } else {
            exchange.respond(page)
        }
        return true
    }

    private func perform(_ route: Route, _ call: Call) {
        do throws(Problem) { try route.answer(call) } catch {
            call.exchange.respond(Response(error))
        }
    }

    /// Answers a browser's question whether a page may send a request.
    private func answerPreflight(_ head: HTTPRequestHead, _ exchange: Exchange) -> Bool {
        guard head.method == .OPTIONS, exchange.origin != nil else { return false }
        exchange.respond(
            Response(
                .noContent, type: "", [],
                [
                    "Access-Control-Allow-Methods": "GET, POST",
                    "Access-Control-Allow-Headers":
                        "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, "
                        + "Last-Event-ID, X-Request-ID",
                ]))
        return true
    }

    // MARK: Ending

    /// The time in nanoseconds since the last request ended; 0 while one is running.
    var idleNanoseconds: UInt64 {
        let (last, count) = activity.withLock { $0 }
        guard count == 0, streams.isEmpty else { return 0 }
        return services.clock.monotonicNanoseconds() &- last
    }

    private func noteRequest(_ change: Int) {
        let now = services.clock.monotonicNanoseconds()
        activity.withLock { $0 = (now, $0.count + change) }
    }

    /// Ends all streams, and waits for running requests.
    ///
    /// - Parameter nanoseconds: The time to wait.
    func end(waitNanoseconds nanoseconds: UInt64) {
        ending.withLock { $0 = true }
        streams.end(waitNanoseconds: nanoseconds)
        workers.end(waitNanoseconds: nanoseconds)
        shortWorkers.end(waitNanoseconds: nanoseconds)
    }
}
