import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Glibc
import Testing

/// Whether the crew notices the damage that it exists to notice.
@Suite("The crew of the kill tests")
struct CrewTests {
    private let folder = TemporaryFolder()

    private func makeStore(members: Int = 2) throws -> Store {
        try CrewDatabase.create(folder("x"), members: members)
        return try Store.open(folder("x"), readOnly: false)
    }

    private func step(_ store: Store, _ member: Int, _ count: Int = 1) throws {
        for _ in 0..<count {
            let transaction = try store.beginWrite()
            _ = try CrewDatabase(transaction.schema).step(transaction, member: member)
            _ = try transaction.commit()
        }
    }

    /// Changes the database like a lost or duplicated part of a commit.
    private func damage(
        _ store: Store, _ className: String,
        _ body: (WriteTransaction, ClassSchema) throws -> Void
    ) throws {
        let transaction = try store.beginWrite()
        try body(transaction, try #require(transaction.schema.classNamed(className)))
        _ = try transaction.commit()
    }

    @Test("Any number of complete commits is valid")
    func order() throws {
        let store = try makeStore()
        let empty = try CrewState(store.snapshot())
        #expect(empty.sequences == [0: 0, 1: 0])
        try step(store, 0, Int(CrewDatabase.keptEntries) + 10)
        try step(store, 1, 3)
        let state = try CrewState(store.snapshot())
        #expect(state.sequences == [0: CrewDatabase.keptEntries + 10, 1: 3])
        try state.check(after: empty)
        #expect(throws: CrewBreach.self) { try empty.check(after: state) }
    }

    @Test("A missing entry, a doubled count and a lost sequence are detected", arguments: 0..<3)
    func damage(kind: Int) throws {
        let store = try makeStore()
        try step(store, 0, 5)
        switch kind {
        case 0: try damage(store, "Entry") { try $0.delete(RowID(2), in: $1.id) }
        case 1:
            try damage(store, "Total") { transaction, schema in
                let count = try #require(schema.propertyNamed("count")).id
                try transaction.set(count, of: RowID(1), in: schema.id, to: .int(6))
            }
        default:
            try damage(store, "Member") { transaction, schema in
                let sequence = try #require(schema.propertyNamed("sequence")).id
                try transaction.set(sequence, of: RowID(0), in: schema.id, to: .int(4))
            }
        }
        #expect(throws: CrewBreach.self) { try CrewState(store.snapshot()) }
    }

    @Test("Lines are parsed as they were printed")
    func lines() {
        let messages: [CrewMessage] = [
            .start(nanoseconds: 1), .commit(sequence: 2, version: 3, nanoseconds: 4),
            .saw(version: 5, nanoseconds: 6), .folded(nanoseconds: 7), .closed(nanoseconds: 8),
        ]
        for message in messages { #expect(CrewMessage(line: message.line) == message) }
        for line in ["", "commit 1 2", "start x", "broken it is", "hello 1"] {
            guard case .broken = CrewMessage(line: line) else {
                Issue.record("\(line) was understood")
                continue
            }
        }
    }

    @Test("A member ends when its parent has gone", arguments: CrewRole.allCases)
    func orphans(role: CrewRole) throws {
        try CrewDatabase.create(folder("x"), members: 1)
        let member = try PipedProcess(
            builtExecutable(named: "firn-stress-worker"), [role.rawValue, folder("x"), "0", "1"])
        #expect(try member.line().hasPrefix("start "))
        let end = member.finish()
        #expect(end.status == 3 && !end.isTimedOut, "\(end)")
    }

    @Test("A member without a database reports it")
    func missing() throws {
        let member = try PipedProcess(
            builtExecutable(named: "firn-stress-worker"), ["writer", folder("none"), "0", "1"])
        #expect(try member.line().hasPrefix("start "))
        #expect(try member.line().hasPrefix("broken "))
        while member.isTalking { PipedProcess.receive([member], seconds: 10) }
        #expect(member.finish().status == 1)
    }
}
