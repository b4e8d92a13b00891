import FirnEngine
import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// Read-only folders, and foreign files beside a database.
@Suite("The firn program in a bad environment")
struct SurroundingTroubleTests {
    private let folder = TemporaryFolder()
    private let firn: CommandRunner
    private let troubled: CommandRunner
    private let file: String

    init() throws {
        firn = CommandRunner(try builtExecutable(named: "firn"))
        troubled = CommandRunner(try builtExecutable(named: "firn-fault"))
        file = folder("people.firn")
        try make(file)
    }

    private func make(_ path: String) throws {
        let made = try firn.run(
            ["create", path, "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: "id,name\n1,Ann\n2,Bo\n")
        try #require(made.status == 0, "\(made)")
    }

    /// Makes some commits, the last of which are only in the log: their process was killed.
    private func leaveLog(_ path: String, from first: Int) throws -> DatabaseImage {
        let records = (first..<(first + 8)).map { "{\"id\":\($0),\"name\":\"New\"}\n" }.joined()
        let run = try troubled.run(
            ["kill", "44", "write", path, "-", "-c", "Person", "--batch", "1", "-q"],
            input: records)
        try #require(run.signal == SIGKILL, "\(run)")
        let image = try DatabaseImage(of: path)
        try #require(image.hasLog)
        return image
    }

    // MARK: Folders and files that are closed

    @Test(
        "In a read-only folder, commits work without a log", .tags(.security))
    func lockedFolder() throws {
        for words in [
            ["write", file, "-", "-c", "Person", "--batch", "1", "-q"],
            ["write", file, "-", "-c", "Person", "-q"],
        ] {
            let key = words.count
            let run = try troubled.run(
                ["locked-folder", "1"] + words,
                input: (0..<4).map { "{\"id\":\(key * 100 + $0),\"name\":\"New\"}\n" }.joined())
            #expect(run.status == 0, "\(run)")
        }
        #expect(
            try firn.run(["query", file, "Person", "--count", "-r"], input: "").outputText == "10\n"
        )
        let compacted = try troubled.run(
            ["locked-folder", "1", "compact", file, "-q"], input: "")
        #expect(compacted.status == 0, "\(compacted)")
        for words in [
            ["create", folder("new.firn"), "--from", "-", "--class", "A"],
            ["compact", file, "-o", folder("new.firn")],
            ["export", file, folder("new.csv"), "-c", "Person", "-f", "csv"],
        ] {
            let run = try troubled.run(["locked-folder", "1"] + words, input: "a\n1\n")
            #expect(run.status == 77, "\(run)")
            #expect(run.errorText.contains("permission denied"), "\(run)")
        }
        #expect(folder.names == ["people.firn"])
    }

    @Test("A read-only file answers queries and refuses writers", .tags(.security))
    func readOnlyFile() throws {
        // A user with all capabilities ignores the mode of a file.
        guard geteuid() != 0 else { return }
        chmod(file, 0o400)
        let before = try DatabaseImage.bytes(of: file)
        #expect(
            try firn.run(["query", file, "Person", "--count", "-r"], input: "").outputText == "2\n")
        for words in [
            ["write", file, "-x", "Person | delete"], ["compact", file], ["freeze", file, "x"],
            ["alter", file, "remove Person.name"],
        ] {
            let run = try firn.run(words, input: "")
            #expect(run.status == 77, "\(run)")
            #expect(run.errorText.contains("permission denied"), "\(run)")
        }
        #expect(try DatabaseImage.bytes(of: file) == before)
        #expect(folder.names == ["people.firn"])
    }

    // MARK: Files beside the database

    @Test(
        "A missing log or a log of another database is an error that changes nothing",
        .tags(.security)
    )
    func foreignLog() throws {
        let other = folder("other.firn")
        try make(other)
        let mine = try leaveLog(file, from: 100)
        let foreign = try leaveLog(other, from: 500)
        let files = SystemFileSystem()
        for replaced in [["-log0"], ["-log0", "-shm"], ["-log0", "-log1", "-shm"]] {
            for isForeign in [true, false] {
                for suffix in DatabaseImage.suffixes {
                    if try files.status(of: file + suffix) != nil {
                        try files.remove(file + suffix)
                    }
                }
                try mine.put(at: file)
                for suffix in replaced where try files.status(of: file + suffix) != nil {
                    try files.remove(file + suffix)
                    guard isForeign, try files.status(of: other + suffix) != nil else { continue }
                    try DatabaseImage.put(
                        DatabaseImage.bytes(of: other + suffix), at: file + suffix)
                }
                try expectRefused(isForeign ? "foreign \(replaced)" : "no \(replaced)")
            }
        }
        #expect(foreign.hasLog)
        #expect(try firn.run(["query", other, "Person", "--count", "-r"], input: "").status == 0)
    }

