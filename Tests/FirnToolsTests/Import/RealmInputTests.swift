import FirnEngine
import FirnPlatform
import FirnTesting
import FirnTools
import Glibc
import Testing

/// Files of Realm as inputs of commands.
@Suite("Realm files as inputs of commands")
struct RealmInputTests {
    private let harness = CommandHarness()

    /// Writes a sample, changed by a closure, and returns its path.
    private func put(
        _ sample: String, as name: String = "old.realm",
        _ change: (inout [UInt8]) -> Void = { _ in }
    ) throws -> String {
        var bytes = try RealmSample.bytes(sample)
        change(&bytes)
        try Fixtures.write(bytes, to: harness.folder(name))
        return harness.folder(name)
    }

    private var new: String { harness.folder("new.firn") }

    // MARK: Import

    @Test("A Realm file becomes a database with its classes, links and schema version")
    func create() throws {
        let input = try put("people")
        let run = harness.run(["create", new, "--from", input, "-f", "text"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.isEmpty)
        #expect(run.output.hasPrefix("created \(new): "))
        let query = harness.run(
            [
                "query", new, "Person first == \"Gustav\" | limit(1)", "-s", "dogs.name", "-f",
                "json",
            ])
        #expect(query.output.contains("Carldog"), "\(query.output) \(query.errors)")
        #expect(harness.run(["check", new, "--deep", "-q"]).status == 0)
    }

    @Test("The report names what has no counterpart, and counts replaced strings and lost links")
    func report() throws {
        let input = try put("types")
        let run = harness.run(["create", new, "--from", input])
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.errors.split(separator: "\n")
        for part in [
            "2 texts were not UTF-8; their wrong bytes were replaced",
            "Emb can contain itself, so its objects are not embedded",
            "Asym is not imported: its objects were on their way to a server",
            "links to objects that are not in the file became nil",
        ] {
            #expect(
                lines.contains { $0.hasPrefix(input) && $0.hasSuffix(part) },
                "\(part): \(run.errors)")
        }
    }

