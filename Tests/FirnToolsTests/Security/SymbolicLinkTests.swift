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

    private func restore(_ text: String) throws {
        try #require(unlink(victim) == 0)
        try Fixtures.write(text, to: victim)
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

    /// Commands that replace a file, with the name of the file last.
    private func replacers() -> [[String]] {
        [
            ["query", file, "Person", "-f", "csv", "-o"],
            ["export", file, "--force", "-f", "csv", "-q"],
            ["observe", file, "Person", "--timeout", "1ms", "--cursor-file"],
        ]
    }

    /// The target of a link stayed as it was, with status 0, and whatever reads it saw old data.
    @Test("A command that replaces a file replaces the target of the user's own link")
    func replaced() throws {
        for (number, words) in replacers().enumerated() {
            for target in ["victim", harness.folder("victim"), "new-\(number)"] {
                // A position is read before it is replaced.
                if number == 2 { try restore("") }
                let path = try link("out", to: target)
                let run = harness.run(words + [path])
                #expect(run.status == (number < 2 ? 0 : 124), "\(run.errors)")
                #expect(isLink(path))
                let bytes = try Fixtures.read(path)
                #expect(!bytes.isEmpty && bytes != Array("keep".utf8), "\(words) \(target)")
                try #require(unlink(path) == 0)
                try restore("keep")
            }
        }
    }

    @Test(
        "A command that replaces a file replaces another user's link, but not the target",
        .tags(.security), .enabled(if: geteuid() == 0, "only root makes links of others"))
    func foreign() throws {
        for words in replacers().prefix(2) {
            let path = try link("out", to: victim)
            try #require(lchown(path, 65_534, 65_534) == 0)
            _ = harness.run(words + [path])
            #expect(!isLink(path))
            try expectUntouched()
            try #require(unlink(path) == 0)
        }
    }

    @Test("Replacing a folder of parts through a link removes nothing else in the target")
    func folders() throws {
        let out = harness.folder("real")
        let words = ["--split-by", "city", "-q", "--force"]
        try #require(harness.run(["export", file, out] + words).status == 0)
        let path = try link("link", to: "real")
        #expect(harness.run(["export", file, path] + words).status == 0)
        #expect(isLink(path))
        #expect(harness.folder.names.filter { $0.contains("tmp") }.isEmpty)
        #expect(!TemporaryFolder.names(in: out).isEmpty)
        if geteuid() == 0 {
            try #require(lchown(path, 65_534, 65_534) == 0)
            #expect(harness.run(["export", file, path] + words).status == 73)
            #expect(!TemporaryFolder.names(in: out).isEmpty)
        }
    }

    @Test("Rejects are not written through a link", .tags(.security))
    func others() throws {
        let rejects = try link("rejects", to: victim)
        _ = harness.run(
            ["write", file, "-", "-c", "Person", "--on-error", "save=\(rejects)", "-q"],
            input: #"{"id":"x"}"#)
        try expectUntouched()
    }

    @Test(
        "Auxiliary files of a database are not written through a link", .tags(.security),
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
    @Test("A folder, a device or a pipe is neither a database nor an output", .tags(.security))
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
        "A database opened through a link is the same database, with its files beside the real one",
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

    @Test("--split does not write a class through another user's link", .tags(.security))
    func split() throws {
        let folder = harness.folder("tables")
        try #require(mkdir(folder, 0o700) == 0)
        try #require(symlink(victim, "\(folder)/Person.csv") == 0)
        let refused = harness.run(["export", file, "--split", folder, "-f", "csv", "-q"])
        #expect(refused.status == 73, "\(refused.errors)")
        try expectUntouched()
        #expect(TemporaryFolder.names(in: folder) == ["Person.csv"])
        // Only root makes links of others.
        guard lchown("\(folder)/Person.csv", 65_534, 65_534) == 0 else { return }
        let forced = harness.run(["export", file, "--split", folder, "-f", "csv", "-q", "--force"])
        #expect(forced.status == 0)
        try expectUntouched()
        #expect(!isLink("\(folder)/Person.csv"))
    }
}
