import FirnValues

extension JSONReader {
    /// The maximum size of skipped text that is kept, so that an endless line does not fill the
    /// memory.
    static let givenUpByteCountMaximum = 1 << 20

    /// Skips to the line of the next record after an error in a record of a stream.
    ///
    /// A record that should have been one line is skipped with its line, even if the error was
    /// noticed after it, because the following lines are separate records.
    ///
    /// - Parameter lines: receives the skipped text, at most ``givenUpByteCountMaximum`` bytes.
    package mutating func skipRecord(keeping lines: inout [UInt8]) throws(InputError) {
        let isLong = line > recordLine
        position = buffer.rowStart
        line = recordLine
        try skipLine(keeping: &lines)
        // A record of several lines has indented inner lines and a closing bracket in its last
        // line.
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
