import FirnTesting
import FirnTools
import Testing

@Suite("Changes of classes and properties")
struct AlterTests {
    private let harness = CommandHarness()

    private func schema(_ file: String) -> String {
        harness.run(["schema", file, "-f", "text"]).output
    }

    @Test("Changes are applied in order, in one transaction")
    func changes() throws {
        let file = try harness.makePeople()
        let run = harness.run([
            "alter", file, "add Person.email String?", "add Person.score Double = 2.5",
            #"add Person.note String = "two words""#, "rename Person.city town",
            "rename Person Human", "retype Human.age Double", "add Pet", "add Pet.owner Human",
            "add Pet.tags List<String>", "inverse Human.pets = Pet.owner", "remove Human.name",
            "key Human none",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                #""type":"alter","file":"\#(file)","version":2,"prev":1,"changes":12"#))
        #expect(
            schema(file) == """
                Human
                  id     Int
                  age    Double
                  town   String
                  email  String?
                  score  Double
                  note   String
                  pets   LinkingObjects<Pet>, from owner

                Pet
                  owner  Human?
                  tags   List<String>

                """, "\(schema(file))")
        #expect(
            harness.run(["query", file, "Human id == 7"]).output
                == #"{"id":7,"age":41.0,"town":"Oslo","email":null,"score":2.5,"note":"two words"}"#
                + "\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        #expect(
            harness.run(["alter", file, "key", "Human", "id", "remove", "Human.pets"]).status == 0)
        #expect(schema(file).contains("  id     Int, key\n"))
        #expect(harness.run(["alter", file, "remove Pet", "--dry-run"]).status == 0)
        #expect(schema(file).contains("Pet"))
        let removed = harness.run(["alter", file, "remove Pet.owner", "remove Human"])
        #expect(removed.output.contains(#""changes":2,"deleted":3,"#), "\(removed.output)")
        let text = harness.run(["alter", file, "remove Pet", "-f", "text"])
        #expect(text.output.contains(": 1 change, version 5"), "\(text.output)")
    }

    /// Swift joins a combining accent with the character before it: a quote with an accent was no
    /// quote, and an `n` with one after a backslash was not the end of a line but a letter.
    @Test("A combining accent after a quote or an escaped letter is part of the text")
    func accents() throws {
        let file = try harness.makePeople()
        let run = harness.run([
            "alter", file, "add Person.note String = \"\u{301}a b\\n\u{301}c\"",
            "rename Person.city \"\u{301}x.y\"", "index Person.\"\u{301}x.y\"[c]",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let query = "Person id == 7 | select(note, `\u{301}x.y`)"
        #expect(
            harness.run(["query", file, query]).output.unicodeScalars.elementsEqual(
                "{\"note\":\"\u{301}a b\\n\u{301}c\",\"\u{301}x.y\":\"Oslo\"}\n".unicodeScalars))
        let sorted = harness.run([
            "query", file, "Person", "--sort", "-`\u{301}x.y`,id", "-s", "id", "-f", "csv",
        ])
        #expect(sorted.output == "id\n9\n7\n11\n", "\(sorted.errors)")
    }

    @Test(
        "retype converts values without loss",
        arguments: [
            ("id", "String", #""id":"7""#), ("age", "Int8", #""age":41"#),
            ("age", "Decimal128", #""age":"41""#), ("age", "Any", #""age":41"#),
            ("age", "Int?", #""age":41"#), ("city", "Any", #""city":"Oslo""#),
        ])
    func retype(property: String, type: String, text: String) throws {
        let file = try harness.makePeople()
        let run = harness.run(["alter", file, "retype Person.\(property) \(type)"])
        #expect(run.status == 0, "\(run.errors)")
        let query = property == "id" ? "Person name == \"Bo\"" : "Person id == 7"
        #expect(harness.run(["query", file, query]).output.contains(text))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        let back = harness.run([
            "alter", file, "retype Person.\(property) \(property == "city" ? "String" : "Int")",
        ])
        #expect(back.status == 0, "\(back.errors)")
        #expect(
            harness.run(["query", file, "Person", "-f", "csv"]).output
                == "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n")
    }

    @Test(
        "Strings that are dates without times become dates without times",
        arguments: [
            ("2024-02-29", "2023-01-01", "2024-02-29"),
            ("2024-02-29", "2023-01-01T10:00:00Z", "2024-02-29T00:00:00Z"),
            ("2024-02-29T00:00:00Z", "2023-01-01", "2024-02-29T00:00:00Z"),
        ])
    func retypeDates(first: String, second: String, shown: String) throws {
        let file = harness.folder("dates.firn")
        let made = harness.run(
            ["create", file, "--from", "D=-", "--type", "d=String?", "-q"],
            input: "{\"d\":\"\(first)\"}\n{\"d\":null}\n{\"d\":\"\(second)\"}\n")
        try #require(made.status == 0, "\(made.errors)")
        let run = harness.run(["alter", file, "retype D.d Date?"])
        #expect(run.status == 0, "\(run.errors)")
        let all = harness.run(["query", file, "D", "-f", "csv"]).output
        #expect(
            all
                == "d\n\(shown)\n\n\(second.count == 10 && shown.count > 10 ? second + "T00:00:00Z" : second)\n"
        )
    }