    @Test("Several files become one database, with a prefix for duplicate names")
    func prefixes() throws {
        let first = try put("streaming", as: "first.realm")
        let second = try put("unclean2", as: "second.realm")
        let clash = harness.run(["create", new, "--from", first, "--from", second])
        #expect(clash.status == 64)
        #expect(clash.errors.contains("--from Old="), "\(clash.errors)")
        let run = harness.run(["create", new, "--from", first, "--from", "Other=\(second)"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["query", new, "Thing | count", "-f", "csv"]).output == "count\n700\n")
        #expect(
            harness.run(["query", new, "OtherThing | count", "-f", "csv"]).output == "count\n200\n")
    }

    @Test("A key file has 64 bytes, or 128 hexadecimal digits")
    func keys() throws {
        let input = try put("encrypted-streaming")
        let digits = RealmSample.key.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        try Fixtures.write(RealmSample.key, to: harness.folder("bytes"))
        try Fixtures.write(digits + "\n", to: harness.folder("digits"))
        for key in ["bytes", "digits"] {
            let file = harness.folder("\(key).firn")
            let run = harness.run(
                ["create", file, "--from", input, "--key-file", harness.folder(key)])
            #expect(run.status == 0, "\(run.errors)")
            #expect(harness.run(["query", file, "Thing | count", "-r"]).output == "300\n")
        }
        try Fixtures.write("short", to: harness.folder("short"))
        let run = harness.run([
            "create", new, "--from", input, "--key-file", harness.folder("short"),
        ])
        #expect(run.status == 64)
        #expect(run.errors.contains("64 bytes, or 128 hexadecimal digits"), "\(run.errors)")
    }

    // MARK: Without a database

    @Test("A Realm file can be queried, exported and described without a database")
    func direct() throws {
        let input = try put("people")
        let count = harness.run(["query", input, "Person age > 80 | count", "-r"])
        let create = harness.run(["create", new, "--from", input, "-q"])
        #expect(create.status == 0)
        #expect(
            count.output == harness.run(["query", new, "Person age > 80 | count", "-r"]).output)
        for words in [
            ["-c", "Dog", "-f", "csv"], ["-f", "ndjson"],
        ] {
            let direct = harness.run(["export", input] + words)
            #expect(direct.status == 0, "\(direct.errors)")
            #expect(direct.output == harness.run(["export", new] + words).output)
        }
        for format in ["text", "json", "swift"] {
            let direct = harness.run(["schema", input, "-f", format])
            #expect(direct.status == 0, "\(direct.errors)")
            #expect(direct.output == harness.run(["schema", new, "-f", format]).output)
        }
        #expect(harness.folder.names == ["new.firn", "old.realm"])
    }

    /// Only the classes that a query names, and those that links lead to, are read.
    @Test(
        "A query finds the same in a Realm file as in a database with all classes",
        arguments: ["people", "types"])
    func neededClasses(sample: String) throws {
        let input = try put(sample)
        #expect(harness.run(["create", new, "--from", input, "-q"]).status == 0)
        let store = try Store.open(new, readOnly: true)
        var queries = try store.snapshot().schema.classes.map(\.name)
        #expect(queries.count > 1)
        if sample == "people" {
            queries = [
                "Dog @links.@count > 0 | count", "Dog @links.Person.dogs.@count == 1",
                "address STARTSWITH 'A'", "dog age > 3 | SORT(name)", "Company | select(name)",
                "Dog | join(p = Person; p.first == name) | count", "Log who.first == 'Gustav'",
                "Club ANY members.age > 30 | select(name)",
            ]
        }
        for query in queries {
            let direct = harness.run(["query", input, query, "-f", "ndjson"])
            let imported = harness.run(["query", new, query, "-f", "ndjson"])
            #expect(direct.status == imported.status, "\(query): \(direct.errors)")
            #expect(direct.output == imported.output, "\(query)")
        }
        let counted = ["-c", "Dog", "--count"]
        #expect(
            harness.run(["query", input] + counted).output
                == harness.run(["query", new] + counted).output)
    }

    @Test("A Realm file without its suffix is recognized by its content")
    func content() throws {
        let input = try put("streaming", as: "backup")
        #expect(harness.run(["query", input, "Thing | count", "-r"]).output == "700\n")
    }

    // MARK: Errors

    /// Checks that a file is refused by each command, with no output and no file.
    private func refusal(
        _ input: String, _ parts: String..., options: [String] = [], status: Int32 = 65
    ) throws -> String {
        let before = harness.folder.names
        let create = harness.run(["create", new, "--from", input] + options)
        #expect(create.status == status, "\(create.errors)")
        #expect(create.output.isEmpty)
        #expect(create.errors.hasPrefix("error: \(input): "), "\(create.errors)")
        for part in parts { #expect(create.errors.contains(part), "\(part): \(create.errors)") }
        #expect(create.errors.split(separator: "\n").count == 2, "a remedy: \(create.errors)")
        #expect(harness.folder.names == before)
        guard options.isEmpty else { return create.errors }
        for words in [["query", input, "Thing"], ["export", input], ["schema", input]] {
            let run = harness.run(words)
            #expect(run.status == status, "\(words): \(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors == create.errors, "\(words)")
        }
        #expect(harness.folder.names == before)
        return create.errors
    }

    @Test("Seven kinds of files are refused, each with its own reason and remedy")
    func refusals() throws {
        let wrong = harness.folder("wrong")
        try Fixtures.write([UInt8](repeating: 9, count: 64), to: wrong)
        let key = harness.folder("key")
        try Fixtures.write(RealmSample.key, to: key)
        let errors = [
            try refusal(
                try put("streaming", as: "other.realm") { $0[17] = 0 }, "not a Realm file",
                "name a .realm file"),
            try refusal(
                try put("streaming", as: "ancient.realm") { $0[20] = 9 }, "format 9", "too old",
                "open it once for writing with Realm itself"),
            try refusal(
                try put("encrypted-streaming", as: "secret.realm"), "encrypted", "--key-file"),
            try refusal(
                harness.folder("secret.realm"), "the key is not", "64 bytes of the key",
                options: ["--key-file", wrong]),
            try refusal(
                try put("streaming", as: "short.realm") { $0.removeLast(64) },
                "the end of the file is missing", "copy the file again"),
            try refusal(
                try put("encrypted-streaming", as: "damaged.realm") { $0[3 * 4096 + 17] ^= 1 },
                "at byte 8192", "older copy", options: ["--key-file", key]),
        ]
        #expect(Set(errors.map { $0.split(separator: ": ").dropFirst(2).joined() }).count == 6)
    }

    @Test("A file that another process has open is refused, unless a copy is read")
    func inUse() throws {
        let input = try put("streaming")
        let lock = input + ".lock"
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_SH) == 0)
        _ = try refusal(
            input, "another process has the file open", "--copy", status: 75)
        let run = harness.run(["create", new, "--from", input, "--copy", "-q"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["query", new, "Thing | count", "-r"]).output == "700\n")
        #expect(harness.folder.names == ["new.firn", "old.realm", "old.realm.lock"])
    }
}
