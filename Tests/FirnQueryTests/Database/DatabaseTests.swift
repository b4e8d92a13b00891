import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Databases")
struct DatabaseTests {
    @Test("A snapshot queries its own version")
    func snapshots() throws {
        let table = try StoredTable(ints: [1, 2, 3])
        let before = try table.snapshot()
        let late = try before.query("Item x > 1")
        try table.change(deleting: [1], setting: [(2, .int(0))])
        #expect(try before.rows("Item | project(@sum.x)") == [[.int(6)]])
        #expect(try late.next()?.rowCount == 2)
        #expect(try table.ints("Item") == [1, 0])
        #expect(try table.snapshot().version > before.version)
    }

    @Test("now() returns the time of the database, read once per snapshot")
    func now() throws {
        let disk = SimulatedFileSystem()
        let clock = SimulatedClock(seconds: 1_000)
        let creation = try Store.create("/n.firn", services: disk.services(clock: clock))
        let transaction = try creation.store.beginWrite()
        let schema = try transaction.addClass(
            ClassDefinition(
                name: "Event", properties: [.init(name: "at", type: PropertyType(.date))],
                keyName: nil))
        for seconds in [900, 1_000, 1_100] {
            _ = try transaction.create(
                in: schema.id, [.date(Timestamp(seconds: Int64(seconds)))])
        }
        _ = try transaction.commit()
        try creation.publish()
        let database = try Database.open(
            "/n.firn", readOnly: true, services: disk.services(clock: clock))
        let snapshot = try database.snapshot()
        clock.setWallTime(seconds: 5_000)
        #expect(try snapshot.rows("Event at <= now() | count") == [[.int(2)]])
        #expect(try database.snapshot().rows("Event at <= now() | count") == [[.int(3)]])
    }

    @Test("Mistakes in the text are query errors with a position")
    func queryErrors() throws {
        let snapshot = try StoredTable(ints: [1]).snapshot()
        let mistakes: [(String, QueryError.Code)] = [
            ("Itme x > 1", .unknownClass), ("Item y > 1", .unknownProperty), ("Item x >", .syntax),
            ("Item x == \"a\"", .type), ("Item x == $n", .missingParameter),
        ]
        for (text, code) in mistakes {
            do {
                _ = try snapshot.query(text)
                Issue.record("\(text) was understood")
            } catch .query(let error) {
                #expect(error.code == code, "\(text)")
            } catch {
                Issue.record("\(text): \(error)")
            }
        }
        #expect(
            try snapshot.query("x == $n", defaultClass: "Item", arguments: ["n": .int(1)])
                .next()?.rowCount == 1)
        let format = try snapshot.query(
            "%K == %@ AND x == $1", defaultClass: "Item", positional: [.string("x"), .int(1)])
        #expect(try format.next()?.rowCount == 1)
    }

    @Test("A query bound to a class that no longer exists is a store error")
    func classIsGone() throws {
        let table = try StoredTable(ints: [1])
        let query = try bind("Person")
        let snapshot = try table.store.snapshot()
        let other = BoundQuery(
            classSchema: ClassSchema(id: ClassID(99), name: "Gone", properties: [], key: nil),
            stages: query.stages, explain: false, text: "Gone")
        do {
            _ = try Execution(other, on: snapshot)
            Issue.record("class 99 was found")
        } catch {
            #expect(error.code == .unknownClass)
            #expect(error.path == snapshot.path)
        }
    }
}