    @Test(
        "An invalid change changes nothing",
        arguments: [
            ("retype Person.name Int", 65 as Int32, "write.type", "id 7"),
            ("retype Person.age Bool", 65, "write.type", "id 7"),
            ("retype Person.age Person", 65, "write.type", "a link"),
            ("add Person.x Int", 65, "write.missing-value", "x"),
            ("add Person.x Int = y", 65, "write.type", "Person.x"),
            ("add Person.age Int?", 65, "write.schema", "age"),
            ("add Person.x Nope", 66, "write.unknown-class", "Nope"),
            ("rename Person.agee years", 65, "write.unknown-property", #""suggest":["age"]"#),
            ("rename Persn Human", 66, "write.unknown-class", #""suggest":["Person"]"#),
            ("key Person city", 65, "write.duplicate-key", "Oslo"),
            ("inverse Person.x = Person.age", 65, "write.schema", "not a link"),
            ("explode Person", 64, "usage.arguments", "explode"),
            ("add Person.x", 64, "usage.arguments", "type"),
            ("key Person", 64, "usage.arguments", "none"),
            ("remove Person.name remove", 64, "usage.arguments", "missing"),
            (#"add Person.x String = "y"#, 64, "usage.arguments", "quote"),
            ("", 64, "usage.arguments", "no change"),
        ])
    func wrong(change: String, status: Int32, slug: String, text: String) throws {
        let file = try harness.makePeople()
        let before = try Fixtures.read(file)
        let run = harness.run(["alter", file, change, "--errors", "json"])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(slug) && run.errors.contains(text), "\(run.errors)")
        #expect(try Fixtures.read(file) == before)
    }

    @Test(
        "The error of an incomplete change shows its syntax",
        arguments: [
            ("key Person", 64, "write: key CLASS.PROP, or key CLASS none"),
            ("retype Person", 64, "write: retype CLASS.PROP TYPE"),
            ("reindex Person.age", 64, "a change starts with add, rename, remove"),
            ("add Person.x Int", 65, "write: add Person.x Int = VALUE, or: add Person.x Int?"),
        ])
    func remedies(change: String, status: Int32, text: String) throws {
        let file = try harness.makePeople()
        let run = harness.run(["alter", file, change])
        #expect(run.status == status)
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test("A key is named in the same syntax as in create")
    func keyPath() throws {
        let file = try harness.makePeople()
        #expect(harness.run(["alter", file, "key Person.name"]).status == 0)
        #expect(schema(file).contains("name  String, key"))
    }

    @Test("The word to may precede a new name or type, and names may be in backquotes")
    func habits() throws {
        let file = try harness.makePeople()
        for change in [
            "rename Person.age to `full years`", "rename Person.city to to",
            "rename Person to Human",
            "retype Human.`full years` to Double", "rename Human.to town rename Human to `Ma n`",
        ] {
            let run = harness.run(["alter", file, change])
            #expect(run.status == 0, "\(change): \(run.errors)")
        }
        let shown = schema(file)
        #expect(shown.contains("Ma n") && shown.contains("full years"), "\(shown)")
        #expect(shown.contains("Double") && shown.contains("town"), "\(shown)")
    }

    @Test("A property can be renamed with a class prefix, and never moves to another class")
    func renamedWithClass() throws {
        let file = try harness.makePeople()
        #expect(harness.run(["alter", file, "rename Person.age Person.years"]).status == 0)
        #expect(harness.run(["alter", file, #"rename Person.city "a.b""#]).status == 0)
        let shown = schema(file)
        #expect(shown.contains("  years  Int"), "\(shown)")
        #expect(shown.contains("a.b"), "\(shown)")
        let run = harness.run(["alter", file, "rename Person.years Pet.years"])
        #expect(run.status == 64)
        #expect(run.errors.contains("cannot be moved to another class"), "\(run.errors)")
        for change in [
            "rename Person.years Person.", "rename Person.years .x", "rename Person A.b",
        ] {
            let run = harness.run(["alter", file, change])
            #expect(run.status == 64, "\(change)")
            #expect(run.errors.contains("with a dot in quotes"), "\(run.errors)")
        }
    }

    @Test("A type name from another language gets a hint with the name used here")
    func otherTypes() throws {
        let file = try harness.makePeople()
        for (other, type) in [("text", "String"), ("integer", "Int"), ("timestamp", "Date")] {
            let run = harness.run(["alter", file, "add Person.x \(other)"])
            #expect(run.status == 66, "\(run.errors)")
            #expect(run.errors.contains("did you mean \"\(type)\"?"), "\(run.errors)")
        }
        #expect(harness.run(["alter", file, "add text", "add Person.x text"]).status == 0)
    }
}
