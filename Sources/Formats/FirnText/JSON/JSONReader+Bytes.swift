import FirnPlatform
import FirnValues

extension JSONReader {
    /// The position of the byte at ``position`` in the input.
    @inline(__always)
    var here: TextPosition {
        TextPosition(offset: buffer.bytesBefore &+ UInt64(position), line: line)
    }

    /// Whether there is a byte at ``position``; reads more if necessary.
    @inline(__always)
    mutating func hasByte() throws(InputError) -> Bool {
        if position < buffer.end { return true }
        return try refill()
    }

    /// Skips white space.
    ///
    /// - Returns: the byte after it, or `nil` at the end of the input.
    @inline(__always)
    mutating func nextByte() throws(InputError) -> UInt8? {
        if position < buffer.end {
            let byte = buffer.base[position]
            if byte > 0x20 { return byte }
        }
        return try skipSpace()
    }

    @inline(never)
    private mutating func skipSpace() throws(InputError) -> UInt8? {
        while try hasByte() {
            let byte = buffer.base[position]
            guard isSpace(byte) else { return byte }
        }
        return nil
    }

    /// Skips white space between records, which is discarded.
    mutating func byteBetweenRecords() throws(InputError) -> UInt8? {
        while true {
            while position < buffer.end {
                let byte = buffer.base[position]
                guard isSpace(byte) else {
                    buffer.rowStart = position
                    return byte
                }
            }
            buffer.rowStart = position
            guard try refill() else { return nil }
        }
    }

    /// Returns whether the byte is white space, and advances past it.
    @inline(__always)
    private mutating func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0D: position &+= 1
        case 0x0A:
            position &+= 1
            beginLine()
        default: return false
        }
        return true
    }

    /// Advances the line count after a line feed.
    @inline(__always)
    mutating func beginLine() {
        line &+= 1
        lineOffset = bytesRead
        charactersBefore = 0
    }

    /// Skips a byte that must come next.
    @inline(__always)
    mutating func skip(
        _ byte: UInt8, _ expected: @autoclosure () -> String
    ) throws(InputError) {
        guard try nextByte() == byte else { throw unexpected(expected()) }
        position &+= 1
    }

    /// Reads more bytes.
    ///
    /// Positions move with the record, so they are stored relative to its start.
    private mutating func refill() throws(InputError) -> Bool {
        if position - buffer.rowStart > limits.recordBytesMax {
            throw limitError("a record is longer than \(limits.recordBytesMax) bytes")
        }
        while position >= buffer.end {
            // The bytes before the record are discarded.
            if !buffer.isAtEnd { charactersBefore += charactersAtHand(to: buffer.rowStart) }
            let moved: Int?
            do { moved = try buffer.refill(from: source) } catch {
                throw InputError(error, name: name)
            }
            guard let moved else { return false }
            position -= moved
        }
        return true
    }

    mutating func skipByteOrderMark() throws(InputError) {
        do { position = try buffer.byteOrderMarkLength(from: source) } catch {
            throw InputError(error, name: name)
        }
        lineOffset = UInt64(position)
    }
}
