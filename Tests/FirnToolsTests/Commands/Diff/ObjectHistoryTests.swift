import FirnTesting
import FirnTools
import Testing

/// The versions that `firn log` lists for classes and for one object.
@Suite("The history of classes and objects")
struct ObjectHistoryTests {
    private let harness = CommandHarness()

    private func history() throws -> String {
        let file = harness.folder("p.firn")
        try Fixtures.write(
            """
            {"classes":[{"name":"P","key":"id","properties":[{"name":"id","type":"Int"},
            {"name":"n","type":"Int?"},{"name":"a","type":"A"}]},
            {"name":"A","embedded":true,"properties":[{"name":"city","type":"String"}]},
            {"name":"Loose","properties":[{"name":"n","type":"Int"}]}]}
            """, to: harness.folder("schema.json"))
        let steps: [([String], String)] = [
            (["create", file, "--schema", harness.folder("schema.json")], ""),
            (["write", file, "-c", "P", "-"], #"{"id":1,"a":{"city":"Rome"}}"# + "\n{\"id\":2}\n"),
            (["write", file, "-x", #"P id == 1 | set a.city = "Oslo""#], ""),
            (["write", file, "-c", "Loose", "-"], "{\"n\":5}\n"),
            (["write", file, "-x", "P id == 1 | delete"], ""),
            (["write", file, "-x", "P id == 2 | set n = 7"], ""),
            (["write", file, "-c", "P", "-"], "{\"id\":1}\n"),
            (["alter", file, "add P.note String?"], ""),
            (["write", file, "-x", "P | set n = 7"], ""),
            (["write", file, "-x", "Loose @id == 0 | set n = n + 1"], ""),
        ]
        for (words, input) in steps {
            let run = harness.run(words + ["-q"], input: input)
            #expect(run.status == 0, "\(words): \(run.errors)")
        }
        return file
    }

    /// Returns the lines without the times.
    private func log(_ file: String, _ options: [String]) -> [String] {
        let run = harness.run(["log", file, "-f", "text", "-q"] + options)
        return run.output.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: true)
            return ([parts[0]] + parts.dropFirst(2)).joined(separator: " ")
        }
    }

    @Test("log -c lists the versions that changed the objects of a class or their embedded objects")
    func classes() throws {
        let file = try history()
        #expect(
            log(file, ["-c", "P"]) == [
                "v9 P +0 ~1 -0", "v8 schema changed: add P.note String?", "v7 P +1 ~0 -0",
                "v6 P +0 ~1 -0", "v5 P +0 ~0 -1", "v3 P +0 ~1 -0", "v2 P +2 ~0 -0",
            ])
        #expect(
            log(file, ["-c", "Loose", "-n", "2"]) == [
                "v10 Loose +0 ~1 -0", "v8 schema changed: add P.note String?",
            ])
        #expect(log(file, ["-c", "P", "-c", "Loose", "--since", "9"]) == ["v10 Loose +0 ~1 -0"])
        let wrong = harness.run(["log", file, "-c", "Q"])
        #expect(wrong.status == 66 && wrong.errors.contains("there is no class \"Q\""))
    }

    @Test("log --object lists the versions that changed an object, with old and new values")
    func objects() throws {
        let file = try history()
        let arrow =
            harness.run(["log", file, "-f", "text", "-c", "P", "--object", "2"]).output
                .contains("→") ? "→" : "->"
        #expect(
            log(file, ["-c", "P", "--object", "1"]) == [
                "v9 P +0 ~1 -0 n: null \(arrow) 7", "v7 P +1 ~0 -0", "v5 P +0 ~0 -1",
                #"v3 P +0 ~1 -0 a: {"city":"Rome"} \#(arrow) {"city":"Oslo"}"#, "v2 P +1 ~0 -0",
            ])
        #expect(
            log(file, ["-c", "P", "--object", "2"]) == [
                "v6 P +0 ~1 -0 n: null \(arrow) 7", "v2 P +1 ~0 -0",
            ])
        #expect(
            log(file, ["-c", "Loose", "--object", "0"]) == [
                "v10 Loose +0 ~1 -0 n: 5 \(arrow) 6", "v4 Loose +1 ~0 -0",
            ])
        let json = harness.run(["log", file, "-c", "P", "--object", "2", "-f", "ndjson", "-n", "1"])
        #expect(json.output.contains(#""changed":["n"],"before":{"n":null},"after":{"n":7}"#))
        let none = harness.run(["log", file, "-c", "P", "--object", "9"])
        #expect(none.output == "" && none.errors == "no version that is kept has such a change\n")
    }

    @Test("An object without its class, or a word instead of a number, is refused")
    func refused() throws {
        let file = try history()
        let lone = harness.run(["log", file, "--object", "1"])
        #expect(lone.status == 64)
        #expect(lone.errors.contains("--object needs the class of the object: -c CLASS"))
        let text = harness.run(["log", file, "-c", "P", "--object", "x"])
        #expect(text.status == 64 && text.errors.contains("--object x is not a number"))
        #expect(text.errors.contains("give the id of one P"))
    }
}
