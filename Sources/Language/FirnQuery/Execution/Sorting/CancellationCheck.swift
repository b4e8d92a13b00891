import FirnValues

/// Checks from time to time during a sort whether the query was cancelled.
struct CancellationCheck {
    /// The amount of work between two checks.
    private static let workPerQuestion = 1 << 16

    private let isStopped: () -> Bool
    private let progress: SortProgress?
    private var work = 0
    private(set) var isOver = false

    init(_ progress: SortProgress? = nil, _ isStopped: @escaping () -> Bool) {
        self.progress = progress
        self.isStopped = isStopped
    }

    /// Announces work, in rows or comparisons, for the progress of the sort.
    func expect(_ amount: Int) { progress?.expect(amount) }

    /// Returns whether the sort was cancelled.
    ///
    /// Checks only after enough work.
    ///
    /// - Parameter amount: the amount of work that follows, in rows or comparisons.
    @inline(__always)
    mutating func isOver(after amount: Int) -> Bool {
        work &+= amount
        if work >= CancellationCheck.workPerQuestion { ask() }
        return isOver
    }

    @inline(never)
    private mutating func ask() {
        progress?.advance(work)
        work = 0
        isOver = isOver || isStopped()
    }
}
