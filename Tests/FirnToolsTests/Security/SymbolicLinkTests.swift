import FirnTesting
import FirnTools
import Glibc
import Testing

/// An attacker with write access to the folder put links in place of files that will be created.
@Suite("Symbolic links")
struct SymbolicLinkTests {
    private let harness = CommandHarness()
    private let file: String
    private let victim: String

    init() throws {
        file = try harness.makePeople()
        victim = harness.folder("victim")
        try Fixtures.write("keep", to: victim)
    }

    private func link(_ name: String, to target: String) throws -> String {
        let path = harness.folder(name)
        try #require(symlink(target, path) == 0)
        return path
    }

    private func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private func expectUntouched() throws {
        #expect(try Fixtures.read(victim) == Array("keep".utf8))
    }

    /// Commands that create a file, with the name of the file last.
    private func makers() -> [[String]] {
        [
            ["create", "--from", harness.folder("people.csv"), "--class", "P", "-q"],
            ["export", file, "-f", "csv", "-q"], ["freeze", file, "-q", "-o"],
            ["compact", file, "-q", "-o"],
        ]
    }

    @Test(
        "A command that creates a file neither follows a link nor replaces it", .tags(.security),
        arguments: 0..<4)
    func existing(maker: Int) throws {
        let words = makers()[maker]
        let path = try link("out", to: victim)
        let run = harness.run(words + [path])
        #expect(run.status == 73, "\(words) \(run.errors)")
        #expect(isLink(path))
        try expectUntouched()
    }

    @Test("A dangling link counts as an existing file", .tags(.security), arguments: 0..<4)
    func dangling(maker: Int) throws {
        let words = makers()[maker]
        let path = try link("out", to: harness.folder("nothing"))
        let run = harness.run(words + [path])
        #expect(run.status == 73, "\(words) \(run.errors)")
        #expect(isLink(path))
        #expect(!harness.folder.names.contains("nothing"))
    }

    @Test("A command that replaces a file replaces the link, and not its target", .tags(.security))
    func replaced() throws {
        for words in [
            ["query", file, "Person", "-f", "csv", "-o"],
            ["export", file, "--force", "-f", "csv", "-q"],
        ] {
            let path = try link("out-\(words[0])", to: victim)
            let run = harness.run(words + [path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(!isLink(path))
            try expectUntouched()
        }
    }

    @Test("Rejects and cursors are not written through a link", .tags(.security))
    func others() throws {
        let rejects = try link("rejects", to: victim)
        _ = harness.run(
            ["write", file, "-", "-c", "Person", "--on-error", "save=\(rejects)", "-q"],
            input: #"{"id":"x"}"#)
        try expectUntouched()
        let cursor = try link("cursor", to: victim)
        _ = harness.run(
            ["observe", file, "Person", "--cursor-file", cursor, "--timeout", "1ms"])
        try expectUntouched()
    }

    @Test(
        "Files beside a database are not written through a link", .tags(.security),
        arguments: ["log0", "log1", "shm"])
    func beside(suffix: String) throws {
        _ = try link("people.firn-\(suffix)", to: victim)
        for _ in 0..<2 {
            // Its status depends on the target of the link; only the target itself matters.
            _ = harness.run(["query", file, "Person", "--count", "-r"])
            _ = harness.run(
                ["write", file, "-", "-c", "Person", "--batch", "1", "-q"],
                input: "{\"id\":1}\n{\"id\":2}\n")
            try expectUntouched()
            #expect(
                harness.run(["check", harness.folder("people.firn"), "--deep", "-q"]).status == 0)
        }
    }

    /// A query read /dev/zero as an input in memory until the memory was full.
    @Test("A folder, a device and a pipe are neither a database nor an output", .tags(.security))
    func kinds() throws {
        try #require(mkfifo(harness.folder("pipe"), 0o600) == 0)
        for path in [harness.folder.path, "/dev/null", "/dev/zero", harness.folder("pipe")] {
            for words in [
                ["query", path, "P"], ["stats", path], ["check", path],
                ["write", path, "-x", "P | delete"],
            ] {
                let run = harness.run(words)
                #expect((65...77).contains(run.status ?? 0), "\(words) \(run.errors)")
            }
            for maker in makers() {
                #expect(harness.run(maker + [path]).status == 73, "\(maker) \(path)")
            }
            #expect(harness.run(["query", file, "Person", "-o", path, "-f", "csv"]).status == 73)
        }
    }

    @Test(
        "A database behind a link is the same database, with its files beside the real one",
        .tags(.security))
    func database() throws {
        let path = try link("other", to: file)
        let write = harness.run(["write", path, "-x", "Person id == 7 | delete", "-q"])
        #expect(write.status == 0, "\(write.errors)")
        #expect(isLink(path))
        #expect(harness.run(["query", file, "Person", "--count", "-r"]).output == "2\n")
        #expect(harness.run(["compact", path, "-q"]).status == 0)
        #expect(isLink(path))
        #expect(harness.folder.names == ["other", "people.csv", "people.firn", "victim"])
    }

    @Test("A cycle of links is an error", .tags(.security))
    func circle() throws {
        let path = try link("circle", to: harness.folder("circle"))
        for words in [["query", path, "P"], ["create", path, "-q"], ["export", file, path]] {
            let run = harness.run(words)
            #expect((64...77).contains(run.status ?? 0), "\(words) \(run.errors)")
        }
    }

    @Test("--split does not write a class through a link", .tags(.security))
    func split() throws {
        let folder = harness.folder("tables")
        try #require(mkdir(folder, 0o700) == 0)
        try #require(symlink(victim, "\(folder)/Person.csv") == 0)
        let refused = harness.run(["export", file, "--split", folder, "-f", "csv", "-q"])
        #expect(refused.status == 73, "\(refused.errors)")
        try expectUntouched()
        #expect(TemporaryFolder.names(in: folder) == ["Person.csv"])
        let forced = harness.run(["export", file, "--split", folder, "-f", "csv", "-q", "--force"])
        #expect(forced.status == 0)
        try expectUntouched()
        #expect(!isLink("\(folder)/Person.csv"))
    }
}
