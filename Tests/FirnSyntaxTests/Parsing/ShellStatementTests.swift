import Testing

@testable import FirnSyntax

@Suite struct ShellStatementTests {
    private func only(_ text: String) throws -> ShellStatement {
        let statements = try ShellStatement.parse(text)
        try #require(statements.count == 1)
        return statements[0]
    }

    @Test func `A statement is split into its parts`() throws {
        let cases: [(String, ShellStatement.Start, String, ShellStatement.Ending)] = [
            ("Person age > 3", .objects, "Person age > 3", .rows),
            ("age > 3 SORT(age)", .objects, "age > 3 SORT(age)", .rows),
            ("| age > 3 | count", .lastResult, "age > 3 | count", .rows),
            ("_", .lastResult, "", .rows),
            ("_ | age > 3", .lastResult, "age > 3", .rows),
            ("_ WHERE age > 3", .lastResult, "WHERE age > 3", .rows),
            (":old", .saved("old"), "", .rows),
            (":old age > 3", .saved("old"), "age > 3", .rows),
            (":old | first", .saved("old"), "first", .rows),
            ("Person | to csv", .objects, "Person", .output(format: "csv")),
            ("| to json", .lastResult, "", .output(format: "json")),
            ("Person age > 3 | save a", .objects, "Person age > 3", .save(name: "a")),
            ("_ | save a", .lastResult, "", .save(name: "a")),
            ("Person | observe", .objects, "Person", .observe),
            ("Person | set age = 3, b = 4", .objects, "Person | set age = 3, b = 4", .change),
            ("| delete", .lastResult, "delete", .change),
            (
                "Person (age > 3) | ! grep ';' | wc -l; x", .objects, "Person (age > 3)",
                .shell(command: "grep ';' | wc -l; x")
            ),
            ("Person | !active", .objects, "Person | !active", .rows),
            (
                "Person -- all of them\n | count -- only that", .objects,
                "Person -- all of them\n | count", .rows
            ),
        ]
        for (text, start, query, ending) in cases {
            let statement = try only(text)
            #expect(statement.start == start, "\(text)")
            #expect(statement.query == query, "\(text)")
            #expect(statement.ending == ending, "\(text)")
        }
    }

    @Test func `Several statements are parsed separately`() throws {
        let statements = try ShellStatement.parse(
            "a == 1; ;| b == 2 | to csv;Person | ! x; y")
        #expect(
            statements.map(\.text) == ["a == 1", "| b == 2 | to csv", "Person | ! x; y"])
    }

    @Test func `Nothing can follow the end of a statement`() {
        for text in [
            "Person | to csv | count", "Person | save a | count", "Person | delete | count",
        ] {
            #expect(throws: QueryError.self, "\(text)") { try ShellStatement.parse(text) }
        }
        #expect(throws: QueryError.self) { try ShellStatement.parse("Person | ! ") }
    }

    @Test(arguments: [QueryEntry.pipeline, .statement])
    func `Syntax of the shell is refused elsewhere`(_ entry: QueryEntry) {
        for text in ["Person | to csv", "Person | save a"] {
            let error = #expect(throws: QueryError.self, "\(text)") {
                try Statement.parse(text, entry: entry)
            }
            #expect(error?.code == .usage, "\(text)")
        }
        let error = #expect(throws: QueryError.self) {
            try Statement.parse("Person | ! grep 'a", entry: entry)
        }
        #expect(error?.code == .syntax)
    }
}
