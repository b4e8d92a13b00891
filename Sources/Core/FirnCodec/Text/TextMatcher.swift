package import FirnValues

/// A prepared pattern of text or bytes, for repeated matching.
///
/// Every comparison with `[c]` or `[d]` is evaluated here, unless an index of folded keys decides it.
/// Filters have faster loops for some exact comparisons.
///
/// Without options, and for ASCII text with any options, nothing is allocated: ASCII has no
/// diacritics, and its letters fold with one bit. Other text is folded and then compared byte by
/// byte. `?` matches one Unicode scalar of the folded text.
package struct TextMatcher: Sendable {
    private let kind: TextPattern.Kind
    private let options: TextPattern.Options
    /// The folded operand.
    let needle: [UInt8]
    private let like: LikePattern?
    private let expression: RegularExpression?
    /// Whether the bytes of the text are compared unchanged.
    let isExact: Bool
    /// Whether the pattern applies to Data instead of strings.
    private let asksData: Bool

    package init(_ pattern: TextPattern) {
        let options = pattern.options
        func fold(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            options.isEmpty ? Array(utf8) : TextFolding.fold(utf8, options)
        }
        expression = pattern.expression
        kind = pattern.kind
        self.options = options
        isExact = options.isEmpty
        asksData = pattern.bytes != nil
        if let bytes = pattern.bytes {
            let folded = bytes.withUnsafeBufferPointer {
                options.isEmpty ? bytes : TextFolding.fold(bytes: $0, options)
            }
            needle = folded
            like = pattern.kind == .like ? LikePattern(bytes: folded) : nil
        } else {
            var operand = pattern.operand
            needle = operand.withUTF8(fold)
            like = pattern.kind == .like ? LikePattern(pattern.operand, fold: fold) : nil
        }
    }

    /// Whether the pattern matches a missing text.
    package var matchesNull: Bool { kind == .notEqual }

    /// Returns whether the pattern matches a value.
    ///
    /// Only texts, or only Data, can match.
    package func matches(_ value: Value) -> Bool {
        value.withBytes(of: asksData ? .data : .string) { matches($0) } ?? matchesNull
    }

    /// Returns whether the pattern matches valid UTF-8, or the bytes of Data if it applies to Data.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if let expression { return matches(text, expression) }
        if isExact { return compare(text, lowercasing: false) }
        if UTF8Validation.asciiPrefix(UnsafeRawBufferPointer(text)) == text.count {
            return compare(text, lowercasing: options.contains(.caseInsensitive))
        }
        let folded =
            asksData ? TextFolding.fold(bytes: text, options) : TextFolding.fold(text, options)
        return folded.withUnsafeBufferPointer { compare($0, lowercasing: false) }
    }

    /// Matches a regular expression, whose characters ignore case on their own.
    private func matches(
        _ text: UnsafeBufferPointer<UInt8>, _ expression: RegularExpression
    ) -> Bool {
        guard options.contains(.diacriticInsensitive) else { return expression.matches(text) }
        return TextFolding.fold(text, .diacriticInsensitive).withUnsafeBufferPointer {
            expression.matches($0)
        }
    }

    private func compare(_ text: UnsafeBufferPointer<UInt8>, lowercasing: Bool) -> Bool {
        if let like { return like.matches(text, lowercasing: lowercasing) }
        return needle.withUnsafeBufferPointer { needle in
            let spare = text.count - needle.count
            switch kind {
            case .equal: return spare == 0 && isAt(0, text, needle, lowercasing)
            case .notEqual: return !(spare == 0 && isAt(0, text, needle, lowercasing))
            default: break
            }
            // Nothing contains an empty operand, as in Foundation.
            guard !needle.isEmpty, spare >= 0 else { return false }
            switch kind {
            case .beginsWith: return isAt(0, text, needle, lowercasing)
            case .endsWith: return isAt(spare, text, needle, lowercasing)
            default: return (0...spare).contains { isAt($0, text, needle, lowercasing) }
            }
        }
    }

    @inline(__always)
    private func isAt(
        _ start: Int, _ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>,
        _ lowercasing: Bool
    ) -> Bool {
        var index = 0
        while index < needle.count {
            let byte = text[start &+ index]
            let folded = lowercasing ? TextFolding.lowercase(ascii: byte) : byte
            if folded != needle[index] { return false }
            index &+= 1
        }
        return true
    }
}
