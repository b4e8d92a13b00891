import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Skipped lines of invalid JSON")
struct WriteSkippingTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private static func record(_ id: Int) -> String {
        "{\"id\":\(id),\"name\":\"X\",\"age\":1,\"city\":\"Y\"}"
    }

    private func write(_ input: String, _ words: String...) -> CommandHarness.Run {
        harness.run(["write", file, "-", "-c", "Person"] + words, input: input)
    }

    /// The new ids, in order.
    private var ids: String {
        harness.run(["query", file, "Person id >= 20 SORT(id ASC) | select(id)", "-r"]).output
            .split(separator: "\n").joined(separator: " ")
    }

    @Test(
        "An invalid line is skipped, and the following lines are read",
        arguments: [
            ("{bad\n", 1), ("{\"bad\n", 1), ("garbage\n", 1), ("{\"id\":3}}\n", 2),
            ("{bad\n{bad\n", 2),
            // The missing part is noticed in the next line.
            ("{\"id\":3,\n", 1), ("{\"id\":3,\"name\":\n", 1),
            // Several lines are one record.
            ("{\n  \"id\": 3,\n  \"dogs\": [{\n  }, {oops}\n  ]\n}\n", 1),
        ])
    func skipped(broken: String, rejected: Int) {
        let input = "\(Self.record(20))\n\(broken)\(Self.record(21))\n\(Self.record(22))"
        let run = write(input, "--on-error", "skip")
        #expect(run.status == 65, "\(run.errors)")
        let isNamed = ["standard input:2:", "begins on line 2\n"].contains {
            run.errors.contains($0)
        }
        #expect(isNamed, "\(run.errors)")
        #expect(run.output.contains("\"inserted\":3,"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("\"rejected\":\(rejected),"), "\(run.output)")
        #expect(ids == "20 21 22")
    }

    @Test("Types are inferred even if the first and last lines are invalid")
    func ends() {
        let input = "{\"bad\n\(Self.record(20))\n{\"id\":6"
        let run = write(input, "--on-error", "skip", "--add-properties")
        #expect(run.output.contains("\"inserted\":1,"), "\(run.errors)")
        #expect(ids == "20")
    }

    @Test("A skipped line is saved with its number, and the positions of other lines are right")
    func saved() throws {
        let path = harness.folder("rejects.ndjson")
        let input = "{bad\n{\"id\":3,\n\(Self.record(20))\n{\"id\":\"x\"}\n"
        let run = write(input, "--on-error", "save=\(path)")
        #expect(run.errors.contains("standard input:4, id: "), "\(run.errors)")
        let lines = String(decoding: try Fixtures.read(path), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3)
        let kept = [
            #"},"line":1,"text":"{bad"}"#, #"},"line":2,"text":"{\"id\":3,"}"#,
            #"},"line":4,"record":{"id":"x"}}"#,
        ]
        for (line, end) in zip(lines, kept) { #expect(line.hasSuffix(end), "\(line)") }
    }

    @Test(
        "A skipped record is saved in full: several lines, other values, or invalid text")
    func savedWhole() throws {
        let path = harness.folder("rejects.ndjson")
        let input = harness.folder("input.ndjson")
        let bytes = Array("{\n  \"id\": oops\n}\n[7,\"x\"]\n".utf8) + [0x7B, 0xFF, 0x0A, 0x7B]
        try Fixtures.write(bytes, to: input)
        let run = harness.run(["write", file, input, "-c", "Person", "--on-error", "save=\(path)"])
        #expect(run.status == 65, "\(run.errors)")
        let lines = String(decoding: try Fixtures.read(path), as: UTF8.self).split(separator: "\n")
        let kept = [
            #","text":"{\n  \"id\": oops\n}"}"#, #","record":[7,"x"]}"#, #","base64":"e/8="}"#,
            #","text":"{"}"#,
        ]
        #expect(lines.count == kept.count, "\(lines)")
        for (line, end) in zip(lines, kept) { #expect(line.hasSuffix(end), "\(line)") }
    }

    /// The row after an empty line was skipped together with it.
    @Test(
        "Rows with the wrong number of fields are skipped, and empty lines are not rows",
        arguments: [[], ["--add-properties"]])
    func rows(options: [String]) throws {
        let path = harness.folder("rejects.ndjson")
        let input =
            "id,name,age,city\n20,X,1,Y\n9,\"a,b\"\n21,X,1,Y\n\n22,X,1,Y\n1,2,3,4,5\n23,X,1,Y\n"
        let run = harness.run(
            ["write", file, "-", "-c", "Person", "--on-error", "save=\(path)"] + options,
            input: input)
        #expect(run.status == 65)
        #expect(ids == "20 21 22 23", "\(run.errors)")
        let lines = String(decoding: try Fixtures.read(path), as: UTF8.self).split(separator: "\n")
        let kept = [
            #"},"line":3,"record":["9","a,b"]}"#,
            #"},"line":7,"record":["1","2","3","4","5"]}"#,
        ]
        #expect(lines.count == kept.count, "\(lines)")
        for (line, end) in zip(lines, kept) { #expect(line.hasSuffix(end), "\(line)") }
    }

    @Test("After a mistake in an array, the rest cannot be read, and the error says so")
    func array() {
        let run = write(
            "[\(Self.record(20)),{bad,\(Self.record(21))]", "--on-error", "skip")
        #expect(run.status == 65)
        #expect(run.errors.contains("nothing was written"), "\(run.errors)")
        #expect(ids.isEmpty)
    }

    @Test("Without the option nothing is written")
    func aborted() {
        let run = write("\(Self.record(20))\n{bad\n\(Self.record(21))")
        #expect(run.status == 65)
        #expect(run.errors.contains("standard input:2:2: not JSON"), "\(run.errors)")
        #expect(ids.isEmpty)
    }
}
