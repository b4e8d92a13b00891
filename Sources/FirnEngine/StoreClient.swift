import FirnPlatform

/// A process that has the file open, as the locks of the system tell.
package struct StoreClient: Hashable, Sendable {
    /// `nil` where the system does not tell who holds a lock.
    package let process: ProcessDescription?
    package let isThisProcess: Bool
    /// Whether it has the commit log open.
    package let isAttached: Bool
    /// Whether it has a transaction open right now.
    package let isWriting: Bool
    package let isCheckpointing: Bool
    /// The roots that it reads, with the version that each holds where it is still known.
    package let pinned: [RootVersion]
}

/// A process as people know it.
package struct ProcessDescription: Hashable, Sendable {
    package let pid: Int32
    /// Its arguments, separated by spaces; control characters are for the caller to escape.
    package let command: String
    /// How long it has been running, in seconds.
    package let ageSeconds: UInt64
    /// Whether it was stopped by a signal, such as with Ctrl-Z.
    package let isStopped: Bool

    package init(pid: Int32, command: String, ageSeconds: UInt64, isStopped: Bool) {
        self.pid = pid
        self.command = command
        self.ageSeconds = ageSeconds
        self.isStopped = isStopped
    }
}

extension Store {
    /// Who has the file open; processes of other users may be missing.
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
    /// What the locks of one process say; `nil` if none of them is ours.
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

    /// A lock over very many roots is not told one by one.
    private static let pinnedCountMaximum = 1000
}

extension LockRange {
    fileprivate func common(with other: LockRange) -> LockRange? {
        intersection(start: other.start, length: other.length)
    }
}
