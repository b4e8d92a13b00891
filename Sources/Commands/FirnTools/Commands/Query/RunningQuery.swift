import FirnQuery
import FirnValues

/// The progress of a query, drawn whenever the query asks whether to stop.
final class RunningQuery {
    private let line: Progress
    private let limit: TimeLimit
    private weak var rows: (any ResultRows)?

    init(_ line: Progress, _ limit: TimeLimit) {
        self.line = line
        self.limit = limit
    }

    /// Starts showing the progress of these rows, which their query makes with ``isStopped``.
    func follow(_ rows: any ResultRows) { self.rows = rows }

    /// Returns whether to stop; called once per page.
    var isStopped: () -> Bool {
        guard line.isShown else { return limit.isReached }
        return { [self] in
            draw()
            return limit.isReached()
        }
    }

    private func draw() {
        guard let progress = rows?.progress, progress.doneRowCount > 0 else { return }
        switch progress.step {
        case .reading:
            line.update(
                "reading", done: progress.doneRowCount, of: progress.totalRowCount, .rows)
        case .sorting:
            line.update(
                "sorting", done: progress.doneRowCount, of: progress.totalRowCount, .rows)
        case .changing: break
        }
    }
}
