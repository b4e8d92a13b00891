import FirnEngine
package import FirnFormats
import FirnPlatform
package import FirnTools
import FirnValues
import NIOCore
import NIOHTTP1
import NIOPosix

/// The sockets of a server, from the first to the last.
///
///     init      listens; requests are answered from then on
///     end()     accepts no more connections, ends the streams, and waits for running requests
package final class Server: Sendable {
    private static let drainNanoseconds: UInt64 = 10_000_000_000

    private let service: Service
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let hasEnded = Guarded(false)
    /// The URL of the page, with the token; `nil` for a socket file.
    package let url: String?

    /// Starts a server.
    ///
    /// - Throws: ``CommandFailure`` if a file cannot be read, or if the address is in use.
    package init(
        _ options: ServeOptions, _ environment: CommandEnvironment = .real
    ) throws(CommandFailure) {
        var storeOptions = StoreOptions()
        storeOptions.statementByteCount = options.statementByteCount
        let files = try ServedFiles(options.files, environment, storeOptions)
        let connections = Budget(maximum: options.connectionCountMaximum)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.group = group
        // A connection may be accepted before the port is known, which the service needs.
        let ready = group.next().makePromise(of: Service.self)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                ready.futureResult.hop(to: channel.eventLoop).flatMapThrowing { service in
                    try Server.configure(channel, service, connections)
                }
            }
        do {
            channel = try Server.bind(bootstrap, options.address)
        } catch {
            ready.fail(error)
            try? group.syncShutdownGracefully()
            throw Server.failure(error, options.address)
        }
        let port = channel.localAddress?.port
        var token = options.token.flatMap { AccessToken($0) }
        // The permissions of a socket file decide.
        if token == nil, port != nil { token = AccessToken(environment.services.entropy) }
        let policy = AccessPolicy(
            hosts: Server.hosts(options, port), allowedOrigins: options.allowedOrigins,
            cookieName: AccessPolicy.cookieName(port: port), token: token)
        service = Service(options, files, policy, .standard)
        url = Server.url(options, port, token)
        ready.succeed(service)
    }

    /// Whether no request has arrived for a time.
    package func isIdle(nanoseconds: UInt64) -> Bool { service.idleNanoseconds >= nanoseconds }

    /// Ends the server, unless it has ended.
    package func end() {
        guard
            !hasEnded.withLock({ ended in
                defer { ended = true }
                return ended
            })
        else { return }
        try? channel.close().wait()
        service.end(waitNanoseconds: Server.drainNanoseconds)
        // After this, everything that was sent has been given to the system.
        try? group.next().submit {}.wait()
        try? group.syncShutdownGracefully()
    }

    // MARK: Sockets

    private static func bind(
        _ bootstrap: ServerBootstrap, _ address: ServeOptions.Address
    ) throws -> any Channel {
        switch address {
        case .port(let host, let port): try bootstrap.bind(host: host, port: port).wait()
        case .inherited(let descriptor): try bootstrap.withBoundSocket(descriptor).wait()
        case .socket(let path, let mode):
            try CreationMask.restricting(to: mode) {
                try bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true)
                    .wait()
            }
        }
    }

    private static func failure(
        _ error: any Error, _ address: ServeOptions.Address
    ) -> CommandFailure {
        let reason = (error as? IOError)?.errnoCode
        guard case .port(let host, let port) = address else {
            return .diagnostic(Diagnostic(.inputOutput, "cannot listen: \(error)"))
        }
        guard let reason, SocketEnd.isInUse(systemError: reason) else {
            return .diagnostic(
                Diagnostic(.inputOutput, "cannot listen on \(host), port \(port): \(error)"))
        }
        var diagnostic = Diagnostic(.lockHeld, "port \(port) is in use")
        if let free = PortSearch.free(after: port, host: host) {
            diagnostic.remedy = "the next free port is \(free): firn serve --port \(free)"
        }
        return .diagnostic(diagnostic)
    }

    private static func configure(
        _ channel: any Channel, _ service: Service, _ connections: Budget
    ) throws {
        guard connections.take(1) else {
            // Without an answer, a client would wait.
            let text =
                "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
                + "Content-Length: 0\r\n\r\n"
            channel.writeAndFlush(ByteBuffer(string: text)).whenComplete { _ in
                channel.close(promise: nil)
            }
            return
        }
        channel.closeFuture.whenComplete { _ in connections.giveBack(1) }
        let pipeline = channel.pipeline.syncOperations
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 64 << 10
        limits.maxHeaderListSize = 128 << 10
        limits.maxHeaderFieldCount = 100
        try pipeline.configureHTTPServerPipeline(
            withErrorHandling: true, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(ConnectionHandler(service))
    }

    // MARK: Names

    /// Returns the values of the header `Host` that mean this server.
    private static func hosts(_ options: ServeOptions, _ port: Int?) -> [String] {
        guard let port else { return [] }
        var names = ["127.0.0.1", "localhost", "[::1]"] + options.hosts
        if case .port(let host, _) = options.address {
            names.append(host.contains(":") ? "[\(host)]" : host)
        }
        // A proxy may use the port of its own address, or none.
        return names.map { "\($0.lowercased()):\(port)" } + options.hosts.map { $0.lowercased() }
            + (port == 80 ? names.map { $0.lowercased() } : [])
    }

    private static func url(
        _ options: ServeOptions, _ port: Int?, _ token: AccessToken?
    ) -> String? {
        guard let port, let token else { return nil }
        var host = "127.0.0.1"
        if case .port(let named, _) = options.address, named != "0.0.0.0", named != "::" {
            host = named.contains(":") ? "[\(named)]" : named
        }
        // A token of the user is known to the user, and must not be in a log.
        return "http://\(host):\(port)/" + (options.token == nil ? "?token=\(token.text)" : "")
    }
}
