import FirnValues

/// An excerpt of a text around a range: one line with a maximum number of terminal columns.
struct SourceExcerpt {
    /// The line without line breaks and control characters, truncated with `...` if it is too long.
    let line: String
    /// The number of terminal columns before the range, and of the range itself, which is at least
    /// 1.
    let offset: Int
    let length: Int

    /// A character with its range and width.
    private struct Cell {
        let text: String
        let width: Int
        let start: Int
    }

    private static let mark = "..."
    /// The number of columns of a long line that are kept before the range.
    private static let columnsBefore = 40

    init(of text: String, around range: Range<Int>, columnsMax: Int) {
        let bytes = Array(text.utf8)
        let clamped = SourceExcerpt.clamped(range, to: bytes)
        let window = SourceExcerpt.window(in: bytes, around: clamped, bytesMax: columnsMax * 8)
        let cells = SourceExcerpt.cells(of: bytes, in: window.bytes)
        let first = cells.firstIndex { $0.start >= clamped.lowerBound } ?? cells.count
        let end = cells.firstIndex { $0.start >= clamped.upperBound } ?? cells.count
        let shown = SourceExcerpt.fit(cells, around: first, columnsMax: columnsMax)
        func width(_ range: Range<Int>) -> Int { cells[range].reduce(0) { $0 + $1.width } }

        let startsInside = window.isCutBefore || shown.lowerBound > 0
        let endsInside = window.isCutBehind || shown.upperBound < cells.count
        line =
            (startsInside ? SourceExcerpt.mark : "")
            + cells[shown].map(\.text).joined() + (endsInside ? SourceExcerpt.mark : "")
        let markWidth = startsInside ? SourceExcerpt.mark.count : 0
        offset = markWidth + width(shown.lowerBound..<max(first, shown.lowerBound))
        length = max(1, width(first..<max(first, min(end, shown.upperBound))))
    }

    /// Returns the range clamped to the text.
    ///
    /// The end of the text is the end of its last line.
    private static func clamped(_ range: Range<Int>, to bytes: [UInt8]) -> Range<Int> {
        var lower = min(max(range.lowerBound, 0), bytes.count)
        let upper = min(max(range.upperBound, lower), bytes.count)
        if lower == bytes.count, bytes.last == UInt8(ascii: "\n") {
            while lower > 0, bytes[lower - 1] <= 0x20 { lower -= 1 }
            return lower..<lower
        }
        return lower..<upper
    }

    /// Returns the line that contains the range, or at most `bytesMax` bytes of it before and
    /// after.
    private static func window(
        in bytes: [UInt8], around range: Range<Int>, bytesMax: Int
    ) -> (bytes: Range<Int>, isCutBefore: Bool, isCutBehind: Bool) {
        func isBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
        var lower = range.lowerBound
        while lower > 0, !isBreak(bytes[lower - 1]), range.lowerBound - lower < bytesMax {
            lower -= 1
        }
        var upper = range.lowerBound
        while upper < bytes.count, !isBreak(bytes[upper]), upper - range.lowerBound < bytesMax {
            upper += 1
        }
        let isCutBefore = lower > 0 && !isBreak(bytes[lower - 1])
        let isCutBehind = upper < bytes.count && !isBreak(bytes[upper])
        // Characters are never split.
        while lower < range.lowerBound, bytes[lower] & 0xC0 == 0x80 { lower += 1 }
        while upper < bytes.count, upper > range.lowerBound, bytes[upper] & 0xC0 == 0x80 {
            upper -= 1
        }
        return (lower..<upper, isCutBefore, isCutBehind)
    }

    private static func cells(of bytes: [UInt8], in range: Range<Int>) -> [Cell] {
        var start = range.lowerBound
        var cells: [Cell] = []
        for character in String(decoding: bytes[range], as: UTF8.self) {
            let shown = SafeText.shown(character)
            cells.append(Cell(text: shown.text, width: shown.columns, start: start))
            start += character.utf8.count
        }
        return cells
    }

    /// Returns the cells to show: all if they fit, otherwise those around the range.
    private static func fit(
        _ cells: [Cell], around index: Int, columnsMax: Int
    ) -> Range<Int> {
        if cells.reduce(0, { $0 + $1.width }) <= columnsMax { return 0..<cells.count }
        let room = max(1, columnsMax - 2 * mark.count)
        var lower = index
        var upper = index
        var used = 0
        func extendBefore(to limit: Int) {
            while lower > 0, used + cells[lower - 1].width <= limit {
                lower -= 1
                used += cells[lower].width
            }
        }
        extendBefore(to: min(columnsBefore, room / 2))
        while upper < cells.count, used + cells[upper].width <= room {
            used += cells[upper].width
            upper += 1
        }
        extendBefore(to: room)
        return lower..<upper
    }
}
