import FirnValues

/// The text that replaces a match: `$0` is the match, `$1` its first group, `$$` a dollar sign.
struct MatchReplacement {
    enum Part {
        case text([UInt8])
        case group(Int)
    }

    private(set) var parts: [Part] = []

    /// The highest group number.
    var groupMax: Int {
        parts.reduce(0) { if case .group(let number) = $1 { max($0, number) } else { $0 } }
    }

    /// - Returns: `nil` if a dollar sign is followed by anything else.
    init?(_ text: String) {
        var literal: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                literal.append(byte)
                continue
            }
            switch bytes.popFirst() {
            case UInt8(ascii: "$"): literal.append(UInt8(ascii: "$"))
            case let digit? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit):
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = []
                parts.append(.group(Int(digit - UInt8(ascii: "0"))))
            default: return nil
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
    }
}
