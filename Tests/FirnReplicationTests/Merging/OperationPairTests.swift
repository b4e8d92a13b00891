import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// All pairs of operations of two offline files on one object, in both orders of their arrival.
///
/// Each pair has an object of its own, so that two files and one server suffice for all of them.
@Suite("Pairs of operations", .serialized, .timeLimit(.minutes(5)))
struct OperationPairTests {
    private let folder = TemporaryFolder()

    /// An operation of a file on the object of a pair.
    private enum Operation: Int64, CaseIterable {
        case nothing, create, setName, clearName, setPrice, increment, insertFirst, append
        case removeElement, move, addToSet, removeFromSet, setKey, removeKey, embed
        case changeEmbedded, setAny, delete, recreate
    }

    /// The objects that exist before; the others are created by the operations.
    private static func exists(_ pair: Int64) -> Bool {
        let (first, second) = operations(pair)
        return first != .create && second != .create
    }

    private static let pairs = 0..<(count * count)
    private static let count = Int64(Operation.allCases.count)

    private static func operations(_ pair: Int64) -> (Operation, Operation) {
        (
            Operation(rawValue: pair / count) ?? .nothing,
            Operation(rawValue: pair % count) ?? .nothing
        )
    }

    /// Applies an operation; `side` makes the values of the two files differ.
    private func apply(
        _ operation: Operation, _ key: Int64, _ side: String, _ client: SyncClient
    ) throws {
        let id = Value.int(key)
        let number: Int64 = side == "a" ? 1 : 2
        func put(_ fields: TextMap<Value>) throws {
            try client.put("Person", fields.merging(["id": id]) { $1 })
        }
        func list(_ texts: String...) -> Value { .list(texts.map { .string($0) }) }
        switch operation {
        case .nothing: break
        case .create: try put(["name": .string(side), "age": .int(100)])
        case .setName: try put(["name": .string(side)])
        case .clearName: try put(["name": .null])
        case .setPrice: try put(["price": .decimal128(Decimal128("1.\(number)0")!)])
        case .increment:
            guard case .int(let age)? = try client.value("Person", id, "age") else { return }
            try put(["age": .int(age + number)])
        case .insertFirst: try put(["tags": list(side, "x", "y", "z")])
        case .append: try put(["tags": list("x", "y", "z", side)])
        case .removeElement: try put(["tags": side == "a" ? list("x", "z") : list("x", "y")])
        case .move: try put(["tags": side == "a" ? list("z", "x", "y") : list("y", "x", "z")])
        case .addToSet: try put(["nums": .set([.int(1), .int(2), .int(10 + number)])])
        case .removeFromSet: try put(["nums": .set([.int(number)])])
        case .setKey:
            try put(["marks": .map(["k": .double(Double(number)), side: .double(1e22)])])
        case .removeKey: try put(["marks": .map([:])])
        case .embed:
            guard try client.value("Person", id, "id") != nil else { return }
            try client.embed("address", of: "Person", id, [["street": .string(side)]])
        case .changeEmbedded:
            guard case .link? = try client.value("Person", id, "address") else { return }
            try client.change(
                "street", to: .string("c" + side), embeddedIn: "address", of: "Person", id)
        case .setAny: try put(["extra": .list([.string(side), .int(number)])])
        case .delete: try client.delete("Person", id)
        case .recreate:
            try client.delete("Person", id)
            try client.upstream.capture(Subset(client.database.snapshot()))
            try put(["name": .string("new " + side), "age": .int(50)])
        }
    }

    /// The values of an object that do not depend on the file.
    private func state(_ key: Int64, _ client: SyncClient) throws -> [String: String]? {
        let id = Value.int(key)
        guard try client.value("Person", id, "id") != nil else { return nil }
        var state: [String: String] = [:]
        for name in ["name", "price", "age", "tags"] {
            state[name] = try client.value("Person", id, name).map { "\($0)" }
        }
        for name in ["address", "extra", "marks"] {
            state[name] = try client.json("Person", id, name)
        }
        if case .set(let numbers)? = try client.value("Person", id, "nums") {
            state["nums"] = "\(numbers.sorted { $0.order(relativeTo: $1) == .less })"
        }
        return state
    }

