import FirnPlatform
import FirnValues

/// A version in memory, and where in the log the next one stands.
struct Head: Sendable {
    let snapshot: Snapshot
    let place: LogPlace

    var lsn: LSN { place.lsn }
    var rootVersion: RootVersion { snapshot.root.superblock.rootVersion }
}

/// The newest versions that this process knows, oldest first.
///
/// The first one is durable. The others were appended to the log here, and wait for their sync; they
/// are what the next transaction of this process begins with.
struct Heads: Sendable {
    private(set) var durable: Head?
    private var pending: [Head] = []

    /// The newest one, durable or not.
    var newest: Head? { pending.last ?? durable }

    /// The newest one that is not after a version.
    func newest(through lsn: LSN) -> Head? {
        pending.last { $0.lsn <= lsn } ?? durable.flatMap { $0.lsn <= lsn ? $0 : nil }
    }

    /// Adds a version that this process appended.
    mutating func append(_ head: Head) { pending.append(head) }

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
    mutating func adopt(_ head: Head, isDurable: Bool) {
        pending.removeAll { $0.lsn <= head.lsn && $0.rootVersion <= head.rootVersion }
        guard isDurable else {
            if pending.last.map({ $0.lsn < head.lsn }) ?? true { pending.append(head) }
            return
        }
        if let durable, durable.lsn > head.lsn || durable.rootVersion > head.rootVersion { return }
        durable = head
    }
}
