import FirnValues

/// The part of a text around a place, one line high and so many terminal columns wide at most.
struct SourceExcerpt {
    /// The line, cut with `...` where it is too long, without line breaks and controls.
    let line: String
    /// The terminal columns before the place, and the columns that the place takes, at least 1.
    let offset: Int
    let length: Int

    /// A character with its place and width.
    private struct Cell {
        let text: String
        let width: Int
        let start: Int
    }

    private static let mark = "..."
    /// How much of a long line is kept before the place.
    private static let columnsBefore = 40

    init(of text: String, around range: Range<Int>, columnsMax: Int) {
        let bytes = Array(text.utf8)
        let place = SourceExcerpt.clamped(range, to: bytes)
        let window = SourceExcerpt.window(in: bytes, around: place, bytesMax: columnsMax * 8)
        let cells = SourceExcerpt.cells(of: bytes, in: window.bytes)
        let first = cells.firstIndex { $0.start >= place.lowerBound } ?? cells.count
        let end = cells.firstIndex { $0.start >= place.upperBound } ?? cells.count
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

    /// The place inside of the text; the end of the text is where its last line ends.
    private static func clamped(_ range: Range<Int>, to bytes: [UInt8]) -> Range<Int> {
        var lower = min(max(range.lowerBound, 0), bytes.count)
        let upper = min(max(range.upperBound, lower), bytes.count)
        if lower == bytes.count, bytes.last == UInt8(ascii: "\n") {
            while lower > 0, bytes[lower - 1] <= 0x20 { lower -= 1 }
            return lower..<lower
        }
        return lower..<upper
    }

    /// The line of the place, or so many bytes of it before and behind.
    private static func window(
        in bytes: [UInt8], around place: Range<Int>, bytesMax: Int
    ) -> (bytes: Range<Int>, isCutBefore: Bool, isCutBehind: Bool) {
        func isBreak(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
        var lower = place.lowerBound
        while lower > 0, !isBreak(bytes[lower - 1]), place.lowerBound - lower < bytesMax {
            lower -= 1
        }
        var upper = place.lowerBound
        while upper < bytes.count, !isBreak(bytes[upper]), upper - place.lowerBound < bytesMax {
            upper += 1
        }
        let isCutBefore = lower > 0 && !isBreak(bytes[lower - 1])
        let isCutBehind = upper < bytes.count && !isBreak(bytes[upper])
        // Never inside of a character.
        while lower < place.lowerBound, bytes[lower] & 0xC0 == 0x80 { lower += 1 }
        while upper < bytes.count, upper > place.lowerBound, bytes[upper] & 0xC0 == 0x80 {
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

    /// The cells that are shown: all if they fit, otherwise those around the place.
    private static func fit(
        _ cells: [Cell], around place: Int, columnsMax: Int
    ) -> Range<Int> {
        if cells.reduce(0, { $0 + $1.width }) <= columnsMax { return 0..<cells.count }
        let room = max(1, columnsMax - 2 * mark.count)
        var lower = place
        var upper = place
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
