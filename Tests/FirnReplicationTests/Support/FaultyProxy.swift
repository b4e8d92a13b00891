import FirnPlatform
import FirnTesting
import Glibc

/// A connection between clients and a PostgreSQL server that loses what it should carry.
///
/// It listens on a socket of its own, and connects each client to the server. The bytes of the
/// first connection after ``set(_:)`` are counted in each direction; where its limit is reached,
/// the connection is cut or stalls.
final class FaultyProxy: Sendable {
    /// What happens to the next connection.
    struct Fault: Sendable {
        /// The bytes that still reach the server; all if `nil`.
        var toServer: Int?
        /// The bytes that still reach the client; all if `nil`.
        var toClient: Int?
        /// Whether the connection stays open without carrying anything, instead of being cut.
        var stalls = false
        /// Whether the connection stays open, and what the client sends is not even received.
        var isDeaf = false
        /// The time by which each piece of up to 64 KiB is late, in milliseconds.
        var delayMilliseconds: Int32 = 0
    }

    private let listener: Int32
    private let server: String
    private let shared = Guarded(State())

    private struct State {
        var fault = Fault()
        var hasEnded = false
        /// The bytes of the last connection.
        var toServer = 0
        var toClient = 0
    }

    /// The keywords of libpq that lead here.
    let address: String

    /// - Parameter address: The keywords of libpq for the server.
    init(to address: String, in folder: String) throws {
        let host = try present(
            address.split(separator: " ").first { $0.hasPrefix("host=") }.map { $0.dropFirst(5) })
        server = "\(host)/.s.PGSQL.5432"
        listener = try FaultyProxy.listen(folder + "/.s.PGSQL.5432")
        self.address = address.replacing(String(host), with: folder)
        _ = try WorkerThread { [self] in accept() }
    }

    func end() { shared.withLock { $0.hasEnded = true } }

    func set(_ fault: Fault) {
        shared.withLock { state in
            state.fault = fault
            state.toServer = 0
            state.toClient = 0
        }
    }

    /// The bytes that the connections since ``set(_:)`` carried.
    var carried: (toServer: Int, toClient: Int) {
        shared.withLock { ($0.toServer, $0.toClient) }
    }

    // MARK: Sockets

    /// A program that inherits a connection would keep it open.
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func listen(_ path: String) throws -> Int32 {
        let socket = Glibc.socket(AF_UNIX, FaultyProxy.kind, 0)
        let isBound = withAddress(path) { bind(socket, $0, $1) } == 0
        guard isBound, Glibc.listen(socket, 64) == 0 else {
            throw ProgramError("no socket at \(path)")
        }
        return socket
    }

    private func accept() {
        while !shared.withLock({ $0.hasEnded }) {
            guard DescriptorWait.readable([listener], milliseconds: 50) == [true] else { continue }
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { continue }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            let upstream = Glibc.socket(AF_UNIX, FaultyProxy.kind, 0)
            guard FaultyProxy.withAddress(server, { connect(upstream, $0, $1) }) == 0,
                (try? WorkerThread { [self] in carry(client, upstream) }) != nil
            else {
                close(client)
                close(upstream)
                continue
            }
        }
        close(listener)
    }

    private func carry(_ client: Int32, _ upstream: Int32) {
        defer {
            for socket in [client, upstream] {
                shutdown(socket, Int32(SHUT_RDWR))
                close(socket)
            }
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !shared.withLock({ $0.hasEnded }) {
            let fault = shared.withLock { $0.fault }
            let ready = DescriptorWait.readable(
                [fault.isDeaf ? -1 : client, upstream], milliseconds: 50)
            for (source, isReady) in zip([client, upstream], ready) where isReady {
                let count = read(source, &buffer, buffer.count)
                guard count > 0 else { return }
                if fault.delayMilliseconds > 0 {
                    _ = DescriptorWait.readable([], milliseconds: fault.delayMilliseconds)
                }
                let isRequest = source == client
                let allowed = allowance(of: count, isRequest)
                var sent = 0
                while sent < allowed.count {
                    let written = buffer.withUnsafeBytes { bytes in
                        send(
                            isRequest ? upstream : client, bytes.baseAddress.map { $0 + sent },
                            allowed.count - sent, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { return }
                    sent += written
                }
                if allowed.isCut { return }
            }
        }
    }

    /// Returns how many of some bytes are carried, and whether the connection is cut after them.
    private func allowance(of count: Int, _ isRequest: Bool) -> (count: Int, isCut: Bool) {
        shared.withLock { state in
            let carried = isRequest ? state.toServer : state.toClient
            let limit = isRequest ? state.fault.toServer : state.fault.toClient
            let allowed = min(count, max(0, (limit ?? .max) - carried))
            if isRequest { state.toServer += allowed } else { state.toClient += allowed }
            return (allowed, allowed < count && !state.fault.stalls)
        }
    }
}
