import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// Locks of the open file description, not of the process: two handles in one process exclude each
// other, and closing another descriptor of the same inode releases no lock.
extension SystemFile {
    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool {
        let (start, length) = try signed(range)
        let reason = firn_lock_take(descriptor, start, length, kind == .exclusive ? 1 : 0)
        if reason == EAGAIN { return false }
        try check(reason)
        return true
    }

    func unlock(_ range: LockRange) throws(PlatformError) {
        let (start, length) = try signed(range)
        try check(firn_lock_release(descriptor, start, length))
    }

    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange? {
        var (start, length) = try signed(range)
        try check(firn_lock_find(descriptor, &start, &length, kind == .exclusive ? 1 : 0))
        guard length > 0 else { return nil }
        return range.intersection(start: UInt64(clamping: start), length: UInt64(clamping: length))
    }

    private func check(_ reason: Int32) throws(PlatformError) {
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "fcntl", path: path)
        }
    }

    private func signed(
        _ range: LockRange
    ) throws(PlatformError) -> (start: Int64, length: Int64) {
        guard range.isValid else {
            throw PlatformError(.other, operation: "fcntl", path: path, errno: EINVAL)
        }
        return (Int64(range.start), Int64(range.length))
    }
}

extension LockRange {
    /// Whether the kernel accepts the range: not empty, and within the first 2^63 bytes.
    package var isValid: Bool {
        let limit = UInt64(Int64.max)
        return length >= 1 && start <= limit && length <= limit - start
    }

    /// Returns the bytes that both ranges have in common.
    package func intersection(start other: UInt64, length otherLength: UInt64) -> LockRange? {
        let from = max(start, other)
        let to = min(start &+ length, other &+ otherLength)
        return from < to ? LockRange(start: from, length: to - from) : nil
    }
}
