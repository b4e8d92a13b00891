import FirnCodec
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues
import Testing

@Suite("Statements on a transaction")
struct MutationTests {
    private struct Fixture {
        let database: Database
        let transaction: WriteTransaction
        let graph: GraphStore

        init() throws {
            graph = try GraphStore(seed: 3, planes: 20, flights: 0)
            database = Database(graph.store)
            transaction = try graph.store.beginWrite()
        }

        func run(
            _ stages: [BoundStage] = [], _ change: BoundMutation.Change
        ) throws -> MutationOutcome {
            let query = BoundQuery(
                classSchema: graph.plane, stages: stages, explain: false, text: "")
            return try database.run(BoundMutation(query: query, change: change), in: transaction)
        }

        func assign(
            _ name: String, _ content: BoundMutation.Content
        ) throws -> BoundMutation.Change {
            let property = try #require(graph.plane.propertyNamed(name))
            let place = BoundMutation.Place(property, of: graph.plane, range: SourceRange(3..<7))
            return .set([.init(place: place, content: content, range: SourceRange(3..<7))])
        }

        func column(_ name: String) throws -> BoundExpression {
            .column(.property(try #require(graph.plane.propertyNamed(name))))
        }

        func data() throws -> GraphData { try GraphData(transaction.snapshot()) }
    }

    @Test("New values and the condition are computed from the old state")
    func oldState() throws {
        let fixture = try Fixture()
        let before = try fixture.data()
        let seats = try fixture.column("seats")
        let change = try fixture.assign(
            "seats", .expression(.arithmetic(.add, seats, .constant(.int(1)))))
        let condition = BoundPredicate.comparison(
            BoundComparison(.init(seats), .constant(.compare(.less, .int(100)))))
        let outcome = try fixture.run([.filter(condition)], change)
        let property = try #require(fixture.graph.plane.propertyNamed("seats"))
        var matched = 0
        let after = try fixture.data()
        for row in before.rows(of: fixture.graph.plane) {
            let old = before.value(property, of: row, in: fixture.graph.plane)
            let new = after.value(property, of: row, in: fixture.graph.plane)
            guard case .int(let number) = old, number < 100 else {
                #expect(new == old)
                continue
            }
            matched += 1
            #expect(new == .int(number + 1))
        }
        #expect(outcome.matched == matched && outcome.changed == matched && matched > 0)
    }

    @Test("An object that already has the value is matched and not changed")
    func unchanged() throws {
        let fixture = try Fixture()
        let change = try fixture.assign("heavy", .expression(.constant(.bool(true))))
        let first = try fixture.run([], change)
        let second = try fixture.run([], change)
        #expect(first.matched == 20 && second.matched == 20)
        #expect(second.changed == 0 && second.rows.isEmpty)
    }

    @Test("A value that does not fit is an error at its position, and nothing is changed")
    func misfit() throws {
        let fixture = try Fixture()
        let before = try fixture.transaction.snapshot()
        // A plane without seats has no value for a required property.
        let change = try fixture.assign(
            "heavy",
            .expression(.function(.coalesce, [.constant(.null), .constant(.null)])))
        let failure = #expect(throws: QueryFailure.self) { try fixture.run([], change) }
        guard case .query(let error)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .value && error.range == 3..<7)
        let heavy = try #require(fixture.graph.plane.propertyNamed("heavy"))
        let old = try GraphData(before)
        let new = try fixture.data()
        for row in new.rows(of: fixture.graph.plane) {
            #expect(
                old.value(heavy, of: row, in: fixture.graph.plane)
                    == new.value(heavy, of: row, in: fixture.graph.plane))
        }
    }

    @Test("Links are set by key, and a key without an object is an error")
    func links() throws {
        let fixture = try Fixture()
        let plane = fixture.graph.plane
        let data = try fixture.data()
        let target = data.rows(of: plane)[4]
        let key = data.value(plane.properties[0], of: target, in: plane)
        func named(_ key: Value) -> BoundMutation.Content {
            .object(BoundObject(target: plane, property: plane.properties[0], value: key))
        }
        let outcome = try fixture.run([], fixture.assign("mate", named(key)))
        #expect(outcome.matched == 20)
        let mate = try #require(plane.propertyNamed("mate"))
        let after = try fixture.data()
        for row in after.rows(of: plane) {
            let link = Value.link(ObjectReference(classID: plane.id, rowID: target))
            #expect(after.value(mate, of: row, in: plane) == link)
        }
        #expect(throws: QueryFailure.self) {
            try fixture.run([], fixture.assign("mate", named(.string("nobody"))))
        }
    }

    @Test("The objects of the query are deleted, in any order")
    func delete() throws {
        let fixture = try Fixture()
        let key = BoundSortKey(try fixture.column("name"), descending: true)
        let outcome = try fixture.run([.sort([key]), .limit(7)], .delete)
        #expect(outcome.matched == 7 && outcome.changed == 7 && outcome.rows.count == 7)
        let rows = try fixture.data().rows(of: fixture.graph.plane)
        #expect(rows.count == 13 && Set(rows).isDisjoint(with: outcome.rows))
    }

    @Test("A key is looked up directly, whatever other conditions there are")
    func lookup() throws {
        let fixture = try Fixture()
        let plane = fixture.graph.plane
        let data = try fixture.data()
        let row = data.rows(of: plane)[9]
        let key = data.value(plane.properties[0], of: row, in: plane)
        let snapshot = DatabaseSnapshot(
            try fixture.transaction.snapshot(), now: Timestamp(seconds: 0))
        func lines(_ predicate: BoundPredicate) throws -> [String] {
            let query = BoundQuery(
                classSchema: plane, stages: [.filter(predicate), .count], explain: false, text: "")
            let plan = try snapshot.rows(query, explaining: true)
            let count = try snapshot.rows(query)
            return try [plan, count].flatMap { rows in
                try rows.next().map { batch in
                    (0..<batch.rowCount).map { "\(batch.vectors[0].value(at: $0))" }
                } ?? []
            }
        }
        let isKey = BoundPredicate.test(
            .property(plane.properties[0]), .compare(.equal, key))
        #expect(
            try lines(isKey) == [
                "look up Plane by code: 1 value, 1 object", "count rows",
                "observed: kept up to date by members", "1",
            ])
        let id = Int64(row.rawValue)
        let ids = BoundPredicate.test(.rowID, .oneOf([.int(id), .int(-3), .int(9_999)]))
        let both = try lines(.and([ids, .not(isKey)]))
        #expect(both.first == "look up Plane by @id: 3 values, 1 object" && both.last == "0")
    }

    @Test("A statement as text is bound to the schema of the transaction")
    func text() throws {
        let fixture = try Fixture()
        let outcome = try fixture.database.run(
            "Plane seats != nil | set seats = seats * $factor, name = upper(\"b a\")",
            arguments: ["factor": .int(2)], in: fixture.transaction)
        #expect(outcome.matched > 0)
        let left = try fixture.database.run(
            "Plane name != \"B A\" AND seats != nil | delete", in: fixture.transaction)
        #expect(left.matched == 0)
        let failure = #expect(throws: QueryFailure.self) {
            try fixture.database.run("Plane | set seets = 1", in: fixture.transaction)
        }
        guard case .query(let error)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .unknownProperty)
    }
}
