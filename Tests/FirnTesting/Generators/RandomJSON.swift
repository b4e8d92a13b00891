package import FirnText
import FirnValues

/// The values of a text, which the reader gets in pieces.
package func trees(_ text: String, pieceBytes: Int = .max) throws -> [JSONTree] {
    var reader = try JSONReader(
        MemorySource(Array(text.utf8), name: "in.json", pieceBytes: pieceBytes))
    var trees: [JSONTree] = []
    while case .value(let tree, _)? = try reader.next() { trees.append(tree) }
    return trees
}

/// A value as text, as the writers make it.
package enum JSONText {
    package static func text(_ tree: JSONTree) -> String {
        var buffer = TextBuffer(capacity: 64)
        buffer.append(json: tree)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

/// Values of all kinds, with what texts escape.
package enum RandomJSON {
    package static func tree(_ generator: inout SplitMix64, depth: Int) -> JSONTree {
        let position = TextPosition.start
        let count = Int.random(in: 0...5, using: &generator)
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return JSONTree(.null, at: position)
        case 1: return JSONTree(.bool(Bool.random(using: &generator)), at: position)
        case 2:
            let numbers = [
                String(Int64.random(in: .min ... .max, using: &generator)),
                Double.random(in: -1e9...1e9, using: &generator).description, "1e400", "-0",
                "0.5E-9",
            ]
            return JSONTree(.number(numbers.randomElement(using: &generator) ?? "0"), at: position)
        case 3, 4: return JSONTree(.string(text(&generator)), at: position)
        case 5:
            let elements = (0..<count).map { _ in tree(&generator, depth: depth - 1) }
            return JSONTree(.array(elements), at: position)
        default:
            let members = (0..<count).map { index in
                JSONTree.Member(
                    name: "\(index)" + text(&generator), value: tree(&generator, depth: depth - 1))
            }
            return JSONTree(.object(members), at: position)
        }
    }

    package static func text(_ generator: inout SplitMix64) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{1F}", "\u{7F}", "é",
            "\u{301}",
            "\u{2028}", "😀", "\u{10FFFF}", "ß",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            text.append(scalars.randomElement(using: &generator) ?? "a")
        }
        return String(text)
    }
}
