import FirnPlatform
import FirnValues

/// A version in memory, and where in the log the next one stands.
struct LogHead: Sendable {
    let snapshot: Snapshot
    let place: LogAddress

    var lsn: LSN { place.lsn }
    var rootVersion: RootVersion { snapshot.root.superblock.rootVersion }
}

/// The newest versions that this process knows, oldest first.
///
/// The first one is durable. The others were appended to the log here, and wait for their sync; they
/// are what the next transaction of this process begins with.
struct VersionChain: Sendable {
    private(set) var durable: LogHead?
    private var pending: [LogHead] = []
    /// Where the commits stand that follow the newest versions, oldest first: whoever watches the
    /// data reads on from there.
    private var places: [LogAddress] = []

    /// How many of them are remembered.
    private static let placeCountMaximum = 256

    /// Where the commit after a version stands, if that was one of the newest.
    ///
    /// - Complexity: O(log versions)
    func place(behind lsn: LSN) -> LogAddress? {
        Bisection.lastIndex(in: places) { $0.lsn <= lsn }.map { places[$0] }
            .flatMap { $0.lsn == lsn ? $0 : nil }
    }

    private mutating func note(_ place: LogAddress) {
        if let last = places.last, last.lsn >= place.lsn { return }
        if places.count == 2 * VersionChain.placeCountMaximum {
            places.removeFirst(VersionChain.placeCountMaximum)
        }
        places.append(place)
    }

    /// The newest one, durable or not.
    var newest: LogHead? { pending.last ?? durable }

    /// The newest one that is not after a version.
    func newest(through lsn: LSN) -> LogHead? {
        pending.last { $0.lsn <= lsn } ?? durable.flatMap { $0.lsn <= lsn ? $0 : nil }
    }

    /// Adds a version that this process appended.
    mutating func append(_ head: LogHead) {
        pending.append(head)
        note(head.place)
    }

    /// Notes that everything up to a version is durable.
    mutating func noteDurable(through lsn: LSN) {
        guard let index = pending.lastIndex(where: { $0.lsn <= lsn }) else { return }
        let head = pending[index]
        pending.removeSubrange(...index)
        if let durable, durable.lsn > head.lsn { return }
        durable = head
    }

    /// Takes a version that was made from files and the log, unless a newer one is known.
    ///
    /// Of two that say the same, the one on the newer root stays: it is the shorter way to say it.
    mutating func adopt(_ head: LogHead, isDurable: Bool) {
        note(head.place)
        pending.removeAll { $0.lsn <= head.lsn && $0.rootVersion <= head.rootVersion }
        guard isDurable else {
            if pending.last.map({ $0.lsn < head.lsn }) ?? true { pending.append(head) }
            return
        }
        if let durable, durable.lsn > head.lsn || durable.rootVersion > head.rootVersion { return }
        durable = head
    }
}
