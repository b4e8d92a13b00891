import FirnPlatform
package import FirnText
import FirnValues

/// Reads the rows of CSV or TSV one after another, without copying fields.
///
/// Memory is bounded by the longest row plus one chunk, and rows are bounded by ``ReadingLimits``.
/// Any deviation from the format is an error with its position.
package struct DelimitedReader: ~Copyable {
    let format: DelimitedFormat
    /// Stored, because they are read for every field.
    let hasQuotes: Bool
    let quote: UInt8
    let delimiter: UInt8
    /// The first character of lines that are not rows; 0 if there is none.
    private let comment: UInt8
    let limits: ReadingLimits
    let source: any ByteSource
    let meanings: MeaningTable
    var buffer: ReadBuffer
    /// The next byte to read.
    var position = 0
    /// The line of ``position``, counted from 1.
    var line: UInt64
    /// The bitwise OR of all bytes of the row; below 0x80, there is nothing to validate.
    var seenBits: UInt8 = 0
    /// Whether the current field contains escapes.
    var hasEscapes = false
    /// The fields of the current row.
    private var fields = FieldList()
    /// The first line of the current row.
    private(set) var rowLine: UInt64
    /// The number of bytes of the input in the rows so far.
    var bytesRead: UInt64 { buffer.bytesBefore + UInt64(position) }
    /// The offset of the current row in the input, in bytes.
    var rowOffset: UInt64 { buffer.bytesBefore + UInt64(buffer.rowStart) }
    /// The name of the input, for errors.
    var name: String { source.name }

    /// - Parameter start: the position in the input at which the source begins, for errors.
    package init(
        _ source: any ByteSource, _ format: DelimitedFormat, at start: TextPosition = .start,
        limits: ReadingLimits = ReadingLimits()
    ) throws(InputError) {
        self.source = source
        self.format = format
        hasQuotes = format.quote != nil
        quote = format.quote ?? 0
        delimiter = format.delimiter
        comment = format.comment ?? 0
        self.limits = limits
        meanings = MeaningTable(format)
        buffer = ReadBuffer(capacity: limits.chunkBytes, bytesBefore: start.offset)
        line = start.line
        rowLine = start.line
        if start.offset == 0 { try skipByteOrderMark() }
    }

    /// Whether reading can continue without waiting for another process.
    var hasInput: Bool { position < buffer.end || source.hasInput }

    /// The number of fields of the current row.
    package var fieldCount: Int { fields.count }

    /// Drops the last field of the current row.
    mutating func dropLastField() { fields.removeLast() }

    /// The current row, which is valid until the next row is read.
    @inline(__always)
    var row: RowView {
        RowView(
            fields: UnsafePointer(fields.start), start: buffer.base + buffer.rowStart,
            count: fields.count, line: rowLine)
    }

    /// Returns the text of a field, which is valid until the next row is read.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> { row.text(index) }

    /// A copy of the current row as read, without its line end.
    var rowBytes: [UInt8] {
        var bytes = Array(
            UnsafeBufferPointer(
                start: buffer.base + buffer.rowStart, count: position - buffer.rowStart))
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    /// Returns a copy of the text of a field.
    package func string(_ index: Int) -> String { String(decoding: text(index), as: UTF8.self) }

    /// Advances to the next row.
    ///
    /// - Returns: whether there is a next row.
    package mutating func next() throws(InputError) -> Bool {
        if comment != 0 { try skipComments() }
        buffer.rowStart = position
        fields.removeAll()
        seenBits = 0
        rowLine = line
        guard try hasByte() else { return false }
        var isMore = true
        while isMore {
            guard fields.count < limits.columnsMax else {
                throw limitError("a row has more than \(limits.columnsMax) fields")
            }
            isMore = try readField()
        }
        return true
    }

    private mutating func skipComments() throws(InputError) {
        while try hasByte(), buffer.base[position] == comment { _ = try skipLine() }
    }

    /// Skips the rest of the line, whatever it contains.
    ///
    /// - Returns: whether there was a line.
    mutating func skipLine() throws(InputError) -> Bool {
        var isLine = false
        while true {
            buffer.rowStart = position
            guard try hasByte() else { return isLine }
            isLine = true
            let text = UnsafeBufferPointer(
                start: buffer.base + position, count: buffer.end - position)
            guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else {
                position = buffer.end
                continue
            }
            position += end + 1
            line += 1
            return true
        }
    }

    /// Appends a field between these positions.
    @inline(__always)
    mutating func addField(from start: Int, to end: Int, isQuoted: Bool) {
        fields.append(
            FieldSlice(start: start &- buffer.rowStart, length: end &- start, isQuoted: isQuoted))
    }

    /// Whether there is a byte at ``position``; reads more if necessary.
    @inline(__always)
    mutating func hasByte() throws(InputError) -> Bool {
        if position < buffer.end { return true }
        return try refill()
    }

    /// Reads more bytes.
    ///
    /// Positions move with the row, so they are stored relative to its start.
    private mutating func refill() throws(InputError) -> Bool {
        if position - buffer.rowStart > limits.rowBytesMax {
            throw limitError("a row is longer than \(limits.rowBytesMax) bytes")
        }
        while position >= buffer.end {
            let moved: Int?
            do { moved = try buffer.refill(from: source) } catch {
                throw InputError(error, name: name)
            }
            guard let moved else { return false }
            position -= moved
        }
        return true
    }

    private mutating func skipByteOrderMark() throws(InputError) {
        do { position = try buffer.byteOrderMarkLength(from: source) } catch {
            throw InputError(error, name: name)
        }
    }
}
