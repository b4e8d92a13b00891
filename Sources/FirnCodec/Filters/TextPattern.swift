/// A question about a string, such as `BEGINSWITH[c] "ab"`.
package struct TextPattern: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        /// `*` stands for any run of characters, `?` for exactly one, `\` takes the next literally.
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
    package let operand: String
    package let options: Options

    package init(_ kind: Kind, _ operand: String, _ options: Options = []) {
        self.kind = kind
        self.operand = operand
        self.options = options
    }
}
