/// The progress of the sorts of one execution.
final class SortProgress {
    /// The rows that are being sorted; 0 if no sort is running.
    private(set) var rowCount = 0
    private var work = 0
    private var expectedWork = 0

    func begin(rowCount: Int) {
        self.rowCount = rowCount
        work = 0
        expectedWork = 0
    }

    func end() { rowCount = 0 }

    /// Adds work that is still to be done, in rows or comparisons.
    func expect(_ amount: Int) { expectedWork &+= max(0, amount) }

    func advance(_ amount: Int) { work &+= amount }

    /// The number of rows that corresponds to the work done.
    var doneRowCount: Int {
        guard expectedWork > 0 else { return 0 }
        return Int(Double(rowCount) * min(1, Double(work) / Double(expectedWork)))
    }
}
