import FirnPlatform
import FirnValues

/// A version in memory, and where in the log the next one stands.
struct Head: Sendable {
    let snapshot: Snapshot
    let position: LogPosition

    var lsn: LSN { position.lsn }
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
    func newest(through lsn: LSN) -> Head? { pending.last { $0.lsn <= lsn } ?? durable }

    /// Adds a version that this process appended.
    mutating func append(_ head: Head) { pending.append(head) }

    /// Notes that everything up to a version is durable.
    mutating func noteDurable(through lsn: LSN) {
        guard let index = pending.lastIndex(where: { $0.lsn <= lsn }) else { return }
        durable = pending[index]
        pending.removeSubrange(...index)
    }

    /// Takes a version that was made from files and the log, if it is not older than what is known
    /// or stands on a newer root.
    mutating func adopt(_ head: Head, isDurable: Bool) {
        if isDurable {
            if let durable, durable.lsn > head.lsn || durable.rootVersion > head.rootVersion {
                return
            }
            durable = head
            pending.removeAll { $0.lsn <= head.lsn }
        } else {
            // Pending versions of this process on an older root are older ways to say the same.
            pending.removeAll { $0.lsn <= head.lsn }
            if pending.isEmpty { pending.append(head) }
        }
    }
}
