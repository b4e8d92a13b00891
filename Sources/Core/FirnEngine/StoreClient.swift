import FirnPlatform
import FirnValues

/// A process that has the file open, as reported by the locks of the system.
package struct StoreClient: Hashable, Sendable {
    /// The process id; `nil` if the system does not report the holder of a lock.
    package let process: ProcessDescription?
    package let isThisProcess: Bool
    /// Whether the process has the commit log open.
    package let isAttached: Bool
    /// Whether the process has a transaction open right now.
    package let isWriting: Bool
    package let isCheckpointing: Bool
    /// The roots that the process reads.
    package let pinned: [RootVersion]
}

/// The properties of a process that users recognize.
package struct ProcessDescription: Hashable, Sendable {
    package let pid: Int32
    /// The arguments, separated by spaces; the caller must escape control characters.
    package let command: String
    /// The time since the process started, in seconds.
    package let ageSeconds: UInt64
    /// Whether the process was stopped by a signal, for example with Ctrl-Z.
    package let isStopped: Bool

    package init(pid: Int32, command: String, ageSeconds: UInt64, isStopped: Bool) {
        self.pid = pid
        self.command = command
        self.ageSeconds = ageSeconds
        self.isStopped = isStopped
    }
}

extension Store {
    /// Returns the processes that have the file open; processes of other users may be missing.
    package func sessions() throws(StoreError) -> [StoreClient] {
        let holders = services.files.lockHolders(of: try fileStatus().identity)
        var order: [Int32] = []
        var byProcess: [Int32: [LockHolder]] = [:]
        for holder in holders {
            if byProcess[holder.pid] == nil { order.append(holder.pid) }
            byProcess[holder.pid, default: []].append(holder)
        }
        return order.compactMap { byProcess[$0].flatMap { StoreClient($0) } }
    }
}

extension StoreClient {
    /// Creates a client from the locks of one process, or `nil` if none of them is a Firn lock.
    fileprivate init?(_ locks: [LockHolder]) {
        guard let first = locks.first else { return nil }
        var pinned: [ClosedRange<UInt64>] = []
        for lock in locks {
            guard let pins = LockMap.pins(through: .maximum).common(with: lock.range) else {
                continue
            }
            let root = LockMap.version(of: pins).rawValue
            pinned.append(root...(root + pins.length - 1))
        }
        func holds(_ range: LockRange) -> Bool {
            locks.contains { range.common(with: $0.range) != nil }
        }
        let names = [
            LockMap.writer, LockMap.sync, LockMap.checkpoint, LockMap.session, LockMap.compaction,
            LockMap.waiting,
        ]
        guard !pinned.isEmpty || names.contains(where: holds) else { return nil }
        self.init(
            process: ProcessDescription(
                pid: first.pid, command: first.command, ageSeconds: first.ageSeconds,
                isStopped: first.isStopped),
            isThisProcess: first.isThisProcess, isAttached: holds(LockMap.session),
            isWriting: holds(LockMap.writer), isCheckpointing: holds(LockMap.checkpoint),
            pinned: RetainedRoots(ranges: pinned).ranges.flatMap { range in
                range.prefix(StoreClient.pinnedCountMaximum).map { RootVersion($0) }
            })
    }

    /// The number of roots per lock that are listed individually.
    private static let pinnedCountMaximum = 1000
}

extension LockRange {
    fileprivate func common(with other: LockRange) -> LockRange? {
        intersection(start: other.start, length: other.length)
    }
}