    /// Runs all pairs; the changes of the first file are earlier.
    private func run(_ name: String, firstArrives: Bool) throws -> [[String: String]?] {
        let address = try PostgresServer.shared.get().makeDatabase("pairs")
        let clients = try ["a", "b"].map { side in
            let client = try SyncClient(folder("\(name)-\(side).firn"))
            try client.prepare(address, rules: ["Person": ConflictRules(counters: ["age"])])
            try client.attach(address, ["Person", "City"])
            return client
        }
        let (a, b) = (clients[0], clients[1])
        for pair in Self.pairs where Self.exists(pair) {
            try a.put(
                "Person",
                [
                    "id": .int(pair), "name": .string("old"), "age": .int(10),
                    "tags": .list([.string("x"), .string("y"), .string("z")]),
                    "nums": .set([.int(1), .int(2)]), "marks": .map(["k": .double(0)]),
                ])
            try a.embed("address", of: "Person", .int(pair), [["street": .string("old")]])
        }
        for client in [a, b] { _ = try client.upstream.synchronize() }
        for (side, client) in [("a", a), ("b", b)] {
            for pair in Self.pairs {
                let operations = Self.operations(pair)
                try apply(side == "a" ? operations.0 : operations.1, pair, side, client)
            }
            try client.upstream.capture(Subset(client.database.snapshot()))
        }
        for client in firstArrives ? [a, b, a] : [b, a, b] {
            let report = try client.upstream.synchronize()
            #expect(report.refused.isEmpty)
        }
        for client in clients {
            for comparison in try client.upstream.verify() {
                #expect(comparison.isEqual, "\(comparison)")
            }
        }
        return try Self.pairs.map { pair in
            let states = try clients.map { try state(pair, $0) }
            #expect(states[0] == states[1], "\(Self.operations(pair))")
            return states[0]
        }
    }

    @Test("Both files and the server are equal, and the results follow the rules")
    func all() throws {
        let (first, second) = (
            try run("first", firstArrives: true), try run("second", firstArrives: false)
        )
        for pair in Self.pairs {
            let (left, right) = (first[Int(pair)], second[Int(pair)])
            let operations = Self.operations(pair)
            try expectRules(operations, left, right)
            guard !Self.dependsOnArrival(operations) else { continue }
            #expect(left == right, "\(operations)")
        }
    }

    /// Whether the order of arrival may show in the result, as the guide says: in the order of list
    /// elements at one place, of two values of one key, and of a deletion and a later creation.
    private static func dependsOnArrival(_ operations: (Operation, Operation)) -> Bool {
        let lists: Set<Operation> = [.insertFirst, .append, .removeElement, .move]
        let keyed: Set<Operation> = [.setKey, .removeKey]
        let embedded: Set<Operation> = [.embed, .changeEmbedded]
        let lives: Set<Operation> = [.create, .delete, .recreate]
        return [lists, keyed, embedded].contains { set in
            set.contains(operations.0) && set.contains(operations.1)
        } || lives.contains(operations.0) || lives.contains(operations.1)
    }

    /// Checks what the rules promise, whichever file arrives first.
    private func expectRules(
        _ operations: (Operation, Operation), _ left: [String: String]?, _ right: [String: String]?
    ) throws {
        for state in [left, right] {
            switch operations {
            // Deletion wins over all changes, and over another deletion.
            case (.delete, .create), (.create, .delete): break
            case (.delete, .recreate), (.recreate, .delete): break
            case (.delete, _), (_, .delete): #expect(state == nil, "\(operations)")
            case (.nothing, .create), (.create, .nothing):
                #expect(state?["age"] == "100", "\(operations)")
            case (.increment, .increment): #expect(state?["age"] == "13")
            case (.setName, .setName): #expect(state?["name"]?.contains("b") == true)
            case (.clearName, .setName): #expect(state?["name"]?.contains("b") == true)
            case (.setName, .clearName): #expect(state?["name"]?.contains("a") != true)
            case (.setPrice, .setPrice): #expect(state?["price"]?.contains("1.20") == true)
            case (.append, .append), (.insertFirst, .insertFirst), (.append, .insertFirst),
                (.insertFirst, .append):
                let tags = state?["tags"] ?? ""
                #expect(["a", "b", "x", "y", "z"].allSatisfy { tags.contains($0) }, "\(tags)")
            case (.removeElement, .removeElement):
                let tags = state?["tags"] ?? ""
                #expect(tags.contains("x") && !tags.contains("y") && !tags.contains("z"))
            case (.addToSet, .addToSet):
                let numbers = state?["nums"] ?? ""
                #expect(numbers.contains("11") && numbers.contains("12"), "\(numbers)")
            case (.removeFromSet, .removeFromSet): #expect(state?["nums"] == "[]")
            case (.setName, .increment), (.increment, .setName):
                #expect(state?["name"]?.contains("old") == false && state?["age"] != "10")
            default: break
            }
        }
    }
}
