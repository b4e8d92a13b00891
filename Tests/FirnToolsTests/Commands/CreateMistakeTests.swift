import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Mistakes that create detects")
struct CreateMistakeTests {
    private let harness = CommandHarness()
    private let csv: String

    init() throws {
        csv = harness.folder("people.csv")
        try Fixtures.write("id,name,city\n7,\"B\no\",Oslo\n9,Cy,Rome\n11,Al,Oslo\n", to: csv)
    }

    private func create(_ name: String, _ words: [String]) -> CommandHarness.Run {
        harness.run(["create", harness.folder(name), "--from", csv] + words)
    }

    @Test("A missing folder is reported before anything is read")
    func folder() throws {
        let run = create("nowhere/a.firn", [])
        #expect(run.status == 73)
        #expect(run.errors.hasSuffix("nowhere/a.firn: no such folder\n"), "\(run.errors)")
        #expect(!run.errors.contains("3 rows"))
    }

    @Test("An input that changes between its two readings is an error, and nothing is created")
    func changing() throws {
        var codes: Set<String> = []
        for reading in 1...6 {
            let disk = SimulatedFileSystem()
            disk.setContents(of: "/t.csv", to: Array("id,n\n1,2\n2,3\n".utf8))
            let readings = Guarded(0)
            disk.beforeEachOperation { operation in
                guard operation.kind == .read, operation.path == "/t.csv", operation.offset == 0,
                    readings.withLock({ count in
                        count += 1
                        return count == reading
                    })
                else { return }
                // In place: a process that has it open sees the change.
                [UInt8]("x".utf8).withUnsafeBytes { bytes in
                    try? disk.open("/t.csv", .readWrite).write(bytes, at: 11)
                }
            }
            var harness = harness
            harness.services = disk.services(entropySeed: 1)
            let run = harness.run(["create", "/a.firn", "--from", "/t.csv", "--errors", "json"])
            disk.beforeEachOperation(nil)
            let isThere = try disk.status(of: "/a.firn") != nil
            #expect(isThere == (run.status == 0), "\(run)")
            if run.status == 0 { continue }
            let parts = run.errors.split(separator: "\"")
            if let index = parts.firstIndex(of: "code"), index + 2 < parts.count {
                codes.insert(String(parts[index + 2]))
            }
        }
        #expect(codes == ["input.unreadable"])
    }

    @Test("A late failure leaves no file")
    func remains() {
        #expect(create("a.firn", ["--key", "city"]).status == 65)
        #expect(create("a.firn", ["--key", "idd"]).status == 65)
        #expect(create("a.firn", ["--dry-run"]).status == 0)
        #expect(FolderListing.names(in: harness.folder("")) == ["people.csv"])
    }

