import FirnTesting
import FirnTools
import Testing

/// `accept it with: firn alter f 'retype C.p Int?'` was printed for what is `Int?` already, and committed a
/// change after which the record still failed.
@Suite("Remedies for values of another type")
struct TypeRemedyTests {
    /// The types, each with a value of JSON and as it is in a table.
    private static let types = [
        ("Bool", "true"), ("Int", "7"), ("Int8", "7"), ("Int16", "7"), ("Float", "1.5"),
        ("Double", "1.5"), ("Decimal128", "\"1.5\""), ("String", "\"a\""), ("Data", "\"AAAA\""),
        ("Date", "\"2024-01-31T00:00:00Z\""), ("UUID", "\"00000000-0000-0000-0000-000000000001\""),
        ("ObjectId", "\"507f1f77bcf86cd799439011\""), ("Any", "1"),
    ]

    private static let values = [
        "5", "300", "70000", "1.5", "0.1234567890123456789", "1e30", "99999999999999999999", "true",
        "\"5\"", "\"1.5\"", "\"abc\"", "\"true\"", "\"2024-01-31\"", "\"\"", "null",
        "\"99999999999999999999\"", "\"1e999\"",
    ]

    @Test(
        "Following a suggested remedy lets the record be written", arguments: types.map(\.0),
        ["", "?"])
    func accepted(type: String, mark: String) throws {
        let harness = CommandHarness()
        let valid = try #require(Self.types.first { $0.0 == type }?.1)
        guard type != "Any" || mark.isEmpty else { return }
        var remedies = 0
        for (number, value) in Self.values.enumerated() {
            let isNull = value == "null"
            let text = value.replacing("\"", with: "")
            for (suffix, input) in [
                ("ndjson", "{\"id\":2,\"p\":\(value)}\n"),
                ("csv", "id,p\n2,\(isNull ? "" : text.isEmpty ? "\"\"" : text)\n"),
            ] {
                let file = harness.folder("\(suffix)-\(number).firn")
                let made = harness.run(
                    [
                        "create", file, "--from", "-", "--class", "C", "--type", "p=\(type)\(mark)",
                        "-q",
                    ], input: "{\"id\":1,\"p\":\(valid)}\n")
                try #require(made.status == 0, "\(made.errors)")
                let data = harness.folder("data-\(number).\(suffix)")
                try DatabaseImage.put(Array(input.utf8), at: data)
                let run = harness.run(["write", file, data, "-c", "C", "-q"])
                guard run.status != 0, let remedy = Self.command(in: run.errors) else { continue }
                remedies += 1
                let altered = harness.run(remedy + ["-q"])
                #expect(
                    altered.status == 0, "\(type)\(mark) \(value): \(run.errors)\(altered.errors)")
                let again = harness.run(["write", file, data, "-c", "C", "-q"])
                #expect(again.status == 0, "\(type)\(mark) \(value): \(run.errors)\(again.errors)")
            }
        }
        #expect(remedies > 0 || ["Any", "String"].contains(type))
    }

    /// Returns the words of a command of firn in an error, as a shell reads them.
    private static func command(in errors: String) -> [String]? {
        guard let start = errors.firstRange(of: "with: firn alter ") else { return nil }
        var words = ["alter"]
        var word = ""
        var isQuoted = false
        for character in errors[start.upperBound...].prefix(while: { $0 != "\n" }) {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted:
                words.append(word)
                word = ""
            default: word.append(character)
            }
        }
        return words + [word]
    }
}
