import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues
import NIOCore
import NIOHTTP1

/// The live queries of the server, and the clients that are catching up before they join one.
final class StreamHubs: Sendable {
    private struct State {
        var hubs: [StreamQuery: StreamHub] = [:]
        var isEnding = false
        /// The number of hubs whose run has not ended.
        var runningCount = 0
    }

    private static let runCountMaximum = 32

    private let files: ServedFiles
    private let countMaximum: Int
    private let state = Guarded(State())
    /// The runs of clients that are catching up.
    private let runs = RequestWorkers(countMaximum: runCountMaximum, waitingMaximum: 100_000)

    /// - Parameter countMaximum: The number of different live queries.
    init(_ files: ServedFiles, countMaximum: Int) {
        self.files = files
        self.countMaximum = countMaximum
    }

    var isEmpty: Bool { state.withLock { $0.hubs.isEmpty } && runs.isIdle }

    private var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Lets a client catch up, and then follow.
    func add(_ subscriber: StreamSubscriber) {
        let isAccepted = runs.run { [self] in
            follow(subscriber, isBehind: false)
        }
        if !isAccepted { refuse(subscriber, Problem.ending) }
    }

    // MARK: Catching up

    private func follow(_ subscriber: StreamSubscriber, isBehind: Bool) {
        do throws(Problem) {
            if isBehind { try tell(subscriber) }
            repeat {
                try catchUp(subscriber)
                if subscriber.exchange.isAbandoned { return }
                if isEnding { return finish(subscriber) }
            } while try !join(subscriber)
        } catch {
            // The end of the server stops a run, too.
            isEnding ? finish(subscriber) : refuse(subscriber, error)
        }
    }

