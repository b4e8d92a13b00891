import FirnValues

/// The parameters in the query part of a URL, in their order.
///
/// A plus sign is a space, as browsers write it in forms.
struct QueryItems: Sendable {
    private let items: [(name: String, value: String)]

    /// - Returns: `nil` if a percent sign is not followed by two hexadecimal digits, or if the
    ///   decoded bytes are not UTF-8.
    init?(_ text: Substring) {
        var items: [(name: String, value: String)] = []
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = QueryItems.decoded(pair[0].utf8),
                let value = pair.count == 1 ? "" : QueryItems.decoded(pair[1].utf8)
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    /// The names, with repetitions.
    var names: [String] { items.map(\.name) }

    /// Returns the values of a parameter.
    func values(_ name: String) -> [String] {
        items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// Returns the text that percent-encoded bytes represent, or `nil` if they are invalid.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimal),
                    let low = rest.popFirst().flatMap(hexadecimal)
                else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
