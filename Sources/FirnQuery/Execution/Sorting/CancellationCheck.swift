/// Asks now and then during a sort whether anybody still wants it.
struct CancellationCheck {
    /// How much is done between two questions.
    private static let workPerQuestion = 1 << 16

    private let isStopped: () -> Bool
    private var work = 0
    private(set) var isOver = false

    init(_ isStopped: @escaping () -> Bool) { self.isStopped = isStopped }

    /// - Parameter amount: what is done next, in rows or comparisons.
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
