import FirnTesting
import Testing

@testable import FirnReplication

@Suite("Records of the replication")
struct RecordTextTests {
    /// A backslash before an n was read as a line end, so that such a query was another one after the file
    /// had been opened again.
    @Test(
        "A query is unchanged after it was written and read back",
        arguments: [
            "Person name == \"a\\nb\"", "Person name MATCHES \"\\\\d+\\n\"",
            "Person name == \"a\r\nb\"",
            "Person name == \"a\tb\"", "Person name == \"\\\u{301}n\"", "\\", "\\\\n", "\r",
        ])
    func queries(query: String) {
        var queries = SubscribedQueries()
        queries.add(query, of: "Person")
        queries.add("City", of: "City")
        #expect(SubscribedQueries(text: queries.text) == queries)
    }

    @Test("A quote with a combining accent is doubled in SQL", .tags(.security))
    func quotes() {
        #expect(SQLText.name("a\"\u{301}b").utf8.filter { $0 == UInt8(ascii: "\"") }.count == 4)
        #expect(SQLText.literal("a'\u{301}b").utf8.filter { $0 == UInt8(ascii: "'") }.count == 4)
        #expect(SQLText.name("a\"b") == "\"a\"\"b\"" && SQLText.literal("it's") == "'it''s'")
    }
}
