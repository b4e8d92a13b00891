import FirnTesting
import Testing

/// Queries of every production of the grammar, of every operator and of most error messages.
@Suite("Examples of queries")
struct QueryExampleTests {
    @Test("Every query has its recorded result")
    func results() throws {
        let databases = try ExampleDatabases()
        #expect(QueryExample.all.count >= 600)
        for example in QueryExample.all {
            let result = QueryExample.result(databases.run(example))
            #expect(result == example.result, "\(example.database): \(example.query)")
        }
    }

    @Test("Every query of the man page is one of the examples")
    func manual() throws {
        let known = Set(QueryExample.all.map { "\($0.database) \($0.query)" })
        let shown = try Self.queries(of: ManualPage("firn-query-language.7"))
        #expect(shown.count >= 30)
        for query in shown { #expect(known.contains(query), "\(query)") }
    }

    @Test("The examples use every keyword of the language")
    func keywords() {
        let text = QueryExample.all.map(\.query).joined(separator: "\n")
        let words = [
            "WHERE", "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "BETWEEN",
            "BEGINSWITH",
            "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "GEOWITHIN", "SORT", "DISTINCT", "LIMIT",
            "SKIP", "ASC", "DESC", "BY", "AS", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY",
            "select", "project", "group", "join", "hist", "bar", "count", "exists", "first", "last",
            "explain", "delete", "@links", "@id", "@type", "@keys", "@values", "FIRST", "LAST",
            "SIZE",
            "geoCircle", "geoBox", "uuid", "oid", "bin", "B64", "obj", "now", "nil", "true", "YES",
        ]
        for word in words { #expect(text.contains(word), "\(word)") }
    }

    /// Returns the queries of a page, each after the name of its database.
    ///
    /// A query can go on in lines that begin with `> `.
    private static func queries(of page: ManualPage) -> [String] {
        var queries: [String] = []
        let text = page.lines.joined(separator: "\n").replacing("\n> ", with: " ")
        for line in text.split(separator: "\n") where line.hasPrefix("$ firn query ") {
            let parts = plain(String(line)).split(separator: "'", omittingEmptySubsequences: false)
            guard parts.count >= 3 else { continue }
            let file = parts[0].dropFirst("$ firn query ".count).prefix { $0 != "." }
            let query = parts[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
            queries.append("\(file) \(query)")
        }
        return queries
    }

    /// Returns a line without the escapes of the page.
    private static func plain(_ line: String) -> String {
        line.replacing("\\e\n", with: "").replacing("\\(aq", with: "'").replacing("\\-", with: "-")
            .replacing("\\(ha", with: "^").replacing("\\&", with: "").replacing("\\e", with: "\\")
    }
}
