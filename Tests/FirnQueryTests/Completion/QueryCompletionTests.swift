import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Completion of statements")
struct QueryCompletionTests {
    private func complete(
        _ text: String, class defaultClass: String? = nil, entry: QueryEntry = .statement
    ) -> Completion {
        var environment = QueryCompletion.CommandEnvironment()
        environment.lastResult = "Flight"
        environment.savedResults = ["late": "Flight"]
        environment.formats = ["csv", "json"]
        environment.texts = { owner, property, prefix in
            ["Oslo", "Rome", "O'Hara \"x\""].filter { $0.hasPrefix(prefix) }
                .map { property.name == "city" ? $0 : "\(owner.name).\(property.name) \($0)" }
        }
        let context = richContext(defaultClass, arguments: ["min": .int(3)])
        return QueryCompletion(entry: entry, in: context, environment).completion(of: text)
    }

    private func texts(
        _ text: String, class defaultClass: String? = nil, entry: QueryEntry = .statement
    ) -> [String] {
        complete(text, class: defaultClass, entry: entry).candidates.map(\.text)
    }

    @Test("A statement begins with a class, or with a condition on the class in use")
    func sources() {
        #expect(texts("P") == ["Person", "Plane"])
        #expect(texts("fl") == ["Flight"])
        #expect(
            texts("", class: nil).prefix(6) == ["Dog", "Flight", "Leg", "Person", "Plane", "Toy"])
        #expect(texts("na", class: "Person") == ["name"])
        #expect(texts("x", class: nil).isEmpty)
    }

    @Test("Key paths lead through links, collections and inverses, and show their types")
    func paths() {
        #expect(texts("Person na") == ["name"])
        #expect(texts("Flight plane.own") == ["owner"])
        #expect(texts("Flight plane.owner.dogs.toys.").contains("label"))
        #expect(texts("Plane flights.num") == ["number"])
        #expect(texts("Person dogs.@c") == ["@count"])
        #expect(texts("Person dogs.@avg.a") == ["age"])
        #expect(
            texts("Person @links.")
                == ["Flight", "Person", "Plane", "Dog", "@count"].sorted {
                    // Classes by name, then the attribute.
                    ($0.hasPrefix("@") ? 1 : 0, $0) < ($1.hasPrefix("@") ? 1 : 0, $1)
                })
        #expect(texts("Person @links.Flight.") == ["crew", "roles"])
        #expect(texts("Flight number.").allSatisfy { $0.hasPrefix("@") })
        let age = complete("Person ag").candidates.first
        #expect(age?.note == "Int?")
        #expect(age?.append == " ")
        #expect(complete("Flight pl").candidates.first?.append == nil)
        #expect(complete("Person i").candidates.first?.note == "Int (key)")
    }

    @Test("The start of the word is given as a byte offset")
    func starts() {
        #expect(complete("Person na").start == 7)
        #expect(complete("Flight plane.ow").start == 13)
        #expect(complete("Flight city == \"Os").start == 16)
        #expect(complete("Flight city == \"日本\" AND na").start == 28)
        #expect(complete("Person `na").start == 7)
        #expect(complete("Person dogs.@c").start == 12)
    }

    @Test("Operators match the type of the left side")
    func operators() {
        let string = texts("Flight name ")
        #expect(string.contains("BEGINSWITH") && string.contains("==") && string.contains("IN {"))
        #expect(!string.contains("AND") && !string.contains("+"))
        let int = texts("Flight number ")
        #expect(int.contains("<=") && int.contains("BETWEEN {") && int.contains("+"))
        #expect(!int.contains("BEGINSWITH") && !int.contains("LIKE"))
        let bool = texts("Flight open ")
        #expect(bool.contains("==") && bool.contains("AND") && bool.contains("|"))
        #expect(texts("Flight name BEG") == ["BEGINSWITH"])
        #expect(texts("Flight plane ").contains("=="))
        #expect(!texts("Flight plane ").contains("<"))
        let done = texts("Flight number > 3 ")
        #expect(done.contains("AND") && done.contains("SORT(") && done.contains("|"))
        #expect(!done.contains("=="))
    }

    @Test("The right side is completed according to the compared property")
    func rightSides() {
        #expect(texts("Flight open == tr") == ["true"])
        #expect(texts("Flight number == tr").isEmpty)
        #expect(texts("Flight number == ").contains("small"))
        #expect(!texts("Flight number == ").contains("name"))
        #expect(texts("Flight delay == ni") == ["nil"])
        #expect(texts("Flight when < no") == ["now()"])
    }

    @Test("Values come from the compared property")
    func values() {
        #expect(texts("Flight city == \"O") == ["Oslo\"", "O'Hara \\\"x\\\"\""])
        #expect(texts("Flight city == 'O") == ["Oslo'", "O\\'Hara \"x\"'"])
        #expect(texts("Flight city IN {\"Rome\", \"O").first == "Oslo\"")
        #expect(texts("Flight city == ").contains("\"Oslo\""))
        #expect(texts("Flight city BEGINSWITH \"R") == ["Rome\""])
        #expect(texts("Flight city CONTAINS \"R").isEmpty)
        #expect(texts("Flight plane.tailnum == \"P").isEmpty)
        #expect(texts("Flight plane.tailnum == \"").first == "Plane.tailnum Oslo\"")
        #expect(texts("Flight ANY crew.name == \"").first == "Person.name Oslo\"")
        #expect(texts("Flight number == \"O").isEmpty)
        #expect(texts("Flight city == \"Os\\").isEmpty)
    }

    /// Only the names of objects were offered.
    @Test("An item after a name offers values over all rows")
    func namedItems() {
        let all = [
            "@count", "@sum", "@avg", "@min", "@max", "@distinct", "@median", "@quantile",
            "@stddev", "@variance", "@first", "@last",
        ]
        #expect(texts("Flight | group(city; n = @").filter { all.contains($0) } == all)
        #expect(texts("Flight | group(city; @count, n = @").filter { all.contains($0) } == all)
        #expect(texts("Flight | project(n = @").filter { all.contains($0) } == all)
        let sum = complete("Flight | group(city; n = @su").candidates
        #expect(sum.map(\.text) == ["@sum"])
        #expect(sum.map(\.append) == ["."])
    }

    @Test("Stages, their items and their names are completed")
    func stages() {
        #expect(texts("Flight | so") == ["SORT("])
        #expect(texts("Flight | de").contains("delete"))
        #expect(!texts("Flight | de", entry: .pipeline).contains("delete"))
        #expect(texts("Flight SORT(num") == ["number"])
        #expect(texts("Flight SORT(number D") == ["DESC"])
        #expect(texts("Flight | project(@su") == ["@sum"])
        #expect(texts("Flight | project(@sum.num") == ["number"])
        #expect(texts("Flight | project(number A").contains("AS"))
        #expect(texts("Flight | project(number AS n").isEmpty)
        #expect(
            texts("Flight | group(city; @count AS total) | SORT(").prefix(2) == ["city", "total"])
        #expect(texts("Flight | project(plane AS machine) | machine.se") == ["seats"])
        #expect(texts("Flight | set na") == ["name"])
        #expect(texts("Flight number > 3 SO") == ["SORT("])
    }

    @Test("Subqueries have a variable for their elements")
    func subqueries() {
        #expect(texts("Person SUBQUERY(do") == ["dogs"])
        #expect(texts("Person SUBQUERY(dogs, $d, $") == ["$d.", "$min"])
        #expect(texts("Person SUBQUERY(dogs, $d, $d.na") == ["name"])
        #expect(texts("Person SUBQUERY(dogs, $d, $d.age > 3).@count > 1 AND na") == ["name"])
    }

    @Test("Parameters and earlier results are completed by name")
    func names() {
        #expect(texts("Flight number > $") == ["$min"])
        #expect(texts("Flight number > $m") == ["$min"])
        #expect(texts(":la") == ["late"])
        #expect(texts(":late num") == ["number"])
        #expect(texts("| num") == ["number"])
        #expect(texts("_ num") == ["number"])
    }

    @Test("A name with a space is put into backquotes, and is found when typed with a backquote")
    func quotedNames() {
        let property = PropertySchema(
            id: PropertyID(1), name: "first name", type: PropertyType(.string), display: nil)
        let schema = Schema(classes: [
            ClassSchema(id: ClassID(1), name: "My Class", properties: [property], key: nil)
        ])
        let completion = QueryCompletion(
            entry: .pipeline,
            in: BindingContext(schema: schema, now: Timestamp(seconds: 0)))
        #expect(completion.completion(of: "my").candidates.map(\.text) == ["`My Class`"])
        #expect(completion.completion(of: "`My").candidates.map(\.text) == ["`My Class`"])
        #expect(
            completion.completion(of: "`My Class` fir").candidates.map(\.text) == ["`first name`"])
    }

    @Test(
        "No candidates appear in comments, in numbers, or in text that is too long or already wrong"
    )
    func nothing() {
        for text in [
            "Person -- na", "Person age > 12", "Person age > 2020-01-0", "Person ) na",
            "Person age > 3 > ", "Person \u{1}", "Itme na",
            "Person " + String(repeating: " ", count: QueryCompletion.textBytesMax),
        ] { #expect(texts(text).isEmpty, "\(text.prefix(40))") }
    }
}
