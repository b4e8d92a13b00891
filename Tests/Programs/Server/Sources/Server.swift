import Dispatch
import Firn
import Foundation
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix

/// A server that counts the visits of pages in a realm.
///
/// SIGTERM ends it after the requests that are in progress.
@main
struct Server {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let port = Int(words[1]) else {
            fatalError("usage: server PORT FILE     port 0 is any free one, which is printed")
        }
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: words[2]), objectTypes: [Page.self])
        let watcher = Watcher()
        try await watcher.start(configuration)
        try await serve(
            port, Connection(visits: Visits(configuration: configuration), watcher: watcher))
        await watcher.stop()
    }

    private static func serve(_ port: Int, _ connection: Connection) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection.Channel(wrappingChannelSynchronously: channel)
                }
            }
        print(server.channel.localAddress?.port ?? port)
        fflush(nil)
        let signals = stopAtSignal(quiescing, group.next())
        defer { signals.cancel() }
        try await withThrowingDiscardingTaskGroup { tasks in
            try await server.executeThenClose { connections in
                for try await channel in connections {
                    tasks.addTask {
                        // A client that disappears ends its own connection only.
                        try? await connection.serve(channel)
                    }
                }
            }
        }
    }

    /// Ends the server when the process is asked to stop.
    private static func stopAtSignal(
        _ quiescing: ServerQuiescingHelper, _ loop: any EventLoop
    ) -> any DispatchSourceSignal {
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        source.setEventHandler { quiescing.initiateShutdown(promise: loop.makePromise()) }
        source.resume()
        return source
    }
}
