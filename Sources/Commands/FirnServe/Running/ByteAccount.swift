import FirnPlatform
import FirnValues

/// The memory that the bodies of all connections take while they arrive.
final class ByteAccount: Sendable {
    private let maximum: Int
    private let count = Guarded(0)

    init(maximum: Int) { self.maximum = maximum }

    /// - Returns: `false`, without adding, if it would be too much.
    func add(_ byteCount: Int) -> Bool {
        count.withLock { count in
            guard count + byteCount <= maximum else { return false }
            count += byteCount
            return true
        }
    }

    func remove(_ byteCount: Int) { count.withLock { $0 -= byteCount } }
}
