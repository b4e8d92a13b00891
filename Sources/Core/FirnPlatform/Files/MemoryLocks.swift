import FirnValues

/// The byte-range locks of a file in memory, with the rules of locks that belong to an open file.
///
/// A later lock of the same handle replaces an earlier one byte by byte. Two overlapping locks of
/// different handles conflict unless both are shared.
struct MemoryLocks {
    private struct Held {
        let owner: UInt64
        let start: UInt64
        /// The offset after the last byte.
        let end: UInt64
        let kind: LockKind
    }

    private var held: [Held] = []

    var ranges: [(range: LockRange, kind: LockKind)] {
        held.map { (LockRange(start: $0.start, length: $0.end - $0.start), $0.kind) }
    }

    mutating func take(_ range: LockRange, _ kind: LockKind, owner: UInt64) -> Bool {
        guard conflict(in: range, kind, owner: owner) == nil else { return false }
        release(range, owner: owner)
        held.append(
            Held(
                owner: owner, start: range.start, end: range.start + range.length, kind: kind))
        return true
    }

    mutating func release(_ range: LockRange, owner: UInt64) {
        let end = range.start + range.length
        held = held.flatMap { lock -> [Held] in
            guard lock.owner == owner, lock.start < end, range.start < lock.end else {
                return [lock]
            }
            let kept = [(lock.start, min(lock.end, range.start)), (max(lock.start, end), lock.end)]
            return kept.filter { $0.0 < $0.1 }.map {
                Held(owner: owner, start: $0.0, end: $0.1, kind: lock.kind)
            }
        }
    }

    mutating func releaseAll(of owner: UInt64) { held.removeAll { $0.owner == owner } }

    /// Returns the first range in which another handle holds a conflicting lock.
    func conflict(in range: LockRange, _ kind: LockKind, owner: UInt64) -> LockRange? {
        held.filter { $0.owner != owner && (kind == .exclusive || $0.kind == .exclusive) }
            .compactMap { range.intersection(start: $0.start, length: $0.end - $0.start) }
            .min { $0.start < $1.start }
    }
}
