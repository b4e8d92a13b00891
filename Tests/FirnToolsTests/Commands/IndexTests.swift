import FirnTesting
import FirnTools
import Testing

@Suite("Indexes on the command line")
struct CommandIndexTests {
    private let harness = CommandHarness()

    private func plan(_ file: String, _ query: String) -> String {
        harness.run(["query", file, query + " | explain", "-f", "csv"]).output
    }

    @Test("alter adds and drops indexes, which queries use and the schema lists")
    func alter() throws {
        let file = try harness.makePeople()
        let run = harness.run([
            "alter", file, "index Person.name", "index Person.name[c]", "unique Person(city, age)",
            "add Person.tags List<String>", "index Person.tags",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let schema = harness.run(["schema", file, "-f", "text"]).output
        #expect(schema.contains("name  String, indexed"), "\(schema)")
        #expect(schema.contains("  index (name)[c]\n"), "\(schema)")
        #expect(schema.contains("  index (city, age), unique\n"), "\(schema)")
        #expect(plan(file, "Person name == \"Bo\"").contains("in index Person.name: 1 range"))
        #expect(plan(file, "Person name ==[c] \"BO\"").contains("in index Person.name[c]"))
        #expect(plan(file, "Person city == \"Oslo\" && age > 3").contains("Person(city, age)"))
        #expect(plan(file, "Person ANY tags == \"x\"").contains("in index Person.tags"))
        #expect(plan(file, "Person SORT(name DESC) LIMIT(1)").contains("order of index"))
        let ids = harness.run(["query", file, "Person name ==[c] \"BO\"", "-s", "id", "-f", "csv"])
        #expect(ids.output == "id\n7\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        let dropped = harness.run([
            "alter", file, "drop index Person(city, age)", "drop index Person.tags",
        ])
        #expect(dropped.status == 0, "\(dropped.errors)")
        #expect(!harness.run(["schema", file, "-f", "text"]).output.contains("city, age"))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test(
        "An invalid index is refused with a suggestion",
        arguments: [
            ("index Person.nme", "did you mean \"name\"?"),
            ("index Person", "index CLASS.PROP"),
            ("index Persn.name", "Person"),
            ("drop index Person.name", "Person has no index"),
            ("drop Person.name", "drop index CLASS.PROP, or remove CLASS"),
            ("unique Person.city", "firn query"),
            ("index Person.age[c]", "only an index of texts can ignore case"),
        ])
    func refused(_ change: String, _ hint: String) throws {
        let file = try harness.makePeople()
        let before = harness.run(["schema", file]).output
        let run = harness.run(["alter", file, change])
        #expect(run.status != 0)
        #expect(run.errors.contains(hint), "\(run.errors)")
        #expect(harness.run(["schema", file]).output == before)
    }

    @Test("A schema with indexes and an SQLite export recreate the same indexes")
    func copies() throws {
        let file = try harness.makePeople()
        let changes = ["index Person.name", "unique Person(city, age)", "index Person.city[c]"]
        #expect(harness.run(["alter", file] + changes).status == 0)
        let schema = harness.run(["schema", file, "-f", "json"]).output
        let copy = harness.folder("copy.firn")
        let made = harness.run(["create", copy, "--schema", "-"], input: schema)
        #expect(made.status == 0, "\(made.errors)")
        #expect(harness.run(["schema", copy, "-f", "json"]).output == schema)
        let sqlite = harness.folder("people.sqlite")
        let exported = harness.run(["export", file, sqlite])
        #expect(exported.status == 0, "\(exported.errors)")
        let again = harness.folder("again.firn")
        let imported = harness.run(["create", again, "--from", sqlite])
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(harness.run(["schema", again, "-f", "json"]).output == schema)
    }

    @Test("create builds the given indexes, and refuses a unique index over duplicate values")
    func create() throws {
        let input = "name,city\nAl,Oslo\nBo,Oslo\n"
        let file = harness.folder("new.firn")
        let wrong = harness.run(
            ["create", file, "--from", "Person=-", "--unique", "Person.city"], input: input)
        #expect(wrong.status != 0)
        #expect(wrong.errors.contains("@id 0 and 1"), "\(wrong.errors)")
        let right = harness.run(
            [
                "create", file, "--from", "Person=-", "--unique", "Person.name", "--index",
                "Person(city, name)",
            ], input: input)
        #expect(right.status == 0, "\(right.errors)")
        let twice = harness.run(["write", file, "-", "-c", "Person"], input: "{\"name\":\"Bo\"}\n")
        #expect(twice.status != 0)
        #expect(twice.errors.contains("Person.name is unique"), "\(twice.errors)")
    }

