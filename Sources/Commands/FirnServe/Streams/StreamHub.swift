import FirnPlatform
import FirnTools
import FirnValues
import NIOCore

/// A live query that delivers each commit to all clients that have asked for it.
///
/// The newest lines are kept, so that a client that has caught up with an older position can join:
///
///     versions   ... start ............ position
///     lines          | kept lines      |
///     a client            ^ joins anywhere from the start on
final class StreamHub: @unchecked Sendable {
    private static let keptByteCountMaximum = 1 << 20
    /// The time in nanoseconds for which a hub without clients waits for the next one.
    private static let lingerNanoseconds: UInt64 = 2_000_000_000

    /// A client, and the version up to which it had received everything when it joined.
    private struct Follower {
        let subscriber: StreamSubscriber
        let joined: UInt64
    }

    let query: StreamQuery
    private let clock: any Clock
    private let lock = Lock()
    /// The following fields are protected by the lock.
    private var followers: [Follower] = []
    private var kept: [(line: StreamLine, buffer: ByteBuffer)] = []
    private var keptByteCount = 0
    /// The version after which every line is kept or still to come.
    private var start: UInt64
    private var isOver = false
    private var emptySince: UInt64

    /// - Parameter version: The version after which the hub delivers commits.
    init(_ query: StreamQuery, after version: UInt64, _ clock: any Clock) {
        self.query = query
        self.clock = clock
        start = version
        emptySince = clock.monotonicNanoseconds()
    }

    /// Whether the hub is no longer needed.
    var isUnused: Bool {
        let now = clock.monotonicNanoseconds()
        return lock.withLock {
            isOver || followers.isEmpty && now &- emptySince > StreamHub.lingerNanoseconds
        }
    }

    /// Adds a client that has received everything up to its position.
    ///
    /// - Returns: `false` if lines after that position are no longer kept, or if the hub has ended.
    func join(_ subscriber: StreamSubscriber) -> Bool {
        lock.withLock {
            let joined = subscriber.version
            guard !isOver, joined >= start else { return false }
            for item in kept where item.line.version > joined {
                subscriber.exchange.send(own(item.line, item.buffer, for: subscriber))
            }
            followers.append(Follower(subscriber: subscriber, joined: joined))
            return true
        }
    }

    /// Delivers a line.
    ///
    /// - Returns: The clients that read too slowly; they have left the hub.
    func deliver(_ line: StreamLine) -> [StreamSubscriber] {
        let buffer = ByteBuffer(bytes: line.bytes)
        return lock.withLock {
            keep(line, buffer)
            var slow: [StreamSubscriber] = []
            var parts: [(exchange: Exchange, buffer: ByteBuffer)] = []
            followers.removeAll { follower in
                let subscriber = follower.subscriber
                if subscriber.exchange.isAbandoned { return true }
                if subscriber.exchange.isFull {
                    slow.append(subscriber)
                    return true
                }
                // The client caught up beyond the hub. A heartbeat has the version of the last commit.
                let isNews = line.version > follower.joined
                let isHeartbeat = line.type == "heartbeat" && line.version == follower.joined
                guard isNews || isHeartbeat else { return false }
                parts.append((subscriber.exchange, own(line, buffer, for: subscriber)))
                return false
            }
            Exchange.send(parts)
            if followers.isEmpty { emptySince = clock.monotonicNanoseconds() }
            return slow
        }
    }

    /// Returns the event as a client must receive it.
    private func own(
        _ line: StreamLine, _ buffer: ByteBuffer, for subscriber: StreamSubscriber
    ) -> ByteBuffer {
        subscriber.take(line).map { ByteBuffer(bytes: $0) } ?? buffer
    }

    /// Returns the size of a line, whose bytes are kept twice: to be sent, and to be changed for
    /// one client.
    private static func byteCount(_ line: StreamLine) -> Int { 2 * line.bytes.count }

    private func keep(_ line: StreamLine, _ buffer: ByteBuffer) {
        guard line.type != "heartbeat" else { return }
        kept.append((line, buffer))
        keptByteCount += StreamHub.byteCount(line)
        while keptByteCount > StreamHub.keptByteCountMaximum, kept.count > 1 {
            let oldest = kept.removeFirst()
            keptByteCount -= StreamHub.byteCount(oldest.line)
            start = max(start, oldest.line.version)
        }
    }

    /// Ends the hub.
    ///
    /// - Returns: The clients, which must go on in another way.
    func end() -> [StreamSubscriber] {
        lock.withLock {
            isOver = true
            defer { followers = [] }
            return followers.map(\.subscriber)
        }
    }
}
