package import FirnText

/// The positions of every n-th row of an input, from which threads can read parts of it.
package struct RowPositions: Sendable {
    /// The form of the rows, for readers that do not begin at the start of the input.
    package enum Form: Sendable {
        case table(TableForm)
        /// JSON objects that follow each other.
        case objects
    }

    /// The starts of the rows of a block, relative to the block.
    package struct Block: Sendable {
        fileprivate var rows: [(offset: UInt32, line: UInt32)] = []
        fileprivate var lineCount: UInt64 = 0
    }

    package let form: Form
    /// The number of rows of a part.
    package let partRowCount: Int
    /// The position of the first row of each part.
    package private(set) var starts: [TextPosition] = []
    package private(set) var rowCount = 0
    /// The position after the last row.
    package private(set) var end = TextPosition.start

    package init(_ form: Form, partRowCount: Int) {
        self.form = form
        self.partRowCount = max(1, partRowCount)
    }

    /// The number of parts with ``partRowCount`` rows; the last part may have fewer.
    package var fullPartCount: Int { rowCount / partRowCount }

    /// The size in bytes of the longest part.
    package var longestPartByteCount: UInt64 {
        let ends = starts.dropFirst().map(\.offset) + [end.offset]
        return zip(starts, ends).map { $1 - $0.offset }.max() ?? 0
    }

    /// Adds the rows of the next block, which begins at ``end``.
    package mutating func append(_ block: Block, byteCount: Int) {
        let first = (partRowCount - rowCount % partRowCount) % partRowCount
        for index in stride(from: first, to: block.rows.count, by: partRowCount) {
            let row = block.rows[index]
            starts.append(
                TextPosition(
                    offset: end.offset + UInt64(row.offset), line: end.line + UInt64(row.line)))
        }
        rowCount += block.rows.count
        end = TextPosition(
            offset: end.offset + UInt64(byteCount), line: end.line + block.lineCount)
    }
}

extension RowPositions.Block {
    /// Adds a row.
    ///
    /// - Parameters:
    ///   - offset: the offset of the row in the input.
    ///   - line: its first line.
    ///   - start: the position of the block.
    @inline(__always)
    mutating func append(_ offset: UInt64, _ line: UInt64, from start: TextPosition) {
        rows.append(
            (
                UInt32(truncatingIfNeeded: offset &- start.offset),
                UInt32(truncatingIfNeeded: line &- start.line)
            ))
    }

    /// Ends the block with a line.
    mutating func end(at line: UInt64, from start: TextPosition) {
        lineCount = line - start.line
    }
}
