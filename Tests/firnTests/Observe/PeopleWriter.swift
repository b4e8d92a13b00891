import FirnTesting
import Testing

/// Consecutive writing processes, with one commit for each line.
final class PeopleWriter {
    private let start: () throws -> PipedProcess
    private var process: PipedProcess
    private var generator: SplitMix64
    private(set) var version: UInt64 = 1
    /// The keys of the existing objects, the only possible targets of links.
    private var people: Set<Int> = []

    init(_ executable: String, _ file: String, seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        start = {
            try PipedProcess(
                executable, ["write", file, "--input", "ops", "--batch", "1", "-"])
        }
        process = try start()
    }

    /// Creates a database with one class, whose objects have links and a list.
    static func makeDatabase(
        _ file: String, in folder: TemporaryFolder, _ runner: CommandRunner
    ) throws {
        let schema = folder("schema.json")
        let text = #"""
            {"v":1,"classes":[{"name":"Person","key":"id","properties":[
            {"name":"id","type":"Int"},{"name":"name","type":"String"},{"name":"age","type":"Int"},
            {"name":"boss","type":"Person"},{"name":"marks","type":"List<Int>"}]}]}
            """#
        try DatabaseImage.put(Array(text.utf8), at: schema)
        let made = try runner.run(["create", file, "--schema", schema, "-q"], input: "")
        try #require(made.status == 0, "\(made)")
    }

    /// Commits a random change.
    func commit() throws {
        if generator.happens(oneIn: 4),
            let id = people.sorted().randomElement(using: &generator)
        {
            people.remove(id)
            process.say(#"{"op":"delete","class":"Person","id":\#(id)}"#)
        } else {
            let id = Int.random(in: 0..<12, using: &generator)
            people.insert(id)
            let boss = people.sorted().randomElement(using: &generator).map { "\($0)" }
            let marks = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                "\(generator.next() % 10)"
            }
            process.say(
                #"{"op":"upsert","class":"Person","object":{"id":\#(id),"#
                    + #""name":"n\#(generator.next() % 5)","age":\#(generator.next() % 80),"#
                    + #""boss":\#(boss ?? "null"),"marks":[\#(marks.joined(separator: ","))]}}"#
            )
        }
        let report = try process.line()
        version =
            report.split(separator: ",").first { $0.contains("\"version\":") }
            .flatMap { UInt64($0.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }) }
            ?? version
    }

    /// Closes the file; ``begin()`` opens it again.
    func end() throws {
        process.endInput()
        let run = process.finish()
        try #require(run.status == 0, "\(run)")
    }

    func begin() throws { process = try start() }
}
