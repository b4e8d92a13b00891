import FirnTesting
import FirnTools
import Glibc
import Testing

/// `export --split` makes names of files of names of classes, which come from whoever made the data.
@Suite("Names of classes as names of files")
struct SplitNameTests {
    private let harness = CommandHarness()
    private let file: String
    private let out: String

    init() throws {
        file = harness.folder("a.firn")
        out = harness.folder("out")
        try #require(mkdir(out, 0o700) == 0)
    }

    private func make(_ name: String) -> CommandHarness.Run {
        harness.run(
            ["create", file, "--from", "-", "-q"], input: "{\"$class\":\"\(name)\",\"a\":1}\n")
    }

    private var split: CommandHarness.Run {
        harness.run(["export", file, "--split", out, "-q"])
    }

    @Test(
        "that would leave the folder, or take another file's name, are refused", .tags(.security),
        arguments: ["../../x", "../x", "a/b", "/etc/x", "./x", "x/", "/", "schema"])
    func refused(name: String) {
        #expect(make(name).status == 0)
        let run = split
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("cannot be a file name"), "\(run.errors)")
        #expect(TemporaryFolder.names(in: out).isEmpty)
        #expect(harness.folder.names == ["a.firn", "out"])
    }

    @Test(
        "stay in the folder, whatever else they mean elsewhere", .tags(.security),
        arguments: ["..", ".", ".hidden", "-rf", "$(touch gone)", "*", "a b", "\u{202E}b", "~"])
    func kept(name: String) {
        #expect(make(name).status == 0)
        let run = split
        #expect(run.status == 0, "\(run.errors)")
        #expect(HostileText.harmful(in: run.output + run.errors).isEmpty)
        #expect(
            TemporaryFolder.names(in: out).sorted() == ["\(name).ndjson", "schema.json"].sorted())
        #expect(harness.folder.names == ["a.firn", "out"])
    }

    @Test(
        "that no file can have leave nothing behind", .tags(.security),
        arguments: [250, 255])
    func long(count: Int) {
        #expect(make(String(repeating: "n", count: count)).status == 0)
        #expect(split.status == 74)
        #expect(TemporaryFolder.names(in: out).isEmpty)
    }

    @Test(
        "with a NUL, a line end or more than 255 bytes are names of no class", .tags(.security),
        arguments: [
            "a\\u0000b", "a\\nb", "a\\rb", "\\u001b[2J", String(repeating: "n", count: 256),
        ])
    func impossible(name: String) {
        let run = make(name)
        #expect(run.status == 65, "\(run)")
        #expect(HostileText.harmful(in: run.errors).isEmpty)
        #expect(harness.folder.names == ["out"])
    }
}
