import FirnValues

/// A question about a string, such as `BEGINSWITH[c] "ab"`, or about the bytes of Data.
///
/// A pattern asks only values of its own subject; what it says of others, and of null, is what
/// `!=` says of a missing value.
package struct TextPattern: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        /// `*` stands for any run of characters, `?` for exactly one, `\` takes the next literally;
        /// in a pattern of bytes the three bytes of these characters do the same for bytes.
        case like = "LIKE"
        case equal = "=="
        case notEqual = "!="
    }

    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Written `[c]`.
        package static let caseInsensitive = Options(rawValue: 1)
        /// Written `[d]`.
        package static let diacriticInsensitive = Options(rawValue: 2)
    }

    package let kind: Kind
    /// The text that is asked for; empty for a pattern of bytes.
    package let operand: String
    /// The bytes that are asked for; nil for a pattern of text.
    package let bytes: [UInt8]?
    package let options: Options

    package init(_ kind: Kind, _ operand: String, _ options: Options = []) {
        self.kind = kind
        self.operand = operand
        bytes = nil
        self.options = options
    }

    /// A pattern that asks Data; bytes have neither case nor diacritics.
    package init(_ kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        operand = ""
        self.bytes = bytes
        options = []
    }

    /// Whether values of a kind can match; those of Any have to be looked at one by one.
    func asks(_ tag: ValueTag) -> Bool { tag == (bytes == nil ? .string : .data) }

    /// The operand as a value.
    var constant: Value { bytes.map { .data($0) } ?? .string(operand) }
}
