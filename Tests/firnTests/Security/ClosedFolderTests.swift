import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// The real binary with folders, files and disks that are read-only or unreadable.
@Suite("The firn program without permissions")
struct ClosedFolderTests {
    private let folder = TemporaryFolder()
    private let firn: String
    private let closed: String
    private let file: String

    init() throws {
        firn = try builtExecutable(named: "firn")
        folder.makeFolders("closed")
        closed = folder("closed")
        file = "\(closed)/a.firn"
        let made = try CommandRunner(firn).run(
            ["create", file, "--from", "-", "--class", "P", "--key", "id", "-q"],
            input: "id,name\n1,Ann\n2,Bo\n")
        try #require(made.status == 0, "\(made)")
    }

    /// Takes from root the capability to ignore permissions; other users do not have it.
    private static let restriction: [String] =
        geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []

    /// Not every machine lets root drop capabilities.
    private func mayBeRestricted() throws -> Bool {
        try CommandRunner("/usr/bin/env").run(ClosedFolderTests.restriction + ["true"]).status == 0
    }

    /// - Parameter words: with FILE for the database, and NEW for a file to create beside it.
    private func run(_ words: [String], input: String = "") throws -> CommandResult {
        let words = words.map { word in
            word == "FILE" ? file : word.hasSuffix("NEW") ? "\(word.dropLast(3))\(closed)/b" : word
        }
        return try CommandRunner("/usr/bin/env").run(
            ClosedFolderTests.restriction + [firn] + words, input: input, in: folder.path)
    }

    private func expectDenied(
        _ words: [String], input: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let run = try run(words, input: input)
        #expect(run.status == 77, "\(words) \(run)", sourceLocation: sourceLocation)
        #expect(
            run.errorText.contains("permission denied"), "\(words) \(run)",
            sourceLocation: sourceLocation)
        #expect(
            TemporaryFolder.names(in: closed) == ["a.firn"], "\(words)",
            sourceLocation: sourceLocation)
    }

    @Test(
        "Creating a file in a folder without write permission is an error", .tags(.security),
        arguments: [
            ["create", "NEW", "--from", "-", "--class", "P", "-q"],
            ["export", "FILE", "NEW", "-f", "csv", "-q"],
            ["query", "FILE", "P", "-o", "NEW", "-f", "csv"],
            ["compact", "FILE", "-o", "NEW", "-q"],
            ["freeze", "FILE", "-o", "NEW", "-q"], ["export", "FILE", "--split", "closed", "-q"],
            ["observe", "FILE", "P", "--cursor-file", "NEW", "--timeout", "1s"],
            ["write", "FILE", "-", "-c", "P", "--on-error", "save=NEW", "-q"],
        ])
    func making(words: [String]) throws {
        guard try mayBeRestricted() else { return }
        try #require(chmod(closed, 0o555) == 0)
        try expectDenied(words, input: "id,name\n7,Cy\n")
    }

    @Test(
        "A database in a folder without write permission can be read and written", .tags(.security))
    func using() throws {
        guard try mayBeRestricted() else { return }
        try #require(chmod(closed, 0o555) == 0)
        let written = try run(
            ["write", "FILE", "-", "-c", "P", "--batch", "1", "-q"], input: "id,name\n3,Cy\n4,Di\n")
        #expect(written.status == 0, "\(written)")
        #expect(try run(["compact", "FILE", "-q"]).status == 0)
        #expect(try run(["query", "FILE", "P", "--count", "-r"]).outputText == "4\n")
        #expect(try run(["check", "FILE", "--deep", "-q"]).status == 0)
        #expect(TemporaryFolder.names(in: closed) == ["a.firn"])
    }

    @Test("A read-only database is not changed", .tags(.security))
    func readOnlyFile() throws {
        guard try mayBeRestricted() else { return }
        let before = try DatabaseImage.bytes(of: file)
        try #require(chmod(file, 0o444) == 0)
        for words in [
            ["write", "FILE", "-x", "P | delete"], ["compact", "FILE"], ["freeze", "FILE", "x"],
            ["alter", "FILE", "remove P.name"],
        ] {
            try expectDenied(words)
        }
        #expect(try run(["query", "FILE", "P", "--count", "-r"]).outputText == "2\n")
        #expect(try DatabaseImage.bytes(of: file) == before)
    }

    @Test("An unreadable database is not read", .tags(.security))
    func unreadable() throws {
        guard try mayBeRestricted() else { return }
        try #require(chmod(file, 0) == 0)
        for words in [
            ["query", "FILE", "P"], ["check", "FILE"], ["export", "FILE"], ["stats", "FILE"],
            ["write", "FILE", "-x", "P | delete"], ["compact", "FILE"], ["FILE"],
        ] {
            try expectDenied(words, input: "P\n")
        }
        let csv = folder("in.csv")
        try DatabaseImage.put(Array("id\n1\n".utf8), at: csv)
        try #require(chmod(csv, 0) == 0)
        try expectDenied(["create", "NEW", "--from", csv, "--class", "P"])
    }

    // MARK: A disk that may only be read

    /// Mounts a private disk; the status is 200 if mounting is impossible.
    private static let script = """
        disk="$1" base="$2" firn="$3"
        shift 3
        mount -t tmpfs firn-test "$disk" 2>/dev/null || exit 200
        cp "$base" "$disk/a.firn" || exit 201
        mount -o remount,ro "$disk" || exit 202
        cd "$disk" || exit 201
        "$firn" "$@"
        status=$?
        ls -A
        exit "$status"
        """

    private static let diskCommands: [([String], Int32)] = [
        (["query", "a.firn", "P", "--count", "-r"], Int32(0)),
        (["check", "a.firn", "--deep", "-q"], 0), (["export", "a.firn"], 0),
        (["write", "a.firn", "-x", "P | delete"], 77), (["compact", "a.firn"], 77),
        (["freeze", "a.firn", "x"], 77), (["alter", "a.firn", "remove P.name"], 77),
        (["create", "b.firn", "--from", "-", "--class", "P"], 77),
        (["export", "a.firn", "b.csv"], 77), (["query", "a.firn", "P", "-o", "b.csv"], 77),
        (["compact", "a.firn", "-o", "b.firn"], 77),
        (["observe", "a.firn", "P", "--cursor-file", "b", "--timeout", "1s"], 77),
    ]

    @Test(
        "A database on a read-only disk is read, and the disk is unchanged", .tags(.security),
        arguments: diskCommands)
    func disk(words: [String], status: Int32) throws {
        let disk = TemporaryFolder()
        let run = try CommandRunner("/usr/bin/env").run(
            ["unshare", "-m", "sh", "-c", Self.script, "sh", disk.path, file, firn] + words,
            input: "id,name\n7,Cy\n")
        guard let ended = run.status, ![1, 126, 127, 200].contains(ended) else { return }
        #expect(ended == status, "\(run)")
        #expect(status == 0 || run.errorText.contains("read-only"), "\(run)")
        #expect(run.outputText.hasSuffix("a.firn\n"), "\(run)")
        #expect(!run.outputText.contains("b.firn") && !run.outputText.contains("b.csv"), "\(run)")
    }
}
