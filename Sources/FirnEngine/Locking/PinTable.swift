import FirnPlatform

/// The roots that this process reads: one kernel lock per root, however many snapshots share it.
final class PinTable: Sendable {
    private let counts = Guarded<[RootVersion: Int]>([:])
    private let file: any File
    private let generation = ForkGeneration.current

    init(file: any File) { self.file = file }

    /// Keeps the space of a root from being used again until ``unpin(_:)``.
    func pin(_ version: RootVersion) throws(PlatformError) {
        try counts.withLock { counts throws(PlatformError) in
            if let count = counts[version] {
                counts[version] = count + 1
                return
            }
            // Nobody ever takes a pin exclusively, so a shared one is always to be had.
            guard try file.tryLock(LockMap.pin(version), .shared) else {
                throw PlatformError(.other, operation: "pin a version", path: file.path)
            }
            counts[version] = 1
        }
    }

    func unpin(_ version: RootVersion) {
        counts.withLock { counts in
            guard let count = counts[version] else { return }
            counts[version] = count > 1 ? count - 1 : nil
            // A pin that cannot be given back only delays the reuse of space; it dies with the file.
            // In a forked child it is the parent's.
            if count == 1, generation.isCurrent { try? file.unlock(LockMap.pin(version)) }
        }
    }

    /// All roots that anybody reads, up to and with `newest`.
    ///
    /// - Complexity: O(pins of other handles) calls of the system
    func all(through newest: RootVersion) throws(PlatformError) -> RetainedRoots {
        let own = counts.withLock { Array($0.keys) }
        // The kernel names one conflicting lock, not all: ask again on both sides of it.
        var found: [ClosedRange<UInt64>] = []
        var pending = [LockMap.pins(through: newest)]
        while let range = pending.popLast() {
            guard let lock = try file.conflictingLock(in: range, .exclusive) else { continue }
            let first = LockMap.version(of: lock).rawValue
            found.append(first...(first + lock.length - 1))
            let end = range.start + range.length
            let lockEnd = lock.start + lock.length
            if range.start < lock.start {
                pending.append(LockRange(start: range.start, length: lock.start - range.start))
            }
            if lockEnd < end {
                pending.append(LockRange(start: lockEnd, length: end - lockEnd))
            }
        }
        return RetainedRoots(own.filter { $0 <= newest }, ranges: found)
    }
}

/// Pins a root for as long as it lives.
final class RootPin: Sendable {
    let version: RootVersion
    private let table: PinTable

    init(_ version: RootVersion, in table: PinTable) throws(PlatformError) {
        try table.pin(version)
        self.version = version
        self.table = table
    }

    deinit { table.unpin(version) }
}
