import FirnPlatform

extension JSONReader {
    /// The place of the byte at ``position``.
    @inline(__always)
    var here: JSONPlace { JSONPlace(offset: buffer.bytesBefore &+ UInt64(position), line: line) }

    /// Whether there is a byte at ``position``, reading more if need be.
    @inline(__always)
    mutating func hasByte() throws(InputError) -> Bool {
        if position < buffer.end { return true }
        return try refill()
    }

    /// Goes over white space.
    ///
    /// - Returns: the byte behind it, or `nil` at the end of the input.
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

    /// Goes over white space of which nothing is kept.
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

    /// Whether this is white space; goes behind it then.
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

    /// Behind a line feed.
    @inline(__always)
    mutating func beginLine() {
        line &+= 1
        lineOffset = bytesRead
        charactersBefore = 0
    }

    /// Goes behind a byte that must come next.
    @inline(__always)
    mutating func skip(
        _ byte: UInt8, _ expected: @autoclosure () -> String
    ) throws(InputError) {
        guard try nextByte() == byte else { throw unexpected(expected()) }
        position &+= 1
    }

    /// Reads more; positions move with the record, so they are kept relative to its beginning.
    private mutating func refill() throws(InputError) -> Bool {
        if position - buffer.rowStart > limits.recordBytesMax {
            throw limitError("a record is longer than \(limits.recordBytesMax) bytes")
        }
        while position >= buffer.end {
            // What lies before the record is given up.
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
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while buffer.end < mark.count, !buffer.isAtEnd {
            do { _ = try buffer.refill(from: source) } catch {
                throw InputError(error, name: name)
            }
        }
        guard buffer.end >= mark.count else { return }
        for (index, byte) in mark.enumerated() where buffer.base[index] != byte { return }
        position = mark.count
        lineOffset = UInt64(mark.count)
    }
}
