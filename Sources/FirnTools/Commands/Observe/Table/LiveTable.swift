import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The result of a query as a table that is drawn anew in its place when it changes.
///
/// Nothing is asked of the terminal: where the table stands follows from how many lines were drawn,
/// and after the window has changed its size it begins at the top. What is not shown any more is what
/// the last frame leaves in the scrollback: all of it.
final class LiveTable {
    /// How long a row shows that something happened to it.
    private static let markNanoseconds: UInt64 = 2_000_000_000
    /// No frame is drawn sooner after another.
    private static let frameNanoseconds: UInt64 = 50_000_000
    /// Of windows that do not say their size.
    private static let standardSize = WindowSize(columns: 80, rows: 24)

    /// Something that is shown for a while.
    private struct Passing<Content> {
        let content: Content
        let end: UInt64
    }

    /// A row that is not there any more, where it was.
    private struct Gone {
        let row: TableRows.Row
        let index: Int
    }

    private let environment: CommandEnvironment
    private let queryText: String
    private let options: TableOptions
    private let keys: TerminalKeys?
    private var marks: [RowID: Passing<RowMark>] = [:]
    private var gone: [Passing<Gone>] = []
    /// Versions and when they were come to, lately.
    private var commits: [Passing<LSN>] = []
    /// What the last frame shows.
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

    /// Whether somebody pressed the key that ends it.
    var isQuit: Bool {
        keys?.pressed().contains { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") } ?? false
    }

    /// Whether there is something to look at besides commits.
    var isWaiting: Bool { isStale || keys?.hasPressed ?? false }

    /// Whether something is to be drawn though nothing was committed.
    var isStale: Bool {
        guard let drawnSize else { return true }
        return drawnSize != windowSize || nextChange.map { $0 <= now } ?? false
    }

    /// How long nothing is to be drawn without a commit; `nil` if that is for ever.
    var nextNanoseconds: UInt64? { nextChange.map { $0 > now ? $0 - now : 0 } }

    /// How long to wait until a frame may follow the last one.
    var restNanoseconds: UInt64 {
        guard let lastDrawing else { return 0 }
        let end = lastDrawing &+ LiveTable.frameNanoseconds
        return end > now ? end - now : 0
    }

    /// When a mark fades next.
    private var nextChange: UInt64? {
        (marks.values.map(\.end) + gone.map(\.end) + commits.suffix(1).map(\.end)).min()
    }

    // MARK: What happened

    /// Begins with other rows, nothing of which is news.
    func begin() {
        marks = [:]
        gone = []
        commits = []
    }

    /// Marks the rows that something happened to.
    func note(_ change: ObservedChange, _ version: LSN) {
        let end = now &+ LiveTable.markNanoseconds
        for part in change.parts {
            for deletion in part.deletions {
                marks[deletion.row] = nil
                guard !deletion.isMoved,
                    let index = shown.rows.firstIndex(where: { $0.id == deletion.row })
                else { continue }
                gone.append(
                    Passing(content: Gone(row: shown.rows[index], index: index), end: end))
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
        // The last one of those that are over says what the others are counted from.
        while commits.count > 1, commits[1].end <= now { commits.removeFirst() }
        if let last = commits.last, last.end <= now { commits = [] }
    }

    // MARK: Drawing

    /// Puts what the terminal is to be told into a buffer.
    ///
    /// - Parameter isLast: whether nothing is drawn after it: a table that stays has no news.
    func draw(
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, isLast: Bool = false,
        to buffer: inout TextBuffer
    ) throws(QueryFailure) {
        isLast ? begin() : fade()
        let size = windowSize
        let frame = try frame(subject, snapshot, size)
        let lines = frame.lines(size.columns, options).prefix(max(1, size.rows - 1))
        if let drawnSize, drawnSize != size {
            // What the terminal made of the lines of another width is not known.
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
        lastDrawing = now
    }

    private func frame(
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, _ size: WindowSize
    ) throws(QueryFailure) -> TableFrame {
        var frame = TableFrame()
        let count = subject.count(in: snapshot)
        frame.title = queryText
        frame.facts = facts(count, snapshot.version)
        guard let content = try subject.contents(in: snapshot).first else { return frame }
        // One line is left for the cursor.
        let room = max(1, size.rows - 1 - TableFrame.headLineCount)
        let isCut = count + gone.count > room
        let rowCount = min(count, isCut ? max(1, room - 1) : room)
        shown = try TableRows(content.rows(0..<rowCount), content.shape, in: snapshot)
        frame.columns = shown.columns
        frame.rows = shown.rows.map { ($0, marks[$0.id]?.content) }
        for item in gone.map(\.content).sorted(by: { $0.index < $1.index })
        where item.row.cells.count == shown.columns.count {
            frame.rows.insert((item.row, .deleted), at: min(item.index, frame.rows.count))
        }
        frame.rows = Array(frame.rows.prefix(isCut ? max(1, room - 1) : room))
        let hidden = count - frame.rows.count { $0.mark != .deleted }
        frame.hiddenCount = isCut ? max(0, hidden) : 0
        return frame
    }

    /// What stands behind the query in the title.
    private func facts(_ count: Int, _ version: LSN) -> String {
        let dot = options.drawsUnicode ? " · " : " - "
        var parts = [Formatting.count(UInt64(clamping: count), "object")]
        parts.append("v\(version.rawValue)")
        if let first = commits.first, let last = commits.last, first.content < last.content {
            let nanoseconds = max(1_000_000_000, last.end - first.end)
            let seconds = Double(nanoseconds) / 1e9
            let rate = Double(last.content.rawValue - first.content.rawValue) / seconds
            parts.append("\(max(1, Int(rate.rounded()))) commits/s")
        }
        return parts.map { dot + $0 }.joined()
    }

    /// A line below the last frame.
    static func farewell(_ reason: StreamEnd) -> String? {
        switch reason {
        case .replaced: "the database was replaced by another file"
        case .removed: "the database was removed"
        case .idle, .timeout: "the time limit was reached"
        case .count, .until, .quit, .interrupted, .terminated, .error: nil
        }
    }

    /// Gives the terminal back.
    func end() { keys?.restore() }
}
