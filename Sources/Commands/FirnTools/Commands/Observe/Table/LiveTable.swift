import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnText
import FirnValues

/// The result of a query as a table that is redrawn in place when it changes.
///
/// The terminal is not queried: the position of the table follows from the number of drawn lines.
/// After the window has changed its size, the table is drawn from the top. Only the last frame
/// remains in the scrollback. Keys scroll the rows if there are more than the window shows.
final class LiveTable {
    /// The time for which a row is marked after a change.
    private static let markNanoseconds: UInt64 = 2_000_000_000
    /// The minimum time between two frames.
    private static let frameNanoseconds: UInt64 = 50_000_000
    /// The size of windows that do not report their size.
    private static let standardSize = WindowSize(columns: 80, rows: 24)

    /// Content that is shown for a limited time.
    private struct Passing<Content> {
        let content: Content
        let end: UInt64
    }

    /// A removed row, at its old position in the result.
    private struct Gone {
        let row: TableRows.Row
        let index: Int
    }

    private let environment: CommandEnvironment
    private let queryText: String
    private let options: TableOptions
    private let keys: TerminalKeys?
    private var keyReader = TableKeyReader()
    /// Whether the key that ends the table was pressed.
    private(set) var isQuit = false
    /// The position of the first shown row in the result.
    private var firstRow = 0
    /// Whether a key has moved the rows since the last frame.
    private var hasMoved = false
    /// The number of rows that the last frame had room for, and the number of rows of the result.
    private var room = 1
    private var rowCount = 0
    private var marks: [RowID: Passing<RowMark>] = [:]
    private var gone: [Passing<Gone>] = []
    /// Recent versions, and the times at which they were reached.
    private var commits: [Passing<LSN>] = []
    /// The contents of the last frame.
    private var shown = TableRows()
    private var drawnLineCount = 0
    private var drawnSize: WindowSize?
    private var lastDrawing: UInt64?

    init(_ queryText: String, _ environment: CommandEnvironment) {
        self.queryText = SafeText.escaping(queryText)
        self.environment = environment
        keys = environment.takeKeys()
        var options = TableOptions()
        options.colour = TerminalStyle.usesColour(.auto, isTerminal: true, environment)
        options.drawsUnicode = TerminalStyle.usesUnicode(environment)
        self.options = options
    }

    private var now: UInt64 { environment.services.clock.monotonicNanoseconds() }

    private var windowSize: WindowSize {
        guard let size = environment.windowSize() else { return LiveTable.standardSize }
        return size.rows > 0
            ? size : WindowSize(columns: size.columns, rows: LiveTable.standardSize.rows)
    }

    // MARK: When to draw

    /// Obeys the keys that were pressed.
    func readKeys() {
        for key in keyReader.keys(in: keys?.pressed() ?? []) {
            switch key {
            case .quit: isQuit = true
            case .up: move(to: firstRow - 1)
            case .down: move(to: firstRow + 1)
            case .pageUp: move(to: firstRow - room)
            case .pageDown: move(to: firstRow + room)
            case .home: move(to: 0)
            case .end: move(to: rowCount)
            }
        }
    }

    private func move(to row: Int) {
        let new = max(0, min(row, rowCount - room))
        guard new != firstRow else { return }
        firstRow = new
        hasMoved = true
    }

    /// Whether there is something to check besides commits.
    var isWaiting: Bool { isStale || keys?.hasPressed ?? false }

    /// Whether the table must be redrawn without a commit.
    var isStale: Bool {
        guard let drawnSize, !hasMoved else { return true }
        return drawnSize != windowSize || nextChange.map { $0 <= now } ?? false
    }

    /// The time until the next redraw without a commit; `nil` if there is none.
    var nextNanoseconds: UInt64? { nextChange.map { $0 > now ? $0 - now : 0 } }

    /// The time until a frame can follow the last one.
    var restNanoseconds: UInt64 {
        guard let lastDrawing else { return 0 }
        let end = lastDrawing &+ LiveTable.frameNanoseconds
        return end > now ? end - now : 0
    }

    /// The time when the next mark fades.
    private var nextChange: UInt64? {
        (marks.values.map(\.end) + gone.map(\.end) + commits.suffix(1).map(\.end)).min()
    }

    // MARK: Changes

    /// Starts with new rows, without marks.
    func begin() {
        marks = [:]
        gone = []
        commits = []
    }

