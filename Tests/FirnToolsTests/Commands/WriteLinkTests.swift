import FirnTesting
import FirnTools
import Testing

/// Links, embedded objects and operations through `firn write`.
@Suite("Writing links, embedded objects and operations")
struct WriteLinkTests {
    private let harness = CommandHarness()

    /// A keyed class, one without a key, and an embedded one.
    private func makeKennel() throws -> String {
        let file = harness.folder("kennel.firn")
        let schema = """
            {"v":1,"classes":[
            {"name":"Address","embedded":true,"properties":[{"name":"street","type":"String"},
             {"name":"tags","type":"List<String>"},{"name":"owner","type":"Person"}]},
            {"name":"Person","key":"id","properties":[{"name":"id","type":"Int"},
             {"name":"name","type":"String","optional":true},{"name":"dogs","type":"List<Dog>"},
             {"name":"home","type":"Address"},{"name":"boss","type":"Person"},
             {"name":"rooms","type":"Map<Address?>"},{"name":"any","type":"Any"}]},
            {"name":"Dog","properties":[{"name":"name","type":"String"},{"name":"mother","type":"Dog"},
             {"name":"marks","type":"Set<Int>"},{"name":"toys","type":"Map<Int>"}]}]}
            """
        let run = harness.run(["create", file, "--schema", "-", "-q"], input: schema)
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    private func write(_ file: String, _ input: String, _ words: [String] = [])
        -> CommandHarness.Run
    {
        harness.run(["write", file, "-"] + words, input: input)
    }

    private func rows(_ file: String, _ className: String) -> String {
        harness.run(["export", file, "-c", className]).output
    }

    @Test("Objects link to later ones, by key, by $id and in a cycle")
    func forward() throws {
        let file = try makeKennel()
        let run = write(
            file,
            """
            {"$class":"Person","id":1,"boss":2,"dogs":[1,0],"any":[{"$ref":"Person","id":3}]}
            {"$class":"Person","id":2,"boss":1}
            {"$class":"Person","id":3,"boss":3,"any":{"d":{"$ref":"Dog","$id":1}}}
            {"$class":"Dog","$id":0,"name":"Rex","mother":1}
            {"$class":"Dog","$id":1,"name":"Ida"}
            """)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            rows(file, "Person") == """
                {"id":1,"name":null,"dogs":[1,0],"home":null,"boss":2,"rooms":{},"any":[{"$ref":"Person","id":3}]}
                {"id":2,"name":null,"dogs":[],"home":null,"boss":1,"rooms":{},"any":null}
                {"id":3,"name":null,"dogs":[],"home":null,"boss":3,"rooms":{},"any":{"d":{"$ref":"Dog","id":1}}}

                """)
        #expect(rows(file, "Dog").hasPrefix(#"{"$id":0,"name":"Rex","mother":1,"#))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("An optional key is like any other, and a link to its object names its class")
    func nullKeys() throws {
        let file = harness.folder("seats.firn")
        let schema = """
            {"v":1,"classes":[{"name":"Seat","key":"id","properties":[
            {"name":"id","type":"String","optional":true},{"name":"row","type":"Int"},
            {"name":"next","type":"Seat"}]}]}
            """
        try #require(
            harness.run(["create", file, "--schema", "-", "-q"], input: schema).status == 0)
        let run = write(
            file,
            """
            {"row":1,"next":"a"}
            {"id":"a","row":2,"next":{"$ref":"Seat","id":null}}
            {"id":"","row":3,"next":{"$ref":"Seat","id":null}}
            """)
        #expect(run.status == 0, "\(run.errors)")
        let written = """
            {"id":null,"row":1,"next":"a"}
            {"id":"a","row":2,"next":{"$ref":"Seat","id":null}}
            {"id":"","row":3,"next":{"$ref":"Seat","id":null}}

            """
        #expect(rows(file, "Seat") == written)
        let again = write(file, #"{"id":null,"row":9}"#)
        #expect(again.errors.contains("already has an object with id null"), "\(again.errors)")
        #expect(again.status == 65)
        #expect(write(file, #"{"id":null,"row":4}"#, ["--upsert"]).status == 0)
        #expect(write(file, #"{"op":"delete","class":"Seat","id":"a"}"#).status == 0)
        let operation = #"{"op":"update","class":"Seat","id":null,"object":{"row":5}}"#
        #expect(write(file, operation).status == 0)
        #expect(
            rows(file, "Seat") == """
                {"id":null,"row":5,"next":null}
                {"id":"","row":3,"next":{"$ref":"Seat","id":null}}

                """)
        #expect(
            harness.run(["query", file, "Seat id == nil | select(row)"]).output == "{\"row\":5}\n")
        #expect(harness.run(["schema", file, "-f", "text"]).output.contains("id    String?, key"))
        #expect(
            harness.run(["schema", file, "-f", "swift"]).output
                .contains("@Persisted(primaryKey: true) var id: String?"))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        // The export makes the same database.
        let copy = harness.folder("copy.firn")
        let document = harness.run(["schema", file, "-f", "json"]).output
        #expect(harness.run(["create", copy, "--schema", "-", "-q"], input: document).status == 0)
        #expect(write(copy, rows(file, "Seat")).status == 0)
        #expect(rows(copy, "Seat") == rows(file, "Seat"))
    }

    @Test("A dangling link rolls everything back, and the error has the position of the first one")
    func dangling() throws {
        let file = try makeKennel()
        let input = """
            {"$class":"Person","id":1,"boss":2}
            {"$class":"Person","id":2,"dogs":[0,7]}
            {"$class":"Dog","name":"Rex"}
            """
        let run = write(file, input)
        #expect(run.status == 65)
        #expect(run.errors.contains("standard input:2, dogs: there is no Dog with $id 7"))
        #expect(rows(file, "Dog").isEmpty)
        // The record with the link is skipped, and so are records that link to it.
        let skip = write(file, input, ["--on-error", "skip"])
        #expect(skip.status == 65)
        #expect(
            skip.output.contains(
                #""inserted":1,"updated":0,"deleted":0,"unchanged":0,"rejected":2"#),
            "\(skip.output)")
        #expect(rows(file, "Person").isEmpty)
    }

    @Test("Nested objects are written with their outer objects")
    func nested() throws {
        let file = try makeKennel()
        let first = """
            {"$class":"Person","id":1,"name":"Ann","boss":{"id":2,"name":"Bo"},
             "dogs":[{"name":"Rex"},{"name":"Ida","mother":{"name":"Eve"}}],
             "home":{"street":"S","tags":["x"],"owner":1},"rooms":{"hall":{"street":"H"}}}
            """
        let run = write(file, first)
        #expect(run.output.contains(#""inserted":5"#), "\(run.output)\(run.errors)")
        let shown = harness.run(["query", file, "Person id == 1"]).output
        #expect(
            shown == """
                {"id":1,"name":"Ann","dogs":[0,2],"home":{"street":"S","tags":["x"],"owner":1},"boss":2,\
                "rooms":{"hall":{"street":"H","tags":[],"owner":null}},"any":null}

                """)
        // Writing the same again changes nothing; another embedded object replaces the old one.
        let same = write(
            file,
            #"{"$class":"Person","id":1,"home":{"street":"S","tags":["x"],"owner":1},"boss":{"id":2}}"#,
            ["--upsert"])
        #expect(same.output.contains(#""updated":0,"deleted":0,"unchanged":2"#), "\(same.output)")
        let other = write(
            file, #"{"$class":"Person","id":1,"home":{"street":"T"}}"#, ["--update"])
        #expect(other.output.contains(#""updated":1"#), "\(other.errors)")
        #expect(
            harness.run(["query", file, "Person id == 1"]).output.contains(
                #""home":{"street":"T","tags":[],"owner":null}"#))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        #expect(
            harness.run(["stats", file]).output.contains(#"{"name":"Address","objects":2,"#))
    }

    @Test(
        "Invalid links and objects are refused",
        arguments: [
            (#"{"$class":"Person","id":1,"home":3}"#, "write.embedded", "home"),
            (#"{"$class":"Address","street":"S"}"#, "write.embedded", "are embedded"),
            (
                #"{"$class":"Person","id":1,"home":{"strt":"S"}}"#, "write.unknown-property",
                "home.strt"
            ),
            (#"{"$class":"Person","id":1,"rooms":{"a":{"street":3}}}"#, "write.type", "rooms"),
            (
                #"{"$class":"Person","id":1,"dogs":[{"name":"x"},{"nam":"y"}]}"#,
                "write.unknown-property", "dogs[1].nam"
            ),
            (#"{"$class":"Person","id":1,"dogs":[null]}"#, "write.missing-value", "dogs[0]"),
            (#"{"$class":"Person","id":1,"boss":{"$ref":"Dog","id":1}}"#, "write.type", "boss"),
            (
                #"{"$class":"Person","id":1,"boss":{"$ref":"Dg","id":1}}"#, "write.unknown-class",
                "boss"
            ),
            (#"{"$class":"Person","id":1,"boss":{"name":"no key"}}"#, "write.missing-key", "boss"),
            (#"{"$class":"Person","id":1,"boss":true}"#, "write.type", "boss"),
            (#"{"$class":"Dog","$id":-1,"name":"x"}"#, "write.value", "$id"),
            (#"{"name":"x"}"#, "usage.arguments", "does not name its class"),
        ])
    func wrong(record: String, slug: String, text: String) throws {
        let file = try makeKennel()
        let run = write(file, record, ["--errors", "json"])
        #expect([64, 65, 66].contains(run.status))
        #expect(run.errors.contains(#""code":"\#(slug)""#), "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(harness.run(["stats", file]).output.contains(#""version":1,"#))
    }

    @Test("Objects without a key are identified by their $id")
    func identities() throws {
        let file = try makeKennel()
        func dogs(_ input: String, _ words: String...) -> CommandHarness.Run {
            write(file, input, ["-c", "Dog"] + words)
        }
        #expect(dogs(#"{"$id":4,"name":"a","marks":[3,1,3]}"#).status == 0)
        #expect(dogs(#"{"$id":4,"name":"b"}"#).status == 65)
        #expect(dogs(#"{"$id":3,"name":"b"}"#).status == 65)
        #expect(dogs(#"{"name":"b"}"#, "--upsert").status == 65)
        #expect(dogs(#"{"$id":4,"name":"c"}"#, "--update").status == 0)
        #expect(
            rows(file, "Dog") == """
                {"$id":4,"name":"c","mother":null,"marks":[1,3],"toys":{}}

                """)
        #expect(dogs(#"{"$id":4,"name":"d"}"#, "--replace").status == 0)
        #expect(dogs(#"{"$id":9,"name":"e","mother":4}"#, "--upsert").status == 0)
        #expect(
            rows(file, "Dog") == """
                {"$id":4,"name":"d","mother":null,"marks":[],"toys":{}}
                {"$id":9,"name":"e","mother":4,"marks":[],"toys":{}}

                """)
    }

    @Test("Operations change objects and the content of collections")
    func operations() throws {
        let file = try makeKennel()
        let run = write(
            file,
            """
            {"op":"insert","class":"Person","id":1,"object":{"home":{"street":"S"}}}
            {"op":"insert","class":"Dog","object":{"name":"Rex"}}
            {"op":"edit","class":"Person","id":1,"path":"dogs","append":0}
            {"op":"edit","class":"Person","id":1,"path":"dogs","insert":0,"value":{"name":"Ida"}}
            {"op":"edit","class":"Person","id":1,"path":"dogs","move":0,"to":1}
            {"op":"edit","class":"Person","id":1,"path":"home.tags","append":"x"}
            {"op":"edit","class":"Person","id":1,"path":"home.tags","insert":0,"value":"w"}
            {"op":"edit","class":"Person","id":1,"path":"home.tags","replace":1,"value":"y"}
            {"op":"edit","class":"Dog","id":0,"path":"marks","add":3}
            {"op":"edit","class":"Dog","id":0,"path":"marks","add":2}
            {"op":"edit","class":"Dog","id":0,"path":"marks","discard":3}
            {"op":"edit","class":"Dog","id":0,"path":"toys","put":"ball","value":1}
            {"op":"edit","class":"Dog","id":0,"path":"toys","put":"bone","value":2}
            {"op":"edit","class":"Dog","id":0,"path":"toys","drop":"ball"}
            {"op":"upsert","class":"Person","object":{"id":2,"name":"gone"}}
            {"op":"delete","class":"Person","id":2}
            """)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""deleted":1"#))
        #expect(
            rows(file, "Person") == """
                {"id":1,"name":null,"dogs":[0,1],"home":{"street":"S","tags":["w","y"],"owner":null},\
                "boss":null,"rooms":{},"any":null}

                """)
        #expect(rows(file, "Dog").contains(#""marks":[2],"toys":{"bone":2}"#))
        let cleared = write(
            file, #"{"op":"edit","class":"Dog","id":0,"path":"toys","clear":true}"#)
        #expect(cleared.status == 0)
        #expect(rows(file, "Dog").contains(#""marks":[2],"toys":{}"#))
    }

    @Test(
        "Invalid operations are refused",
        arguments: [
            (#"{"op":"edit","class":"Dog","id":0,"path":"marks","append":1}"#, "write.type"),
            (#"{"op":"edit","class":"Dog","id":0,"path":"marks","add":"x"}"#, "write.type"),
            (
                #"{"op":"edit","class":"Dog","id":0,"path":"mark","add":1}"#,
                "write.unknown-property"
            ),
            (#"{"op":"edit","class":"Dog","id":5,"path":"marks","add":1}"#, "write.unknown-object"),
            (#"{"op":"edit","class":"Dog","id":0,"path":"marks"}"#, "input.syntax"),
            (
                #"{"op":"edit","class":"Dog","id":0,"path":"marks","add":1,"discard":1}"#,
                "input.syntax"
            ),
            (#"{"op":"edit","class":"Dog","id":0,"add":1}"#, "input.syntax"),
            (#"{"op":"explode","class":"Dog","id":0}"#, "input.syntax"),
            (#"{"op":"delete","class":"Dog"}"#, "write.missing-key"),
            (#"{"op":"delete","class":"Dog","id":8}"#, "write.unknown-object"),
            (#"{"op":"insert","class":"Dog"}"#, "input.syntax"),
            (#"{"op":"insert","object":{}}"#, "input.syntax"),
        ])
    func wrongOperations(line: String, slug: String) throws {
        let file = try makeKennel()
        #expect(write(file, #"{"$class":"Dog","name":"Rex"}"#).status == 0)
        let run = write(file, line, ["--input", "ops", "--errors", "json"])
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains(#""code":"\#(slug)""#), "\(run.errors)")
        #expect(harness.run(["stats", file]).output.contains(#""version":2,"#))
    }

    /// After `create` without `--link`, a link could only be added together with an input.
    @Test("write with only a link sets it on all objects")
    func linkAlone() throws {
        let file = harness.folder("air.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "-q", "--key", "Plane.tail"],
            input: """
                {"$class":"Plane","tail":"N1","seats":9}
                {"$class":"Flight","number":1,"tail":"N1"}
                {"$class":"Flight","number":2,"tail":"N2"}
                """)
        try #require(made.status == 0, "\(made.errors)")
        let run = harness.run(["write", file, "--link", "plane=tail:Plane.tail"])
        #expect(run.status == 0, "\(run.errors)")
        let seats = harness.run(["query", file, "Flight plane.seats == 9 | select(number)", "-r"])
        #expect(seats.output == "1\n")
        #expect(harness.run(["write", file]).errors.contains("nothing to write"))
        let new = harness.folder("new.firn")
        let empty = harness.run(["write", new, "--create", "--link", "plane=tail:Plane.tail"])
        #expect(empty.errors.contains("nothing to write"), "\(empty.errors)")
    }

    // MARK: Links that are pending when their object changes

    private func bosses(_ file: String) -> String {
        harness.run(["query", file, "Person | sort(id) | select(id, boss.id)", "-f", "csv"]).output
    }

    /// Links to later objects were set at the end, over what later records had given.
    @Test(
        "A later record overrides a link that is still pending",
        arguments: [
            ([], "{\"$class\":\"Person\",\"id\":1,\"boss\":3}", "3"),
            ([], "{\"$class\":\"Person\",\"id\":1,\"boss\":null}", ""),
            ([], "{\"$class\":\"Person\",\"id\":1,\"boss\":4}", "4"),
            ([], "{\"$class\":\"Person\",\"id\":1,\"name\":\"Bo\"}", "2"),
            (["--on-error", "skip"], "{\"$class\":\"Person\",\"id\":1,\"boss\":3}", "3"),
            (["--on-error", "skip"], "{\"$class\":\"Person\",\"id\":1,\"name\":\"Bo\"}", "2"),
        ])
    func superseded(words: [String], record: String, boss: String) throws {
        let file = try makeKennel()
        let run = write(
            file,
            """
            {"$class":"Person","id":1,"boss":2}
            {"$class":"Person","id":3}
            \(record)
            {"$class":"Person","id":2}
            {"$class":"Person","id":4}
            """, ["--upsert"] + words)
        #expect(run.status == 0, "\(run.errors)")
        #expect(bosses(file) == "id,boss.id\n1,\(boss)\n2,\n3,\n4,\n")
    }

    @Test("A record that replaces an object drops its pending links and their errors")
    func replaced() throws {
        let file = try makeKennel()
        let run = write(
            file,
            """
            {"op":"insert","class":"Person","id":1,"object":{"boss":7}}
            {"op":"replace","class":"Person","id":1,"object":{"name":"Bo"}}
            {"op":"insert","class":"Person","id":2,"object":{"boss":8}}
            {"op":"delete","class":"Person","id":2}
            """, ["--input", "ops"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(bosses(file) == "id,boss.id\n1,\n")
    }

    /// The whole list was set at the end, without the element that the edit had appended.
    @Test("An edit of a list with pending links keeps both")
    func edited() throws {
        let file = try makeKennel()
        let input = """
            {"op":"insert","class":"Person","id":1,"object":{"dogs":[1,0]}}
            {"op":"insert","class":"Dog","object":{"$id":0,"name":"d"}}
            {"op":"insert","class":"Dog","object":{"$id":1,"name":"d"}}
            {"op":"insert","class":"Dog","object":{"$id":2,"name":"d"}}
            {"op":"edit","class":"Person","id":1,"path":"dogs","append":2}

            """
        let run = write(file, input, ["--input", "ops"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(rows(file, "Person").contains("\"dogs\":[1,0,2]"), "\(rows(file, "Person"))")
        let early = write(
            file,
            """
            {"op":"insert","class":"Person","id":2,"object":{"dogs":[9]}}
            {"op":"edit","class":"Person","id":2,"path":"dogs","append":2}
            """, ["--input", "ops"])
        #expect(early.status == 65)
        #expect(early.errors.contains("there is no Dog with $id 9"), "\(early.errors)")
    }

    /// A statement saw no links to later objects, and deleted what had some.
    @Test("A statement sees the links of earlier records, and can change them")
    func statement() throws {
        let file = try makeKennel()
        let input = harness.folder("people.ndjson")
        try Fixtures.write(
            """
            {"$class":"Person","id":1,"boss":2}
            {"$class":"Person","id":2,"boss":3}
            {"$class":"Person","id":3}
            """, to: input)
        let run = harness.run(
            [
                "write", file, input, "-x", "Person boss == nil | delete", "-x",
                "Person id == 1 | set boss = nil",
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(bosses(file) == "id,boss.id\n1,\n2,\n")
        try Fixtures.write(
            "{\"$class\":\"Person\",\"id\":5,\"boss\":6}\n", to: harness.folder("early.ndjson"))
        let early = harness.run([
            "write", file, harness.folder("early.ndjson"), "-x", "Person | set name = 'x'",
        ])
        #expect(early.status == 65)
        #expect(early.errors.contains("before the statement"), "\(early.errors)")
    }

    @Test("With skips, a deletion waits for the deferred records of its object")
    func deferredDeletion() throws {
        let file = try makeKennel()
        let run = write(
            file,
            """
            {"op":"insert","class":"Person","id":1,"object":{"name":"Al"}}
            {"op":"upsert","class":"Person","id":1,"object":{"boss":2}}
            {"op":"insert","class":"Person","id":2,"object":{"boss":1}}
            {"op":"delete","class":"Person","id":1}
            """, ["--input", "ops", "--on-error", "skip"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(bosses(file) == "id,boss.id\n2,\n")
    }

    // MARK: New databases

    private static let cars = """
        {"$schema":{"v":1,"classes":[
         {"name":"Car","properties":[{"name":"plate","type":"String"},
          {"name":"owner","type":"Owner"},{"name":"next","type":"Car"}]},
         {"name":"Owner","key":"name","properties":[{"name":"name","type":"String"},
          {"name":"car","type":"Owner"}]}]}}

        """

    @Test("In a new database, objects may come before the targets of their links")
    func newLinks() throws {
        let file = harness.folder("cars.firn")
        let cars = (0..<40).map { number in
            let owner = number % 7 == 0 ? "null" : "\"o\(number % 5)\""
            return "{\"$class\":\"Car\",\"plate\":\"p\(number)\",\"owner\":\(owner)}\n"
        }
        let owners = (0..<5).map {
            "{\"$class\":\"Owner\",\"name\":\"o\($0)\",\"car\":\"o\(($0 + 1) % 5)\"}\n"
        }
        let run = harness.run(
            ["create", file, "--from", "-", "-q"],
            input: WriteLinkTests.cars + cars.joined() + owners.joined())
        #expect(run.status == 0, "\(run.errors)")
        let expected = (0..<40).map { "p\($0),\($0 % 7 == 0 ? "" : "o\($0 % 5)")\n" }
        #expect(
            harness.run(["query", file, "Car | select(plate, owner.name)", "-f", "csv"]).output
                == "plate,owner.name\n" + expected.joined())
        #expect(
            harness.run(["query", file, "Owner | select(car.name)", "-f", "csv"]).output
                == "car.name\n" + (0..<5).map { "o\(($0 + 1) % 5)\n" }.joined())
        #expect(
            harness.run(["query", file, "Owner | select(@links.Car.owner.@count)", "-f", "csv"])
                .output.contains("7"))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("Of links without a target, the first is named, and all are counted")
    func danglingLinks() throws {
        let file = harness.folder("cars.firn")
        let run = harness.run(
            ["create", file, "--from", "-", "-q"],
            input: WriteLinkTests.cars + """
                {"$class":"Car","plate":"a","owner":"x"}
                {"$class":"Car","plate":"b","owner":"lost","next":7}
                {"$class":"Car","plate":"c","owner":"lost"}
                {"$class":"Owner","name":"x","car":"gone"}
                """)
        #expect(run.status == 65)
        // The schema takes five lines.
        #expect(run.errors.contains("the first of 4 such links"), "\(run.errors)")
        #expect(
            run.errors.contains("standard input:7, owner: there is no Owner with name \"lost\""),
            "\(run.errors)")
    }
}
