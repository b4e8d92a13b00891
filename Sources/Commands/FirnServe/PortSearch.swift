import FirnValues
import NIOCore
import NIOPosix

/// A search for a port that another program does not use.
enum PortSearch {
    /// Returns the next free port, or `nil` if there is none among the next hundred.
    static func free(after port: Int, host: String) -> Int? {
        let group = MultiThreadedEventLoopGroup.singleton
        return (port + 1..<min(port + 101, 65_536)).first { candidate in
            guard
                let channel = try? ServerBootstrap(group: group)
                    .bind(host: host, port: candidate).wait()
            else { return false }
            return (try? channel.close().wait()) != nil
        }
    }
}
