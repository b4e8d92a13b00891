import FirnPlatform
import FirnTesting
import Testing

@testable import FirnTools

/// `firn query p.firn Person -o p.firn` replaced the database by its own rows, with status 0.
@Suite("Files that an output may not replace")
struct KeptFileTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func bytes(_ path: String) throws -> [UInt8] { try DatabaseImage.bytes(of: path) }

    private func expectRefused(
        _ words: [String], keeping path: String, input: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try bytes(path)
        let run = harness.run(words, input: input)
        #expect(run.status == 73, "\(words): \(run)", sourceLocation: sourceLocation)
        #expect(
            run.errors.contains("it is a database or an input, which output never replaces"),
            "\(words): \(run)", sourceLocation: sourceLocation)
        #expect(
            run.errors.contains("choose another name"), "\(run)", sourceLocation: sourceLocation)
        #expect(try bytes(path) == before, "\(words)", sourceLocation: sourceLocation)
    }

    @Test(
        "An output never replaces a database, neither its own nor another, under any name",
        .tags(.security))
    func databases() throws {
        let made = harness.run(["query", file, "Person", "-o", harness.folder("rows.csv")])
        #expect(made.status == 0, "an ordinary file is made: \(made)")
        #expect(
            harness.run(["query", file, "Person", "-o", harness.folder("rows.csv")]).status == 0,
            "and replaced")
        let around =
            "\(harness.folder.path)/../\(harness.folder.path.split(separator: "/").last ?? "")"
        let name = file.split(separator: "/").last ?? ""
        for path in [file, "\(around)/\(name)"] {
            try expectRefused(["query", file, "Person", "-o", path], keeping: file)
            try expectRefused(["query", file, "Person", "-f", "csv", "-o", path], keeping: file)
            try expectRefused(["export", file, path, "--force"], keeping: file)
            try expectRefused(
                ["write", file, "-", "-c", "Person", "--on-error", "save=\(path)"], keeping: file,
                input: "{\"id\":7,\"name\":3}\n")
        }
        // A damaged database may also be the only copy.
        let damaged = harness.folder("damaged.firn")
        try DatabaseImage.put(Array(try bytes(file).prefix(1000)), at: damaged)
        try expectRefused(["query", file, "Person", "-o", damaged], keeping: damaged)
    }

    @Test(
        "The file of skipped records never replaces the input",
        .tags(.security))
    func inputs() throws {
        let input = harness.folder("in.json")
        try DatabaseImage.put(Array("{\"id\":7,\"name\":3}\n".utf8), at: input)
        try expectRefused(
            ["write", file, input, "-c", "Person", "--on-error", "save=\(input)"], keeping: input)
    }
}
