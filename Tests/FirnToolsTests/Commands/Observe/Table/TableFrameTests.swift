import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnTools

/// The layout of a live table.
@Suite("The frames of a live table")
struct TableFrameTests {
    private func frame(_ count: Int = 3) -> TableFrame {
        var frame = TableFrame()
        frame.title = "Person age > 30 · 3 objects · v43"
        frame.columns = [
            TableRows.Column(name: "id", alignsRight: true, canShorten: false),
            TableRows.Column(name: "name", alignsRight: false, canShorten: true),
            TableRows.Column(name: "age", alignsRight: true, canShorten: false),
        ]
        let marks: [RowMark?] = [.inserted, nil, .deleted, .modified]
        frame.rows = (0..<count).map { number in
            let cells = ["\(number + 9)", number == 1 ? nil : "Al \(number)", "5\(number)"]
            return (TableRows.Row(id: RowID(UInt64(number)), cells: cells), marks[number % 4])
        }
        return frame
    }

    private func text(
        _ frame: TableFrame, _ columns: Int, _ change: (inout TableOptions) -> Void = { _ in }
    ) -> String {
        var options = TableOptions()
        change(&options)
        return frame.lines(columns, options).map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "\n")
    }

    @Test("A frame has a title, the names of the columns, and a mark before each changed row")
    func whole() {
        #expect(
            text(frame(4), 80) == """
                Person age > 30 · 3 objects · v43
                   id │ name │ age
                  ────┼──────┼─────
                +   9 │ Al 0 │  50
                   10 │ null │  51
                -  11 │ Al 2 │  52
                ~  12 │ Al 3 │  53
                """)
    }

    @Test("A long query is shortened before the status, and hidden columns are counted")
    func title() {
        var frame = frame()
        frame.title = "Person name == 'somebody whose name is long' AND age > 30"
        frame.facts = " · 3 objects · v43"
        #expect(text(frame, 40).hasPrefix("Person name == 'someb… · 3 objects · v43\n"))
        let narrow = text(frame, 12)
        #expect(!narrow.contains("age"), "\(narrow)")
        let wide = text(frame, 60)
        #expect(!wide.contains("columns"), "\(wide)")
        frame.columns += (1...20).map {
            TableRows.Column(name: "column \($0)", alignsRight: true, canShorten: false)
        }
        frame.rows = frame.rows.map { row, mark in
            let cells = row.cells + (1...20).map { "\($0 + 1_000_000)" }
            return (TableRows.Row(id: row.id, cells: cells), mark)
        }
        let cut = text(frame, 60)
        #expect(cut.contains(" · 3 objects · v43 · 6 of 23 columns\n"), "\(cut)")
    }

    @Test(
        "A frame is never wider than the window: text shrinks first, then columns, then all",
        arguments: 1...40)
    func widths(columns: Int) {
        var frame = frame(4)
        frame.extent = (0, 4, 12349)
        for drawsUnicode in [true, false] {
            let lines = text(frame, columns) { $0.drawsUnicode = drawsUnicode }
                .split(separator: "\n", omittingEmptySubsequences: false)
            for line in lines {
                #expect(
                    DisplayWidth.columns(of: line) <= max(columns, 6), "\(columns): \(line)")
            }
        }
        // The rows appear in any width.
        #expect(text(frame, columns).split(separator: "\n").count == 8)
    }

    @Test("Frames say which rows are shown, how many there are, and how to see the others")
    func extent() {
        var frame = frame(1)
        frame.extent = (0, 1, 2000)
        #expect(text(frame, 80).hasSuffix("\n  … 1,999 more"))
        frame.scrolls = true
        #expect(text(frame, 80).hasSuffix("\n  … 1,999 more; arrow keys scroll"))
        frame.extent = (1500, 1, 2000)
        #expect(text(frame, 80).hasSuffix("\n  rows 1,501 to 1,501 of 2,000"))
        frame.extent = (0, 1, 1)
        #expect(!text(frame, 80).contains("more"))
    }

    @Test("A frame is plain without colour, and in ASCII where nothing else can be shown")
    func plain() {
        var frame = frame(1)
        frame.extent = (0, 1, 3)
        #expect(!text(frame, 80).contains("\u{1B}"))
        let ascii = text(frame, 80) { $0.drawsUnicode = false }
        #expect(ascii.contains("\n+   9 | Al 0 |  50\n") && ascii.contains("2 more"), "\(ascii)")
        #expect(
            ascii.split(separator: "\n").dropFirst().allSatisfy { $0.utf8.allSatisfy { $0 < 128 } })
        let coloured = text(frame, 80) { $0.colour = true }
        #expect(coloured.contains("\u{1B}[32m+ "))
        #expect(coloured.contains("\u{1B}[0m"))
    }
}