    private func expectRefused(_ what: String) throws {
        let before = try DatabaseImage.suffixes.map { suffix in
            try SystemFileSystem().status(of: file + suffix) == nil
                ? nil : try DatabaseImage.bytes(of: file + suffix)
        }
        for words in [
            ["query", file, "Person", "--count"], ["write", file, "-x", "Person | delete"],
            ["compact", file], ["freeze", file, "x"],
        ] {
            let run = try firn.run(words, input: "")
            #expect(run.status == 74, "\(what): \(run)")
            #expect(run.errorText.hasPrefix("error: \(file)"), "\(what): \(run)")
            #expect(run.errorText.contains("log"), "\(what): \(run)")
        }
        let check = try firn.run(["check", file, "-q"], input: "")
        #expect(check.status == 1 || check.status == 74, "\(what): \(check)")
        let after = try DatabaseImage.suffixes.map { suffix in
            try SystemFileSystem().status(of: file + suffix) == nil
                ? nil : try DatabaseImage.bytes(of: file + suffix)
        }
        #expect(before == after, "\(what): something was changed")
    }

    @Test(
        "Shared memory that is foreign, truncated, too long or nonsensical is not trusted",
        .tags(.security))
    func foreignMemory() throws {
        let other = folder("other.firn")
        try make(other)
        let mine = try leaveLog(file, from: 100)
        let theirs = try leaveLog(other, from: 500)
        _ = theirs
        let expected = try DatabaseContent(at: file)
        let whole = try DatabaseImage.bytes(of: file + "-shm")
        let foreign = try DatabaseImage.bytes(of: other + "-shm")
        let files = SystemFileSystem()
        let memories: [(String, [UInt8]?)] = [
            ("foreign", foreign), ("cut off", Array(whole.prefix(100))), ("empty", []),
            ("too long", whole + whole), ("nonsense", whole.map { ~$0 }), ("none", nil),
            ("zeros", [UInt8](repeating: 0, count: whole.count)),
        ]
        for (what, bytes) in memories {
            for suffix in DatabaseImage.suffixes where try files.status(of: file + suffix) != nil {
                try files.remove(file + suffix)
            }
            try mine.put(at: file)
            try files.remove(file + "-shm")
            if let bytes { try DatabaseImage.put(bytes, at: file + "-shm") }
            let query = try firn.run(["query", file, "Person", "--count", "-r"], input: "")
            #expect(query.status == 0, "\(what): \(query)")
            #expect(try DatabaseContent(at: file) == expected, "\(what)")
            let run = try firn.run(
                ["write", file, "-x", "Person id == 1 | delete", "-q"], input: "")
            #expect(run.status == 0, "\(what): \(run)")
            #expect(
                try DatabaseContent(at: file).lines.count == expected.lines.count - 1, "\(what)")
            let names = folder.names.filter { $0.hasPrefix("people") }
            #expect(names == ["people.firn"], "\(what)")
        }
    }

    /// The second commit created a log, and removed any file with the name of its shared memory.
    @Test(
        "A foreign file with the name of a log file is kept, and commits work",
        .tags(.security))
    func othersFiles() throws {
        for suffix in ["-shm", "-log0", "-log1"] {
            let letter = Array("Dear diary, nothing is lost.\n".utf8)
            try DatabaseImage.put(letter, at: file + suffix)
            let run = try firn.run(
                ["write", file, "-", "-c", "Person", "--upsert", "--batch", "1", "-q"],
                input: (200..<204).map { "{\"id\":\($0),\"name\":\"\(suffix)\"}\n" }.joined())
            #expect(run.status == 0, "\(suffix): \(run)")
            let count = try firn.run(
                ["query", file, "Person name == '\(suffix)'", "--count", "-r"], input: "")
            #expect(count.outputText == "4\n", "\(suffix): \(count)")
            #expect(try DatabaseImage.bytes(of: file + suffix) == letter, "\(suffix)")
            #expect(folder.names == ["people.firn", "people.firn\(suffix)"])
            try SystemFileSystem().remove(file + suffix)
        }
    }
}
