import FirnTesting
import Testing

/// One line of the General Decimal Arithmetic Testcases, with the directives that apply to it.
struct DecimalTestcase: CustomStringConvertible {
    let name: String
    /// In lower case.
    let operation: String
    let operands: [String]
    let result: String
    /// The conditions that the operation raises, in lower case.
    let conditions: Set<String>
    /// In lower case.
    let rounding: String

    var description: String {
        "\(name): \(operation) \(operands.joined(separator: " ")) -> \(result)"
    }

    /// All test cases of a file.
    static func read(_ file: String) throws -> [DecimalTestcase] {
        var rounding = ""
        var cases: [DecimalTestcase] = []
        for line in try Fixtures.text("dectest/\(file).decTest").split(separator: "\n") {
            let words = words(line)
            guard let first = words.first else { continue }
            if first.lowercased() == "rounding:" { rounding = words[1].lowercased() }
            guard let arrow = words.firstIndex(of: "->") else { continue }
            cases.append(
                DecimalTestcase(
                    name: first, operation: words[1].lowercased(),
                    operands: Array(words[2..<arrow]), result: words[arrow + 1],
                    conditions: Set(words[(arrow + 2)...].map { $0.lowercased() }),
                    rounding: rounding))
        }
        return cases
    }

    /// The words of a line up to a comment; quotes of either kind can contain spaces, and
    /// themselves doubled.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.drop { $0.isWhitespace }
        while let first = rest.first, !rest.hasPrefix("--") {
            var word = ""
            if first == "'" || first == "\"" {
                rest.removeFirst()
                while let end = rest.firstIndex(of: first) {
                    word += rest[..<end]
                    rest = rest[rest.index(after: end)...]
                    guard rest.first == first else { break }
                    word.append(rest.removeFirst())
                }
            } else {
                word = String(rest.prefix { !$0.isWhitespace })
                rest = rest.dropFirst(word.count)
            }
            words.append(word)
            rest = rest.drop { $0.isWhitespace }
        }
        return words
    }
}
