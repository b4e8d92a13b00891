#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A connection that sends bytes as they are, so that tests can send what no client would.
package final class HTTPConnection {
    package struct Reply {
        package let status: Int
        package let headers: [String: String]
        package var body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The reason why a test cannot go on.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    ///
    /// - Parameter receiveByteCount: The size of the buffer of the system; 0 for its default.
    package init(port: Int, receiveByteCount: Int32 = 0) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure("no socket") }
        if receiveByteCount > 0 {
            var size = receiveByteCount
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // A reply that never comes must not stop the tests.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure("cannot connect to port \(port): \(errno)") }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                HTTPConnection.put($0, descriptor)
            }
            guard count > 0 else { throw Failure("the connection is closed: \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// A closed connection is an error, and not a signal.
    private static func put(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int {
        #if canImport(Glibc)
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
    }

    /// Ends sending; what is on its way still arrives.
    package func endSending() {
        #if canImport(Glibc)
        shutdown(descriptor, Int32(SHUT_WR))
        #else
        shutdown(descriptor, SHUT_WR)
        #endif
    }

    /// Reads some bytes.
    ///
    /// - Returns: `false` at the end.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0, errno == EAGAIN { throw Failure("nothing arrives") }
        guard count > 0 else { return false }
        received += piece.prefix(count)
        return true
    }

    /// Returns everything up to the end of the connection, or what has arrived when nothing follows.
    ///
    /// - Parameters:
    ///   - patienceMilliseconds: How long to wait for more.
    ///   - isEnough: Returns whether not to wait for the end.
    /// - Throws: ``Failure`` if the connection does not end.
    package func available(
        patienceMilliseconds: Int, isEnough: ([UInt8]) -> Bool
    ) throws -> [UInt8] {
        var limit = timeval(
            tv_sec: patienceMilliseconds / 1_000,
            tv_usec: .init(patienceMilliseconds % 1_000 * 1_000))
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        while !isEnough(received), try fill() {}
        defer { received = [] }
        return received
    }

    /// Returns everything up to the end of the connection.
    package func rest() throws -> [UInt8] {
        while try fill() {}
        defer { received = [] }
        return received
    }

    /// Reads up to and including some bytes.
    package func read(through mark: String) throws -> String {
        let mark = Array(mark.utf8)
        var start = 0
        while true {
            let found = received.indices.dropFirst(start).first {
                received[$0...].starts(with: mark)
            }
            if let found {
                let text = String(decoding: received[..<(found + mark.count)], as: UTF8.self)
                received.removeFirst(found + mark.count)
                return text
            }
            start = max(0, received.count - mark.count)
            guard try fill() else {
                throw Failure("ended after \(String(decoding: received, as: UTF8.self))")
            }
        }
    }

    /// Reads a reply whose body has a length or is chunked.
    ///
    /// - Parameter hasBody: Whether a body follows; not after HEAD.
    package func reply(hasBody: Bool = true) throws -> Reply {
        let head = try read(through: "\r\n\r\n").split(separator: "\r\n")
        let status = head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var headers: [String: String] = [:]
        for line in head.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            headers[pair[0].lowercased()] = pair.count > 1 ? String(pair[1].dropFirst()) : ""
        }
        var reply = Reply(status: status, headers: headers, body: [])
        guard hasBody else { return reply }
        if let length = headers["content-length"].flatMap({ Int($0) }) {
            reply.body = try take(length)
        } else if headers["transfer-encoding"] == "chunked" {
            while case let part = try chunk(), !part.isEmpty { reply.body += part }
        }
        return reply
    }

    /// Reads one chunk of a reply whose head was read; empty at the end.
    package func chunk() throws -> [UInt8] {
        let size = Int(try read(through: "\r\n").dropLast(1), radix: 16)
        guard let size else { throw Failure("no chunk") }
        let part = try take(size)
        _ = try take(2)
        return part
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count < count {
            guard try fill() else { throw Failure("a reply was cut off") }
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }
}
