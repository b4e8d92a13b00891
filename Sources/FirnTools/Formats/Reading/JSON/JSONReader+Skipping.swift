extension JSONReader {
    /// After a mistake in a record of a stream: goes to the line that the next record begins on.
    ///
    /// A record that should have been one line is given up with its line, wherever in it or behind
    /// it the mistake was noticed: the lines that follow are records of their own.
    mutating func skipRecord() throws(InputError) {
        let isLong = line > recordLine
        position = buffer.rowStart
        line = recordLine
        try skipLine()
        // What was written over several lines has its inner lines indented, and closes in the last.
        while isLong, try hasByte(), " \t}]".utf8.contains(buffer.base[position]) {
            try skipLine()
        }
    }

    private mutating func skipLine() throws(InputError) {
        while true {
            buffer.rowStart = position
            guard try hasByte() else { return }
            while position < buffer.end {
                let byte = buffer.base[position]
                position += 1
                guard byte == 0x0A else { continue }
                beginLine()
                buffer.rowStart = position
                return
            }
        }
    }
}