    @Test("Two rows with the same key are reported by their input lines")
    func duplicates() {
        let run = create("a.firn", ["--key", "city", "-q"])
        #expect(
            run.errors == """
                error: \(csv):5, city: "Oslo" is also the key of line 2
                  choose another key, or remove one of the duplicates

                """)
        // The rows of a table with a mapped column are loaded one by one.
        let slow = create("a.firn", ["--key", "city", "-q", "--map", "name=who"])
        #expect(
            slow.errors.contains("people.csv:5: People already has an object with city \"Oslo\""))
        #expect(slow.errors.contains("choose another key") && !slow.errors.contains("--upsert"))
    }

    @Test(
        "An unknown name in an option is an error",
        arguments: [
            (["--map", "nme=x"], "there is no field \"nme\"", "did you mean \"name\"?"),
            (["--map", "x=name"], "there is no field \"x\"", "fields: id, name, city"),
            (
                ["--type", "id=Strng"], "--type id: there is neither a type nor a class \"Strng\"",
                "did you mean \"String\"?"
            ),
            (["--type", "id=Whatever"], "nor a class \"Whatever\"", "types: Bool, Int,"),
        ])
    func names(words: [String], message: String, hint: String) {
        let run = create("a.firn", words)
        #expect(run.status == 65)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test("A field with another name in the schema can still be mapped")
    func mapped() throws {
        let schema = harness.folder("schema.json")
        try Fixtures.write(
            #"{"v":1,"classes":[{"name":"People","properties":[{"name":"n","type":"Int"}]}]}"#,
            to: schema)
        let ids = harness.folder("ids.csv")
        try Fixtures.write("id\n7\n", to: ids)
        func create(_ name: String, mapping map: String) -> CommandHarness.Run {
            harness.run([
                "create", harness.folder(name), "--from", "People=\(ids)", "--schema", schema,
                "--map", map,
            ])
        }
        let good = create("a.firn", mapping: "id=n")
        #expect(good.status == 0, "\(good.errors)")
        let bad = create("b.firn", mapping: "idd=n")
        #expect(bad.errors.contains("did you mean \"id\"?"), "\(bad.errors)")
    }

    @Test("write checks the fields of --map against all tables")
    func writing() throws {
        let file = harness.folder("a.firn")
        #expect(create("a.firn", ["--key", "id", "-q"]).status == 0)
        let one = harness.folder("one.csv")
        try Fixtures.write("id,label,city\n1,A,B\n", to: one)
        let two = harness.folder("two.csv")
        try Fixtures.write("id,name,city\n2,A,B\n", to: two)
        let wrong = harness.run(["write", file, two, two, "--map", "nmae=name"])
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("there is no field \"nmae\""), "\(wrong.errors)")
        let right = harness.run(["write", file, one, two, "--map", "label=name"])
        #expect(right.status == 0, "\(right.errors)")
        // The fields of the next record are unknown.
        let json = harness.run(
            ["write", file, "-", "--map", "lable=name"],
            input: #"{"id":3,"name":"A","city":"B"}"#)
        #expect(json.status == 0, "\(json.errors)")
    }

    @Test("A file name must leave room for the suffixes of the log")
    func longNames() throws {
        let fits = String(repeating: "a", count: 245) + ".firn"
        #expect(create(fits, ["-q"]).status == 0)
        let written = harness.run(
            ["write", harness.folder(fits), "-x", "People id == 7 | delete", "-q"])
        #expect(written.status == 0, "\(written.errors)")
        let long = "b" + fits
        let copies = [
            create(long, []),
            harness.run(["freeze", harness.folder(fits), "-o", harness.folder(long)]),
            harness.run(["compact", harness.folder(fits), "-o", harness.folder(long)]),
        ]
        for run in copies {
            #expect(run.status == 73)
            #expect(run.errors.contains("may have at most 250 bytes"), "\(run.errors)")
        }
        #expect(try SystemServices.real.files.status(of: harness.folder(long)) == nil)
    }

    @Test("All commands that create a file report an existing file in the same way")
    func existing() throws {
        let file = harness.folder("a.firn")
        #expect(create("a.firn", ["-q"]).status == 0)
        for words in [
            ["create", file], ["freeze", file, "-o", file], ["compact", file, "-o", file],
        ] {
            let run = harness.run(words)
            #expect(run.status == 73)
            #expect(
                run.errors == """
                    error: cannot create \(file): it already exists
                      choose another name, or remove that file first

                    """)
        }
        let export = harness.run(["export", file, csv])
        #expect(export.status == 73)
        #expect(export.errors.hasSuffix("it already exists\n  replace it with --force\n"))
    }

    /// `firn create - --from data.csv` made a file called `-`.
    @Test("A database is not created on standard output")
    func standardOutput() throws {
        let table = harness.folder("t.csv")
        try Fixtures.write("id\n1\n", to: table)
        for words in [
            ["create", "-", "--from", table], ["write", "-", table, "-c", "T", "--create"],
        ] {
            let run = harness.run(words)
            #expect(run.status == 64, "\(run)")
            #expect(run.errors.contains("cannot be written to standard output"), "\(run)")
        }
    }
}
