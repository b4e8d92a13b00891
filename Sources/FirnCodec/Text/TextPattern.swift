import FirnValues

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

    package init(_ kind: Kind, _ operand: String, _ options: Options = []) {
        self.kind = kind
        self.operand = operand
        bytes = nil
        self.options = options
    }

    /// Creates a pattern for Data.
    ///
    /// Bytes have neither case nor diacritics.
    package init(_ kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        operand = ""
        self.bytes = bytes
        options = []
    }

    /// Returns whether values of a kind can match.
    ///
    /// Values of Any must be tested individually.
    func asks(_ tag: ValueTag) -> Bool { tag == (bytes == nil ? .string : .data) }

    /// The operand as a value.
    var constant: Value { bytes.map { .data($0) } ?? .string(operand) }
}
