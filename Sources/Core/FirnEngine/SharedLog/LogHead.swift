import FirnPlatform
import FirnValues

/// A version in memory, and the position of the next commit in the log.
struct LogHead: Sendable {
    let snapshot: Snapshot
    let address: LogAddress

    var lsn: LSN { address.lsn }
    var rootVersion: RootVersion { snapshot.root.superblock.rootVersion }
}

/// The newest versions that this process knows, oldest first.
///
/// The first one is durable. The others were appended to the log by this process and wait for their
/// sync; its next transaction is based on the last of them.
struct VersionChain: Sendable {
    private(set) var durable: LogHead?
    private var pending: [LogHead] = []
    /// The addresses of the commits after the newest versions, oldest first.
    ///
    /// An observer continues to read from there.
    private var addresses: [LogAddress] = []

    /// The number of addresses that are kept at least.
    private static let addressCountMaximum = 256

    /// Returns the address of the commit after a version, if that version was one of the newest.
    ///
    /// - Complexity: O(log versions)
    func address(after lsn: LSN) -> LogAddress? {
        Bisection.lastIndex(in: addresses) { $0.lsn <= lsn }.map { addresses[$0] }
            .flatMap { $0.lsn == lsn ? $0 : nil }
    }

    private mutating func note(_ address: LogAddress) {
        if let last = addresses.last, last.lsn >= address.lsn { return }
        if addresses.count == 2 * VersionChain.addressCountMaximum {
            addresses.removeFirst(VersionChain.addressCountMaximum)
        }
        addresses.append(address)
    }

    /// The newest version, durable or not.
    var newest: LogHead? { pending.last ?? durable }

    /// Returns the newest version that is not later than a given one.
    func newest(through lsn: LSN) -> LogHead? {
        pending.last { $0.lsn <= lsn } ?? durable.flatMap { $0.lsn <= lsn ? $0 : nil }
    }

    /// Adds a version that this process appended.
    mutating func append(_ head: LogHead) {
        pending.append(head)
        note(head.address)
    }

    /// Records that all versions up to a given one are durable.
    mutating func noteDurable(through lsn: LSN) {
        guard let index = pending.lastIndex(where: { $0.lsn <= lsn }) else { return }
        let head = pending[index]
        pending.removeSubrange(...index)
        if let durable, durable.lsn > head.lsn { return }
        durable = head
    }

    /// Adopts a version that was derived from files and the log, unless a newer one is known.
    ///
    /// If two versions are equal, the one on the newer root is kept, because its overlay is smaller.
    mutating func adopt(_ head: LogHead, isDurable: Bool) {
        note(head.address)
        pending.removeAll { $0.lsn <= head.lsn && $0.rootVersion <= head.rootVersion }
        guard isDurable else {
            if pending.last.map({ $0.lsn < head.lsn }) ?? true { pending.append(head) }
            return
        }
        if let durable, durable.lsn > head.lsn || durable.rootVersion > head.rootVersion { return }
        durable = head
    }
}