    @Test("An index that an input already has may be given again")
    func twice() throws {
        let schema =
            #"{"v":1,"classes":[{"name":"T","properties":[{"name":"a","type":"Int","unique":true}]}]}"#
        let file = harness.folder("twice.firn")
        let run = harness.run(
            ["create", file, "--schema", "-", "--unique", "T.a", "--unique", "T.a"], input: schema)
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["schema", file, "-f", "json"]).output == schema + "\n")
    }

    @Test("stats lists the indexes with their entries and bytes")
    func stats() throws {
        let file = try harness.makePeople()
        #expect(harness.run(["alter", file, "index Person.name"]).status == 0)
        let text = harness.run(["stats", file, "-f", "text"]).output
        #expect(text.contains("index Person.name"), "\(text)")
        let json = harness.run(["stats", file, "-f", "json"]).output
        #expect(
            json.contains(#""indexes":[{"name":"Person.name","entries":3,"stored":"#), "\(json)")
    }

    /// Thawing was refused because "the schema has changed", and the exchange because of its order.
    @Test(
        "A freeze older than a unique index can be thawed, even if objects exchanged their values")
    func thaw() throws {
        let file = try harness.makePeople()
        let before = harness.run(["export", file]).output
        #expect(harness.run(["freeze", file, "then", "-q"]).status == 0)
        let names = before.split(separator: "\n").count
        #expect(names > 1)
        let changes = [
            ["alter", file, "unique Person.name", "-q"],
            ["write", file, "-q", "-x", "Person | set name = name + \"!\""],
        ]
        for words in changes { #expect(harness.run(words).status == 0) }
        let run = harness.run(["freeze", file, "--thaw", "then"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["export", file]).output == before)
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        let log = harness.run(["log", file]).output
        #expect(log.contains(#""schemaChanged":true"#), "\(log)")
    }

    // MARK: Records that a unique property identifies

    /// Three objects with the key `id` and a unique `mail`.
    private func makeMembers(key: Bool = true) throws -> String {
        let file = harness.folder("members.firn")
        let words = ["create", file, "--from", "-", "-c", "M", "--unique", "M.mail", "-q"]
        let run = harness.run(
            words + (key ? ["--key", "id"] : []), input: "id,mail,age\n1,a,10\n2,b,20\n3,c,30\n")
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    private func table(_ file: String) -> String {
        harness.run(["query", file, "M SORT(age)", "-f", "csv"]).output
    }

    @Test("--key with a unique property changes the objects that have its values")
    func uniqueKey() throws {
        let file = try makeMembers()
        let run = harness.run(
            ["write", file, "-", "--upsert", "--key", "mail", "-q"], input: "mail,age\nb,21\na,11\n"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(table(file) == "id,mail,age\n1,a,11\n2,b,21\n3,c,30\n")
        let more = harness.run(
            ["write", file, "-", "--upsert", "--key", "mail", "-q"],
            input: "id,mail,age\n3,c,31\n9,d,40\n9,d,41\n")
        #expect(more.status == 0, "\(more.errors)")
        #expect(table(file) == "id,mail,age\n1,a,11\n2,b,21\n3,c,31\n9,d,41\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("--key with a unique property works in a class without a key, even to replace or update")
    func uniqueWithoutKey() throws {
        let file = try makeMembers(key: false)
        let run = harness.run(
            ["write", file, "-", "--upsert", "--key", "mail", "-q"],
            input: "mail,age\nb,21\nd,40\nd,41\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(table(file) == "id,mail,age\n1,a,10\n2,b,21\n3,c,30\n,d,41\n")
        let replaced = harness.run(
            ["write", file, "-", "--replace", "--key", "mail", "-q"], input: "mail,age\nb,22\n")
        #expect(replaced.status == 0, "\(replaced.errors)")
        #expect(table(file) == "id,mail,age\n1,a,10\n,b,22\n3,c,30\n,d,41\n")
        let updated = harness.run(
            ["write", file, "-", "--update", "--key", "mail", "--on-error", "skip"],
            input: "mail,age\nx,1\na,12\n")
        #expect(updated.errors.contains("M has no object with mail \"x\""), "\(updated.errors)")
        #expect(table(file) == "id,mail,age\n1,a,12\n,b,22\n3,c,30\n,d,41\n")
    }

    /// The object of the value changed, whatever the record said, or the object of the $id.
    @Test("--key with a unique property does not change an object with a different $id")
    func contradictingIdentity() throws {
        let file = try makeMembers(key: false)
        let before = table(file)
        for (record, message) in [
            (#"{"$id":1,"mail":"a","age":5}"#, "the M with mail \"a\" has $id 0, not 1"),
            (#"{"$id":1,"mail":"new"}"#, "M already has an object with $id 1"),
        ] {
            let run = harness.run(
                ["write", file, "-", "-c", "M", "--upsert", "--key", "mail"], input: record)
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(table(file) == before)
        }
        let operation = #"{"op":"update","class":"M","id":0,"object":{"age":11}}"#
        let run = harness.run(
            ["write", file, "-", "--input", "ops", "--key", "mail", "-q"], input: operation)
        #expect(run.status == 0, "\(run.errors)")
        #expect(table(file).hasPrefix("id,mail,age\n1,a,11\n"))
    }

    @Test(
        "A record that a unique property cannot identify is refused, and nothing changes",
        arguments: [
            ("mail", "id,mail\n9,b\n", "the M with mail \"b\" has the key id 2, not 9"),
            ("mail", "id,mail\n3,new\n", "M already has an object with id 3"),
            ("mail", "mail\nnew\n", "without a value for its key id"),
            ("mail", "id,mail\n4,\n", "without a value for mail, which identifies it"),
            ("age", "id,age\n1,5\n", "age is neither the key of M nor unique"),
            ("agee", "id,age\n1,5\n", "agee is neither the key of M nor unique"),
        ])
    func unidentified(_ key: String, _ input: String, _ message: String) throws {
        let file = try makeMembers()
        let before = table(file)
        let run = harness.run(["write", file, "-", "--upsert", "--key", key], input: input)
        #expect(run.status != 0)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(table(file) == before)
    }
}
