import FirnTesting
import FirnTools
import Glibc
import Testing

/// `export --split` derives file names from class names, which come from the source of the data.
@Suite("Class names as file names")
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
            ["create", file, "--from", "-", "-q"],
            input: """
                {"$schema":{"v":1,"classes":[{"name":"\(name)","properties":[{"name":"a","type":"Int"}]}]}}
                {"$class":"\(name)","a":1}

                """)
    }

    private var split: CommandHarness.Run {
        harness.run(["export", file, "--split", out, "-q"])
    }

    @Test(
        "A class name that would leave the folder or overwrite another file is refused",
        .tags(.security),
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
        "A class name with a special meaning elsewhere stays in the folder", .tags(.security),
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
        "A class name that is not a valid file name leaves no file", .tags(.security),
        arguments: [250, 255])
    func long(count: Int) {
        #expect(make(String(repeating: "n", count: count)).status == 0)
        #expect(split.status == 74)
        #expect(TemporaryFolder.names(in: out).isEmpty)
    }

    @Test(
        "A name with a NUL, a line break or more than 255 bytes is not a class name",
        .tags(.security),
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
