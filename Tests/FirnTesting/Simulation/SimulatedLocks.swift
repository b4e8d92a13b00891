import FirnPlatform

/// The byte-range locks of one simulated disk, with the rules of OFD locks: they belong to the
/// open file, a later lock of the same owner replaces an earlier one byte by byte, and two
/// overlapping locks of different owners conflict unless both are shared.
struct SimulatedLocks: Sendable {
    private struct Held: Sendable {
        let owner: UInt64
        let process: UInt64
        let inode: UInt64
        let start: UInt64
        /// The offset after the last byte.
        let end: UInt64
        let kind: LockKind
    }

    private var held: [Held] = []

    /// Whether anybody holds a lock.
    var isHeld: Bool { !held.isEmpty }

    mutating func take(
        _ range: LockRange, _ kind: LockKind, owner: UInt64, process: UInt64, inode: UInt64
    ) -> Bool {
        guard conflict(in: range, kind, owner: owner, inode: inode) == nil else { return false }
        release(range, owner: owner, inode: inode)
        held.append(
            Held(
                owner: owner, process: process, inode: inode, start: range.start,
                end: range.start + range.length, kind: kind))
        return true
    }

    mutating func release(_ range: LockRange, owner: UInt64, inode: UInt64) {
        let end = range.start + range.length
        held = held.flatMap { lock -> [Held] in
            guard lock.owner == owner, lock.inode == inode, lock.start < end,
                range.start < lock.end
            else { return [lock] }
            func part(_ start: UInt64, _ end: UInt64) -> [Held] {
                guard start < end else { return [] }
                return [
                    Held(
                        owner: owner, process: lock.process, inode: inode, start: start,
                        end: end, kind: lock.kind)
                ]
            }
            return part(lock.start, min(lock.end, range.start)) + part(end, lock.end)
        }
    }

    mutating func releaseAll(owner: UInt64) { held.removeAll { $0.owner == owner } }

    mutating func releaseAll(process: UInt64) { held.removeAll { $0.process == process } }

    func conflict(
        in range: LockRange, _ kind: LockKind, owner: UInt64, inode: UInt64
    ) -> LockRange? {
        held.filter { lock in
            lock.inode == inode && lock.owner != owner
                && (kind == .exclusive || lock.kind == .exclusive)
        }
        .compactMap { range.intersection(start: $0.start, length: $0.end - $0.start) }
        .min { $0.start < $1.start }
    }
}
