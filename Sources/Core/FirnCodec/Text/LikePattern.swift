import FirnValues

/// A LIKE pattern as tokens, which is matched with two pointers.
///
///     0...255  this byte      anyScalar  `?`      anyRun  `*`
///
/// If a token does not match, only the last `*` is extended by one: extending an earlier one could
/// not succeed either. The time is therefore at most the length of the text times the length of the
/// pattern between two `*`.
struct LikePattern: Sendable {
    private static let anyScalar: UInt16 = 256
    private static let anyRun: UInt16 = 257

    private let tokens: [UInt16]
    /// Whether `?` matches one byte instead of one character.
    private let isBytewise: Bool

    /// Creates a pattern for text.
    ///
    /// - Parameter fold: folds the literal parts.
    init(_ pattern: String, fold: (UnsafeBufferPointer<UInt8>) -> [UInt8]) {
        var tokens: [UInt16] = []
        var literal = ""
        func flush() {
            literal.withUTF8 { utf8 in tokens.append(contentsOf: fold(utf8).map(UInt16.init)) }
            literal = ""
        }
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                literal.unicodeScalars.append(scalar)
                isEscaped = false
                continue
            }
            switch scalar {
            case "\\": isEscaped = true
            case "*":
                flush()
                if tokens.last != Self.anyRun { tokens.append(Self.anyRun) }
            case "?":
                flush()
                tokens.append(Self.anyScalar)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        // A backslash at the end escapes nothing, so it is literal.
        if isEscaped { literal.append("\\") }
        flush()
        self.tokens = tokens
        isBytewise = false
    }

    /// Creates a pattern for arbitrary bytes.
    init(bytes pattern: [UInt8]) {
        var tokens: [UInt16] = []
        var isEscaped = false
        for byte in pattern {
            switch byte {
            case _ where isEscaped:
                tokens.append(UInt16(byte))
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "*"):
                if tokens.last != Self.anyRun { tokens.append(Self.anyRun) }
            case UInt8(ascii: "?"): tokens.append(Self.anyScalar)
            default: tokens.append(UInt16(byte))
            }
        }
        if isEscaped { tokens.append(UInt16(UInt8(ascii: "\\"))) }
        self.tokens = tokens
        isBytewise = true
    }

    /// Returns whether the pattern matches a whole text, which is valid UTF-8 or bytes.
    func matches(_ text: UnsafeBufferPointer<UInt8>, lowercasing: Bool) -> Bool {
        tokens.withUnsafeBufferPointer { tokens in
            var at = 0
            var token = 0
            var retryToken = -1
            var retryAt = 0
            while at < text.count {
                if token < tokens.count, tokens[token] == Self.anyRun {
                    token += 1
                    retryToken = token
                    retryAt = at
                    if token == tokens.count { return true }
                } else if token < tokens.count, fits(tokens[token], text[at], lowercasing) {
                    at = tokens[token] == Self.anyScalar ? next(text, at) : at + 1
                    token += 1
                } else if retryToken >= 0 {
                    retryAt = next(text, retryAt)
                    at = retryAt
                    token = retryToken
                } else {
                    return false
                }
            }
            while token < tokens.count, tokens[token] == Self.anyRun { token += 1 }
            return token == tokens.count
        }
    }

    @inline(__always)
    private func fits(_ token: UInt16, _ byte: UInt8, _ lowercasing: Bool) -> Bool {
        if token >= Self.anyScalar { return token == Self.anyScalar }
        return token == UInt16(lowercasing ? TextFolding.lowercase(ascii: byte) : byte)
    }

    /// Returns the start of the character after the one at `at`.
    @inline(__always)
    private func next(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
        var next = at + 1
        if isBytewise { return next }
        while next < text.count, UTF8Validation.isContinuation(text[next]) { next += 1 }
        return next
    }
}
