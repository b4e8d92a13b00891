package import FirnValues

/// A test of a string, such as `BEGINSWITH[c] "ab"`, or of the bytes of Data.
///
/// ``TextMatcher`` evaluates it.
///
/// A pattern applies only to values of its own kind. For other values and for null, only `!=`
/// passes.
package struct TextPattern: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        /// A match with wildcards: `*` for any run of characters, `?` for exactly one, `\` to
        /// escape the next.
        ///
        /// In a pattern of bytes, the three bytes of these characters have the same meaning for
        /// bytes.
        case like = "LIKE"
        /// A match of the whole text with a regular expression, only for strings.
        case matches = "MATCHES"
        case equal = "=="
        case notEqual = "!="
    }

    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `[c]`: ignores case.
        package static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: ignores diacritics.
        package static let diacriticInsensitive = Options(rawValue: 2)
    }

    package let kind: Kind
    /// The text to match; empty for a pattern of bytes.
    package let operand: String
    /// The bytes to match; `nil` for a pattern of text.
    package let bytes: [UInt8]?
    package let options: Options
    /// The compiled operand of `matches`, which it determines.
    let expression: RegularExpression?

    /// Creates a pattern for strings, of any kind but `matches`.
    package init(_ kind: Kind, _ operand: String, _ options: Options = []) {
        precondition(kind != .matches, "a regular expression has its own initializer")
        self.kind = kind
        self.operand = operand
        bytes = nil
        self.options = options
        expression = nil
    }

    /// Creates a pattern that matches a regular expression.
    package init(matching operand: String, _ options: Options = []) throws(PatternError) {
        kind = .matches
        self.operand = operand
        bytes = nil
        self.options = options
        let ignoresCase = options.contains(.caseInsensitive)
        let compiled = try RegularExpression(operand, ignoresCase: ignoresCase)
        guard options.contains(.diacriticInsensitive) else {
            expression = compiled
            return
        }
        // The characters of the operand have no diacritics either; its syntax is ASCII.
        var text = operand
        let folded = text.withUTF8 { TextFolding.fold($0, .diacriticInsensitive) }
        expression = try RegularExpression(
            String(decoding: folded, as: UTF8.self), ignoresCase: ignoresCase)
    }

    /// Creates a pattern for Data.
    ///
    /// With options, bytes that are UTF-8 are compared as text; of other bytes, only the case of
    /// ASCII letters is ignored.
    package init(_ kind: Kind, bytes: [UInt8], _ options: Options = []) {
        self.kind = kind
        operand = ""
        self.bytes = bytes
        self.options = options
        expression = nil
    }

    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.kind == right.kind && left.operand == right.operand && left.bytes == right.bytes
            && left.options == right.options
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(operand)
        hasher.combine(bytes)
        hasher.combine(options)
    }

    /// Returns whether values of a kind can match.
    ///
    /// Values of Any must be tested individually.
    func asks(_ tag: ValueTag) -> Bool { tag == (bytes == nil ? .string : .data) }

    /// The operand as a value.
    package var constant: Value { bytes.map { .data($0) } ?? .string(operand) }
}