    /// Marks the changed rows.
    func note(_ change: ObservedChange, _ version: LSN) {
        let end = now &+ LiveTable.markNanoseconds
        for part in change.parts {
            for deletion in part.deletions {
                marks[deletion.row] = nil
                guard !deletion.isMoved,
                    let index = shown.rows.firstIndex(where: { $0.id == deletion.row })
                else { continue }
                gone.append(
                    Passing(
                        content: Gone(row: shown.rows[index], index: firstRow + index), end: end))
            }
            for insertion in part.insertions {
                marks[insertion.row] = Passing(
                    content: insertion.isMoved ? .modified : .inserted, end: end)
                gone.removeAll { $0.content.row.id == insertion.row }
            }
            for modification in part.modifications {
                let isNew = marks[modification.row]?.content == .inserted
                marks[modification.row] = Passing(
                    content: isNew ? .inserted : .modified, end: end)
            }
        }
        commits.append(Passing(content: version, end: end))
    }

    private func fade() {
        let now = now
        marks = marks.filter { $0.value.end > now }
        gone.removeAll { $0.end <= now }
        // The last expired entry is the base from which the others are counted.
        while commits.count > 1, commits[1].end <= now { commits.removeFirst() }
        if let last = commits.last, last.end <= now { commits = [] }
    }

    // MARK: Drawing

    /// Appends the output for the terminal to a buffer.
    ///
    /// - Parameter isLast: whether this is the last frame, which has no marks.
    func draw(
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, isLast: Bool = false,
        to buffer: inout TextBuffer
    ) throws(QueryFailure) {
        isLast ? begin() : fade()
        let size = windowSize
        let frame = try frame(subject, snapshot, size)
        let lines = frame.lines(size.columns, options).prefix(max(1, size.rows - 1))
        if let drawnSize, drawnSize != size {
            // The layout of the old lines in the new width is unknown.
            buffer.append("\u{1B}[H\u{1B}[2J")
        } else if drawnLineCount > 0 {
            buffer.append("\r\u{1B}[")
            buffer.append(unsigned: UInt64(drawnLineCount))
            buffer.append("A")
        }
        for line in lines {
            buffer.append(line)
            buffer.append("\u{1B}[K\n")
        }
        buffer.append("\u{1B}[J")
        drawnLineCount = lines.count
        drawnSize = size
        hasMoved = false
        lastDrawing = now
    }

    private func frame(
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, _ size: WindowSize
    ) throws(QueryFailure) -> TableFrame {
        var frame = TableFrame()
        let count = subject.count(in: snapshot)
        frame.title = queryText
        let unit = subject.shapes.first?.values == nil ? "object" : "row"
        frame.facts = facts(Formatting.count(UInt64(clamping: count), unit), snapshot.version)
        guard let content = try subject.contents(in: snapshot).first else { return frame }
        // One line is reserved for the cursor.
        let space = max(1, size.rows - 1 - TableFrame.headLineCount)
        let isCut = count + gone.count > space
        room = isCut ? max(1, space - 1) : space
        rowCount = count
        firstRow = max(0, min(firstRow, count - room))
        let range = firstRow..<min(count, firstRow + room)
        shown = try TableRows(
            content.rows(range), content.shape, in: content.contents(in: snapshot))
        frame.columns = shown.columns
        if let query = (subject as? QuerySubject)?.query {
            frame.leadingColumns = LeadingColumns.names(of: query)
        }
        frame.scrolls = keys != nil
        frame.rows = shown.rows.map { ($0, marks[$0.id]?.content) }
        for item in gone.map(\.content).sorted(by: { $0.index < $1.index })
        where item.row.cells.count == shown.columns.count
            && (firstRow..<firstRow + room).contains(item.index)
        {
            frame.rows.insert(
                (item.row, .deleted), at: min(item.index - firstRow, frame.rows.count))
        }
        frame.rows = Array(frame.rows.prefix(room))
        let shownCount = frame.rows.count { $0.mark != .deleted }
        if isCut { frame.extent = (firstRow, shownCount, count) }
        return frame
    }

    /// Returns the text after the query in the title.
    private func facts(_ count: String, _ version: LSN) -> String {
        let dot = options.drawsUnicode ? " · " : " - "
        var parts = [count]
        parts.append("v\(version.rawValue)")
        if let first = commits.first, let last = commits.last, first.content < last.content {
            let nanoseconds = max(1_000_000_000, last.end - first.end)
            let seconds = Double(nanoseconds) / 1e9
            let rate = Double(last.content.rawValue - first.content.rawValue) / seconds
            let count = UInt64(max(1, rate.rounded()))
            parts.append("\(Formatting.count(count, "commit"))/s")
        }
        return parts.map { dot + $0 }.joined()
    }

    /// Returns the line below the last frame.
    static func farewell(_ reason: StreamEnd) -> String? {
        switch reason {
        case .replaced: "the database was replaced by another file"
        case .removed: "the database was removed"
        case .idle, .timeout: "the time limit was reached"
        case .count, .until, .caughtUp, .quit, .interrupted, .terminated, .error: nil
        }
    }

    /// Restores the terminal.
    func end() { keys?.restore() }
}
