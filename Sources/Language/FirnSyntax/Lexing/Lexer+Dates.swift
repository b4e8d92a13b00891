import FirnValues

extension Lexer {
    /// Scans `yyyy-mm-dd`, optionally with `T` or `@`, a time of day, a fraction and an offset.
    ///
    /// The result is `nil`, and the position is unchanged, if no date starts here.
    mutating func scanDate() throws(QueryError) -> Token.Kind? {
        let start = position
        guard let dateEnd = endOfDate() else { return nil }
        position = dateEnd
        if let mark = peek(), Lexer.dateTimeMarks.contains(mark),
            let digit = peek(1), Lexer.isDigit(digit)
        {
            position += 1
            skipTimeOfDay()
            skipOffset()
        }
        if let byte = peek(), Lexer.isNamePart(byte) {
            position += characterLength()
            throw malformedDate(start)
        }
        guard let timestamp = parseDate(start..<position) else { throw malformedDate(start) }
        return .date(timestamp)
    }

    private static let dateTimeMarks = [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "@")]

    /// Returns the end of `dddd-d{1,2}-d{1,2}`, if it starts here.
    private func endOfDate() -> Int? {
        func digits(at index: Int, atMost count: Int) -> Int {
            var length = 0
            while length < count, index + length < bytes.count,
                Lexer.isDigit(bytes[index + length])
            {
                length += 1
            }
            return length
        }
        func isHyphen(_ index: Int) -> Bool {
            index < bytes.count && bytes[index] == UInt8(ascii: "-")
        }
        var index = position
        guard digits(at: index, atMost: 5) == 4, isHyphen(index + 4) else { return nil }
        index += 5
        let month = digits(at: index, atMost: 3)
        guard (1...2).contains(month), isHyphen(index + month) else { return nil }
        index += month + 1
        let day = digits(at: index, atMost: 3)
        return (1...2).contains(day) ? index + day : nil
    }

    private mutating func skipTimeOfDay() {
        while let byte = peek(), Lexer.isDigit(byte) || byte == UInt8(ascii: ":") { position += 1 }
        if peek() == UInt8(ascii: "."), let digit = peek(1), Lexer.isDigit(digit) {
            position += 1
            skipDigits()
        }
    }

    /// Skips `Z`, or a sign and two digits that do not begin a duration.
    private mutating func skipOffset() {
        guard let sign = peek() else { return }
        if sign | 0x20 == UInt8(ascii: "z") { position += 1 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let first = peek(1), let second = peek(2), Lexer.isDigit(first), Lexer.isDigit(second)
        else { return }
        var length = 3
        if peek(length) == UInt8(ascii: ":") { length += 1 }
        if let first = peek(length), let second = peek(length + 1),
            Lexer.isDigit(first), Lexer.isDigit(second)
        {
            length += 2
        }
        if let next = peek(length), Lexer.isNamePart(next) { return }
        position += length
    }

    /// Parses a date.
    ///
    /// Nanoseconds can follow a third colon.
    private func parseDate(_ range: Range<Int>) -> Timestamp? {
        let colons = range.filter { bytes[$0] == UInt8(ascii: ":") }
        let mark = range.dropFirst(8).first { Lexer.dateTimeMarks.contains(bytes[$0]) }
        let hasOffset = mark.map { mark in
            bytes[mark..<range.upperBound].contains {
                $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
            }
        }
        guard colons.count == 3, hasOffset == false else { return Lexer.timestamp(bytes[range]) }
        let nanoseconds = Int64(text(colons[2] + 1..<range.upperBound))
        guard let nanoseconds, (0..<1_000_000_000).contains(nanoseconds),
            let second = Lexer.timestamp(bytes[range.lowerBound..<colons[2]])
        else { return nil }
        return Timestamp(seconds: second.seconds, nanoseconds: nanoseconds)
    }

    /// Scans `T<seconds>:<nanoseconds>`.
    ///
    /// The result is `nil`, and the position is unchanged, if this form does not start here.
    mutating func scanSecondsDate() throws(QueryError) -> Token.Kind? {
        let start = position
        position += 1
        guard skipSignedDigits(), peek() == UInt8(ascii: ":") else {
            position = start
            return nil
        }
        position += 1
        guard skipSignedDigits(), let timestamp = Lexer.timestamp(bytes[start..<position]) else {
            throw malformedDate(start)
        }
        return .date(timestamp)
    }

    private mutating func skipSignedDigits() -> Bool {
        if peek() == UInt8(ascii: "-") { position += 1 }
        let start = position
        skipDigits()
        return position > start
    }

    private static func timestamp(_ slice: ArraySlice<UInt8>) -> Timestamp? {
        slice.withUnsafeBufferPointer { Timestamp.parse($0)?.timestamp }
    }

    private func malformedDate(_ start: Int) -> QueryError {
        let range = start..<position
        let shown = range.count > 40 ? "this" : text(range)
        return syntaxError(
            "\(shown) is not a date that exists", range,
            hint: "such as 2013-01-31 or 2013-01-31T10:00:00.5+02:00")
    }
}
