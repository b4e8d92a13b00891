import FirnPlatform
import FirnValues

/// The roots that this process reads, with one kernel lock per root for all its snapshots.
final class PinTable: Sendable {
    private let counts = Guarded<[RootVersion: Int]>([:])
    private let file: any File
    private let generation = ForkGeneration.current

    init(file: any File) { self.file = file }

    /// Prevents reuse of the space of a root until ``unpin(_:)``.
    func pin(_ version: RootVersion) throws(PlatformError) {
        try counts.withLock { counts throws(PlatformError) in
            if let count = counts[version] {
                counts[version] = count + 1
                return
            }
            // No process takes a pin exclusively, so the shared lock is always available.
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
            // A pin that cannot be released only delays the reuse of space; it ends when the file
            // is closed. In a forked child, the pin belongs to the parent.
            if count == 1, generation.isCurrent { try? file.unlock(LockMap.pin(version)) }
        }
    }

    /// Returns all roots that any process reads, up to and including `newest`.
    ///
    /// - Complexity: O(pins of other handles) system calls
    func all(through newest: RootVersion) throws(PlatformError) -> RetainedRoots {
        let own = counts.withLock { Array($0.keys) }
        // The kernel reports one conflicting lock at a time, so both sides of it are queried again.
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

/// A pin on a root for the lifetime of the object.
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
