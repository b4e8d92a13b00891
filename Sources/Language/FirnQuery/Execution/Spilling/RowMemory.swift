import FirnPlatform
import FirnValues

/// The memory that the rows or groups of an operator may take, which all of its threads share.
final class RowMemory: Sendable {
    private struct State {
        var byteCount = 0
        var isExceeded = false
    }

    /// The texts of a vector are at most 4 GB.
    private static let statementByteCountMax = 8 << 30

    private let byteCountMax: Int
    private let state: Guarded<State>

    /// - Parameter statementByteCount: the memory of the whole statement. The larger part is left for
    ///   pages and for merging what the threads have found.
    init(of statementByteCount: Int) {
        byteCountMax = min(statementByteCount, Self.statementByteCountMax) / 8 * 3
        state = Guarded(State())
    }

    /// - Parameters:
    ///   - byteCountMax: the memory of the rows or groups themselves.
    ///   - isExceeded: whether it is known that they need more.
    init(byteCountMax: Int, isExceeded: Bool) {
        self.byteCountMax = byteCountMax
        state = Guarded(State(isExceeded: isExceeded))
    }

    /// Whether the rows or groups turned out to need more memory.
    var isExceeded: Bool { state.withLock { $0.isExceeded } }

    /// Takes memory for more rows or groups.
    ///
    /// - Returns: whether there was enough.
    @discardableResult
    func take(_ byteCount: Int) -> Bool {
        state.withLock { state in
            state.byteCount += byteCount
            if state.byteCount > byteCountMax { state.isExceeded = true }
            return !state.isExceeded
        }
    }
}
