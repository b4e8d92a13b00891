/// Checks from time to time during a sort whether the query was cancelled.
struct CancellationCheck {
    /// The amount of work between two checks.
    private static let workPerQuestion = 1 << 16

    private let isStopped: () -> Bool
    private var work = 0
    private(set) var isOver = false

    init(_ isStopped: @escaping () -> Bool) { self.isStopped = isStopped }

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
        work = 0
        isOver = isOver || isStopped()
    }
}
