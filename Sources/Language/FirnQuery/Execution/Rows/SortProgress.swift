import FirnPlatform
import FirnValues

/// The progress of the sorts of one execution, on which several threads work.
final class SortProgress: Sendable {
    private struct State {
        var rowCount = 0
        var work = 0
        var expectedWork = 0
    }

    private let state = Guarded(State())

    /// The rows that are being sorted; 0 if no sort is running.
    var rowCount: Int { state.withLock { $0.rowCount } }

    func begin(rowCount: Int) { state.withLock { $0 = State(rowCount: rowCount) } }

    func end() { state.withLock { $0.rowCount = 0 } }

    /// Adds work that is still to be done, in rows or comparisons.
    func expect(_ amount: Int) { state.withLock { $0.expectedWork &+= max(0, amount) } }

    func advance(_ amount: Int) { state.withLock { $0.work &+= amount } }

    /// The number of rows that corresponds to the work done.
    var doneRowCount: Int {
        state.withLock { state in
            guard state.expectedWork > 0 else { return 0 }
            let share = min(1, Double(state.work) / Double(state.expectedWork))
            return Int(Double(state.rowCount) * share)
        }
    }
}
