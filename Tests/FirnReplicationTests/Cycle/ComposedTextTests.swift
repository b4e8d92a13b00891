import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// The letter é as one code point, and as e with a combining accent: Swift takes both for the same text, and
/// PostgreSQL, like a file of Firn, for two.
///
/// Replication once compared texts as Swift does: a change from one form to the other was neither sent nor
/// received, and both sides went on with different values without a word.
@Suite("Replication of composed letters", .serialized, .timeLimit(.minutes(5)))
struct ComposedTextTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    private let folder = TemporaryFolder()
    private let address: String

    init() throws { address = try PostgresServer.shared.get().makeDatabase("composed") }

    private func client(_ name: String) throws -> SyncClient {
        try SyncClient(folder(name + ".firn"), attachedTo: address, ["Person", "City"])
    }

    private func cycle(_ clients: SyncClient...) throws { try SyncClient.cycle(clients) }

    @Test("Objects whose keys differ only in how a letter is composed are two objects")
    func keys() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string(Self.composed), "size": .int(1)])
        try a.put("City", ["name": .string(Self.decomposed), "size": .int(2)])
        try cycle(a, b)
        for client in [a, b] {
            #expect(try client.value("City", .string(Self.composed), "size") == .int(1))
            #expect(try client.value("City", .string(Self.decomposed), "size") == .int(2))
        }
        // A change of one on each side, and both in one exchange.
        try a.put("City", ["name": .string(Self.composed), "size": .int(10)])
        try b.put("City", ["name": .string(Self.decomposed), "size": .int(20)])
        try cycle(a, b, a)
        for client in [a, b] {
            #expect(try client.value("City", .string(Self.composed), "size") == .int(10))
            #expect(try client.value("City", .string(Self.decomposed), "size") == .int(20))
        }
    }

    @Test(
        "A string that changes only in how a letter is composed arrives",
        arguments: [(composed, decomposed), (decomposed, composed)])
    func changes(old: String, new: String) throws {
        let (a, b) = (try client("a"), try client("b"))
        let tags = Value.list([.string(old), .string("x")])
        try a.put(
            "Person", ["id": .int(1), "name": .string(old), "tags": tags, "extra": .string(old)])
        try cycle(a, b)
        try a.put(
            "Person",
            [
                "id": .int(1), "name": .string(new), "tags": .list([.string(new), .string("x")]),
                "extra": .string(new),
            ])
        try cycle(a, b)
        #expect(try b.value("Person", .int(1), "name") == .string(new))
        #expect(try b.value("Person", .int(1), "extra") == .string(new))
        #expect(
            try b.value("Person", .int(1), "tags") == .list([.string(new), .string("x")]))
    }

    @Test("Merges of collections keep both forms")
    func merges() {
        let composed = CanonicalText(Self.composed, .string)
        let decomposed = CanonicalText(Self.decomposed, .string)
        let merged = ListMerge.set(
            base: [composed], server: [composed], local: [composed, decomposed])
        #expect(merged.map(\.text) == [Self.composed, Self.decomposed])
        let map = ListMerge.map(
            base: ["k": JSONNode.string(Self.composed)], server: ["k": .string(Self.composed)],
            local: ["k": .string(Self.decomposed)])
        #expect(map["k"] == .string(Self.decomposed))
    }
}