    /// Tells a client that it reads too slowly, after waiting until it reads again.
    private func tell(_ subscriber: StreamSubscriber) throws(Problem) {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "coalesced")
        json.add("version", Int64(clamping: subscriber.version))
        json.add("reason", "the client reads more slowly than the database changes")
        try send(Array("event: coalesced\ndata: \(json.text)\n\n".utf8), to: subscriber)
    }

    private func catchUp(_ subscriber: StreamSubscriber) throws(Problem) {
        let isFirst = !subscriber.exchange.hasStarted
        let sink = LineSink { line throws(PlatformError) in
            // The end of this run is not the end of the stream.
            guard line.type != "end", line.type != "resume" || isFirst else {
                return subscriber.skip(line)
            }
            StreamHubs.begin(subscriber.exchange)
            try self.put(subscriber.take(line) ?? line.bytes, to: subscriber)
        }
        let command = ServedCommand(
            words: subscriber.query.catchUp(
                after: subscriber.token, initial: subscriber.initial))
        try command.run(files, to: sink) { [self] in
            subscriber.exchange.isAbandoned || isEnding
        }
    }

    /// Begins the response, unless it has begun.
    private static func begin(_ exchange: Exchange) {
        guard !exchange.hasStarted else { return }
        exchange.begin(
            .ok,
            [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store",
                // A proxy must not wait for more lines.
                "X-Accel-Buffering": "no",
            ])
    }

    private func send(_ bytes: [UInt8], to subscriber: StreamSubscriber) throws(Problem) {
        do throws(PlatformError) { try put(bytes, to: subscriber) } catch { throw Problem.ending }
    }

    private func put(_ bytes: [UInt8], to subscriber: StreamSubscriber) throws(PlatformError) {
        let sent = bytes.withUnsafeBytes { bytes in
            Result { () throws(PlatformError) in
                try subscriber.exchange.write(bytes, patience: Exchange.streamPatience) {
                    isEnding
                }
            }
        }
        try sent.get()
    }

    // MARK: Following

    /// - Returns: `false` if the client must catch up again.
    private func join(
        _ subscriber: StreamSubscriber
    ) throws(Problem) -> Bool {
        guard let token = subscriber.token else {
            throw Problem(.internalServerError, .internalError, "the stream has no position")
        }
        let clock = files.services.clock
        let found = state.withLock { state -> (hub: StreamHub, isNew: Bool)? in
            if let hub = state.hubs[subscriber.query] { return (hub, false) }
            guard state.hubs.count < countMaximum else { return nil }
            let hub = StreamHub(subscriber.query, after: subscriber.version, clock)
            state.hubs[subscriber.query] = hub
            state.runningCount += 1
            return (hub, true)
        }
        guard let (hub, isNew) = found else {
            throw Problem(
                .serviceUnavailable, .limitExceeded,
                "\(countMaximum) different queries are observed already",
                remedy: "try again, or start the server with a larger --max-streams")
        }
        let hasJoined = hub.join(subscriber)
        if isNew { start(hub, after: token) }
        return hasJoined
    }

    private func start(_ hub: StreamHub, after token: String) {
        do throws(PlatformError) {
            _ = try WorkerThread(stackBytes: 8 << 20) { [self] in run(hub, after: token) }
        } catch {
            leave(
                hub,
                Problem(
                    .serviceUnavailable, .limitExceeded, "no thread is left for another query"))
        }
    }

    private func run(_ hub: StreamHub, after token: String) {
        let sink = LineSink { [self] line throws(PlatformError) in
            switch line.type {
            case "resume", "end": return
            case "reset":
                // Each client gets the reset, and all objects, from a run of its own.
                throw PlatformError(.brokenPipe, operation: "follow", path: "")
            default: break
            }
            for slow in hub.deliver(line) { fallBehind(slow) }
        }
        do throws(Problem) {
            try ServedCommand(words: hub.query.follow(after: token)).run(files, to: sink) {
                [self] in hub.isUnused || isEnding
            }
            leave(hub)
        } catch {
            // After an interruption, each client goes on with a run of its own.
            leave(hub, error.diagnostic.slug == .queryCancelled ? nil : error)
        }
    }

    /// Removes a hub that has ended.
    ///
    /// - Parameter problem: The error for its clients; `nil` if they go on.
    private func leave(_ hub: StreamHub, _ problem: Problem? = nil) {
        state.withLock { state in
            if state.hubs[hub.query] === hub { state.hubs[hub.query] = nil }
        }
        defer { state.withLock { $0.runningCount -= 1 } }
        for subscriber in hub.end() {
            if isEnding {
                finish(subscriber)
            } else if let problem {
                refuse(subscriber, problem)
            } else {
                add(subscriber)
            }
        }
    }

    private func fallBehind(_ subscriber: StreamSubscriber) {
        let isAccepted = runs.run { [self] in
            follow(subscriber, isBehind: true)
        }
        if !isAccepted { subscriber.exchange.abort() }
    }

    // MARK: Ending

    /// Sends the last event of a stream, after which a client may connect again.
    private func finish(_ subscriber: StreamSubscriber) {
        guard subscriber.exchange.hasStarted else { return refuse(subscriber, Problem.ending) }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "end")
        json.add("version", Int64(clamping: subscriber.version))
        json.add("reason", StreamHubs.endReason)
        let text = "event: end\ndata: \(json.text)\n\n"
        subscriber.exchange.send(ByteBuffer(string: text))
        subscriber.exchange.end()
    }

    private static let endReason = "terminated"

    /// Ends a stream with an error.
    private func refuse(_ subscriber: StreamSubscriber, _ problem: Problem) {
        let exchange = subscriber.exchange
        guard exchange.hasStarted else { return exchange.respond(Response(problem)) }
        exchange.send(
            ByteBuffer(string: "event: error\ndata: \(problem.json)\n\n"))
        exchange.end()
    }

    /// Ends all streams, and waits for the last event of each.
    func end(waitNanoseconds nanoseconds: UInt64) {
        state.withLock { $0.isEnding = true }
        runs.end(waitNanoseconds: nanoseconds)
        let clock = files.services.clock
        let start = clock.monotonicNanoseconds()
        while state.withLock({ $0.runningCount > 0 }),
            clock.monotonicNanoseconds() &- start < nanoseconds
        {
            clock.sleep(nanoseconds: 1_000_000)
        }
    }
}
