import FirnTesting
import FirnTools
import Testing

/// Records that are inserted without a plan, against the same records in a spelling that needs one.
@Suite("Inserting records without a plan")
struct DirectInsertionTests {
    private struct Setting: CustomStringConvertible {
        let seed: UInt64
        let options: [String]

        var description: String { "seed \(seed) \(options)" }

        static let all = TestScale.seeds(24).flatMap { seed in
            [[], ["--on-error", "skip"], ["--batch", "7"]].map {
                Setting(seed: seed, options: $0)
            }
        }
    }

    private let plain = CommandHarness()
    private let planned = CommandHarness()

    private func make(_ harness: CommandHarness) throws -> String {
        let file = try harness.makePeople()
        let run = harness.run([
            "alter", file, "add Person.score Double?", "add Person.when Date?",
            "add Person.ok Bool?", "add Person.small Int8?", "add Person.boss Person", "-q",
        ])
        #expect(run.status == 0, "\(run.errors)")
        return file
    }

    /// The good values of each property, and after them the values that are wrong or rare.
    private static let values: [(name: String, usual: [String], rare: [String])] = [
        ("name", [#""Bo""#, #""Łukasz Müller""#, #""""#], [#""a\nb""#, "null", "5"]),
        ("age", ["5", "-3", "41", "0"], [#""7""#, "1.5", "null", "99999999999999999999", "-0"]),
        ("city", [#""Oslo""#, #""Rome""#], [#""\u0041""#, "true"]),
        ("score", ["1.5", "0.1", "-2.25", "null", "12"], ["1e5", "-0", #""NaN""#, "1e400"]),
        (
            "when", [#""2016-03-01T18:38:29Z""#, "null"],
            [#""2016-03-01""#, #""2016-03-01T18:38:29.5+02:00""#, #""x""#]
        ),
        ("ok", ["true", "false", "null"], [#""true""#, "1"]),
        ("small", ["1", "-128", "null"], ["200"]),
        ("boss", ["7", "9", "null"], ["999", #""x""#]),
    ]

    /// Returns records, most of which are right, without their first brace.
    private static func records(_ generator: inout SplitMix64, rarity: UInt64) -> [String] {
        (0..<40).map { number in
            let key = generator.happens(oneIn: rarity) ? Int(generator.next() % 40) : 100 + number
            var members = [#""id":\#(key)"#]
            for (name, usual, rare) in values {
                let isOptional = !["name", "age", "city"].contains(name)
                if isOptional ? generator.happens(oneIn: 3) : generator.happens(oneIn: rarity * 2) {
                    continue
                }
                let from = generator.happens(oneIn: rarity * 2) ? rare : usual
                members.append(#""\#(name)":\#(from[Int(generator.next() % UInt64(from.count))])"#)
            }
            if generator.happens(oneIn: rarity * 3) { members.append(#""other":1"#) }
            if generator.happens(oneIn: rarity * 3) { members.append(#""id":\#(key)"#) }
            if generator.happens(oneIn: 9) { members.insert(#""$class":"Person""#, at: 0) }
            if generator.happens(oneIn: 9) { members.append(#""$id":\#(number)"#) }
            if generator.happens(oneIn: 4) { members.shuffle(using: &generator) }
            return members.joined(separator: ",") + "}"
        }
    }

    @Test(
        "Records have the same effect and the same errors with and without a plan",
        arguments: Setting.all)
    private func sameEffect(setting: Setting) throws {
        var generator = SplitMix64(seed: setting.seed)
        let records = Self.records(&generator, rarity: setting.seed % 3 == 0 ? 1_000 : 60)
        let files = (try make(plain), try make(planned))
        let words = ["-", "-c", "Person", "--insert", "--errors", "json"] + setting.options
        // A tab makes an object that needs a tree, and moves nothing to another line.
        let runs = (
            plain.run(
                ["write", files.0] + words,
                input: records.map { "{" + $0 }.joined(separator: "\n")),
            planned.run(
                ["write", files.1] + words,
                input: records.map { "{\t" + $0 }.joined(separator: "\n"))
        )
        #expect(runs.0.status == runs.1.status, "\(setting)")
        #expect(
            Self.errors(of: runs.0, files.0) == Self.errors(of: runs.1, files.1), "\(setting)")
        let contents = (
            plain.run(["export", files.0, "-f", "ndjson"]).output,
            planned.run(["export", files.1, "-f", "ndjson"]).output
        )
        #expect(contents.0 == contents.1, "\(setting)")
        #expect(plain.run(["check", files.0, "--deep"]).status == 0)
    }

    /// The errors without the name of the file and without offsets and excerpts, which the tab
    /// moves.
    private static func errors(of run: CommandHarness.Run, _ file: String) -> [String] {
        run.errors.split(separator: "\n").map { line in
            String(line).replacing(file, with: "FILE").replacing(#/"offset":\d+,?/#, with: "")
                .replacing(#/"excerpt":"[^"]*",?/#, with: "").replacing("\\t", with: "")
        }
    }

    @Test("Rows of a table have the same effect with and without a plan", arguments: 0..<12)
    func tables(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let cells: [[String]] = [
            ["Bo", "Łukasz", "\"a,b\"", "\"say \"\"x\"\"\""],
            ["5", "-3", seed % 4 == 0 ? "5.0" : "8"],
            ["Oslo"], ["1.5", "", "12", seed % 4 == 1 ? "1e5" : "3.25"],
            ["2016-03-01T18:38:29Z", "", seed % 5 == 0 ? "NA" : ""],
            ["true", "false", "", seed % 6 == 0 ? "1" : ""], ["1", ""], ["7", "9", ""],
        ]
        let rows = (0..<40).map { number in
            ["\(seed == 7 && number == 39 ? 7 : 100 + number)"]
                + cells.map { $0[Int(generator.next() % UInt64($0.count))] }
        }
        let input =
            (["id,name,age,city,score,when,ok,small,boss"] + rows.map { $0.joined(separator: ",") })
            .joined(separator: "\n")
        let files = (try make(plain), try make(planned))
        let words = ["-", "-c", "Person", "--errors", "json"]
        let runs = (
            plain.run(["write", files.0] + words, input: input),
            // A text for null needs a plan.
            planned.run(["write", files.1] + words + ["--null", "nothing"], input: input)
        )
        #expect(runs.0.status == runs.1.status, "\(runs.0.errors) \(runs.1.errors)")
        #expect(
            Self.errors(of: runs.0, files.0) == Self.errors(of: runs.1, files.1), "\(seed)")
        let contents = (
            plain.run(["export", files.0, "-f", "ndjson"]).output,
            planned.run(["export", files.1, "-f", "ndjson"]).output
        )
        #expect(contents.0 == contents.1)
        #expect(seed != 7 || runs.0.errors.contains("write.duplicate-key"))
    }

    @Test("A database made from records has types that fit all records")
    func inference() throws {
        let lines = [
            #"{"a":1,"b":"x","c":true,"d":1.5}"#, #"{"a":2,"b":"y","c":null,"d":2}"#,
            #"{"b":"z","a":3.5,"e":"2016-03-01T18:38:29Z"}"#, #"{"a":4,"b":"q","$id":9}"#,
        ]
        for (index, harness) in [plain, planned].enumerated() {
            let path = harness.folder("in.ndjson")
            try Fixtures.write(
                lines.map { index == 0 ? $0 : $0.replacing("{", with: "{\t") }
                    .joined(separator: "\n"), to: path)
            let run = harness.run(
                ["create", harness.folder("made.firn"), "--from", path, "--class", "Thing", "-q"])
            #expect(run.status == 0, "\(run.errors)")
        }
        let found = [plain, planned].map { harness in
            ["schema", "export"].map {
                harness.run([
                    $0, harness.folder("made.firn"), "-f", $0 == "schema" ? "json" : "ndjson",
                ])
                .output
            }
        }
        #expect(found[0] == found[1])
        #expect(found[0][0].contains("Double"))
    }
}
