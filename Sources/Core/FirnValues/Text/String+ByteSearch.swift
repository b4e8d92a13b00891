// Swift searches strings for characters as readers see them: a quote with a combining accent is not a quote,
// and a carriage return with a line feed is one character that is neither. What is quoted, escaped or split
// consists of bytes for the program that reads it. The overloads of this file take precedence over the
// standard library's for literals in every file that imports FirnValues; .ci/checks/tidy checks that a file
// that searches imports it.

extension Substring {
    /// Returns the position of the first occurrence of the bytes of a part, at or after an index.
    ///
    /// - Complexity: O(n * m)
    private func firstRange(of part: String, from start: Index) -> Range<Index>? {
        guard let first = part.utf8.first else { return nil }
        var index = start
        while index < endIndex {
            if utf8[index] == first, utf8[index...].starts(with: part.utf8) {
                return index..<utf8.index(index, offsetBy: part.utf8.count)
            }
            index = utf8.index(after: index)
        }
        return nil
    }

    /// Returns whether the bytes of a part occur in the text; an empty part does.
    package func contains(_ part: String) -> Bool {
        part.isEmpty || firstRange(of: part, from: startIndex) != nil
    }

    /// Returns the parts before and after the first occurrence of the bytes of a separator; `nil`
    /// if there is none.
    package func cut(at separator: String) -> (before: Substring, after: Substring)? {
        firstRange(of: separator, from: startIndex).map {
            (self[..<$0.lowerBound], self[$0.upperBound...])
        }
    }

    /// Returns the parts before and after the last occurrence of the bytes of a separator; `nil` if
    /// there is none.
    package func cut(atLast separator: String) -> (before: Substring, after: Substring)? {
        var last: Range<Index>?
        while let found = firstRange(of: separator, from: last?.upperBound ?? startIndex) {
            last = found
        }
        return last.map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }

    /// Returns the pieces between the occurrences of the bytes of a separator.
    ///
    /// - Parameters:
    ///   - maxSplits: The largest number of occurrences that separate pieces.
    ///   - omittingEmptySubsequences: Whether only pieces with bytes are returned.
    package func split(
        separator: String, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        var pieces: [Substring] = []
        var start = startIndex
        func append(to end: Index) {
            if start < end || !omittingEmptySubsequences { pieces.append(self[start..<end]) }
        }
        while pieces.count < maxSplits, let found = firstRange(of: separator, from: start) {
            append(to: found.lowerBound)
            start = found.upperBound
        }
        append(to: endIndex)
        return pieces
    }

    /// Returns the text with other bytes in place of each occurrence of the bytes of a part.
    package func replacing(_ part: String, with other: String) -> String {
        var result = ""
        var start = startIndex
        while let found = firstRange(of: part, from: start) {
            result += self[start..<found.lowerBound]
            result += other
            start = found.upperBound
        }
        return result + self[start...]
    }
}

extension String {
    /// Returns whether the bytes of a part occur in the text; an empty part does.
    package func contains(_ part: String) -> Bool { self[...].contains(part) }

    /// Returns the parts before and after the first occurrence of the bytes of a separator; `nil`
    /// if there is none.
    package func cut(at separator: String) -> (before: Substring, after: Substring)? {
        self[...].cut(at: separator)
    }

    /// Returns the parts before and after the last occurrence of the bytes of a separator; `nil` if
    /// there is none.
    package func cut(atLast separator: String) -> (before: Substring, after: Substring)? {
        self[...].cut(atLast: separator)
    }

    /// Returns the pieces between the occurrences of the bytes of a separator, like the method of
    /// `Substring`.
    package func split(
        separator: String, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        self[...].split(
            separator: separator, maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences)
    }

    /// Returns the text with other bytes in place of each occurrence of the bytes of a part.
    package func replacing(_ part: String, with other: String) -> String {
        self[...].replacing(part, with: other)
    }

    /// Returns the text without a number of bytes at its ends, which must be ASCII letters or
    /// signs.
    package func trimmingBytes(first: Int = 0, last: Int = 0) -> String {
        String(decoding: utf8.dropFirst(first).dropLast(last), as: UTF8.self)
    }
}
