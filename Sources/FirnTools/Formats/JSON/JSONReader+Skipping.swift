extension JSONReader {
    /// Keeps a line without end out of memory.
    static let givenUpByteCountMaximum = 1 << 20

    /// After a mistake in a record of a stream: goes to the line that the next record begins on.
    ///
    /// A record that should have been one line is given up with its line, wherever in it or behind
    /// it the mistake was noticed: the lines that follow are records of their own.
    ///
    /// - Parameter lines: gets what is given up, at most ``givenUpByteCountMaximum`` bytes of it.
    mutating func skipRecord(keeping lines: inout [UInt8]) throws(InputError) {
        let isLong = line > recordLine
        position = buffer.rowStart
        line = recordLine
        try skipLine(keeping: &lines)
        // What was written over several lines has its inner lines indented, and closes in the last.
        while isLong, try hasByte(), " \t}]".utf8.contains(buffer.base[position]) {
            try skipLine(keeping: &lines)
        }
    }

    private mutating func skipLine(keeping lines: inout [UInt8]) throws(InputError) {
        while true {
            buffer.rowStart = position
            guard try hasByte() else { return }
            let start = position
            while position < buffer.end, buffer.base[position] != 0x0A { position += 1 }
            let room = JSONReader.givenUpByteCountMaximum - lines.count
            lines += UnsafeBufferPointer(
                start: buffer.base + start, count: min(position - start, room))
            guard position < buffer.end else { continue }
            if lines.count < JSONReader.givenUpByteCountMaximum { lines.append(0x0A) }
            position += 1
            beginLine()
            buffer.rowStart = position
            return
        }
    }
}
