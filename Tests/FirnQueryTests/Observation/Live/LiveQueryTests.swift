import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Live queries")
struct LiveQueryTests {
    @Test("Live queries report how they are kept up to date")
    func maintenance() throws {
        let people = try LivePeople()
        let snapshot = try people.snapshot()
        let texts = [
            ("Person", "kept up to date by members"),
            ("Person age > 3", "kept up to date by members"),
            ("Person SORT(age ASC)", "kept up to date by order"),
            ("Person LIMIT(10)", "window of the first 10 rows, kept up to date by members"),
            (
                "Person SORT(age ASC) LIMIT(1)",
                "window of the first row, kept up to date by order"
            ),
            ("Person DISTINCT(age)", "run again because of DISTINCT"),
            ("Person LIMIT(3) | where age > 3", "run again because of a condition after a LIMIT"),
            ("Person LIMIT(3) SORT(age ASC)", "run again because of a SORT after a LIMIT"),
            ("Person age > 3 | count", "kept up to date by members"),
        ]
        for (text, expected) in texts {
            let live = try LiveQuery(people.query(text), on: snapshot, observing: .own)
            #expect(live.maintenance.description == expected, "\(text)")
        }
    }

    @Test("Live queries report insertions, deletions and modifications")
    func membership() throws {
        let people = try LivePeople([("a", 1), ("b", 5), ("c", 7), ("d", 9)])
        let live = try LiveQuery(
            people.query("Person age > 3"), on: people.snapshot(), observing: .own)
        #expect(live.rows == [1, 2, 3])
        let step = try people.step { transaction in
            try transaction.delete(RowID(1), in: people.person.id)
            try people.set("age", of: 0, to: .int(4), transaction)
            try people.set("age", of: 2, to: .int(2), transaction)
            try people.set("name", of: 3, to: .string("D"), transaction)
            _ = try transaction.create(in: people.person.id, LivePeople.values("e", 20))
            _ = try transaction.create(in: people.person.id, LivePeople.values("f", 0))
        }
        let change = try #require(try live.advance(step))
        #expect(live.rows == [0, 3, 4])
        #expect(change.changes.deletions == [0, 1])
        #expect(change.deleted.map(\.isGone) == [true, false])
        #expect(change.changes.insertions == [0, 2])
        #expect(change.inserted.map(\.isNew) == [false, true])
        #expect(change.changes.modifications == [2])
        #expect(
            change.modified == [
                .init(
                    row: RowID(3), to: 1,
                    properties: PropertySet([try people.property("name").id]))
            ])
    }

    @Test("Live queries do not report unobserved properties")
    func unobserved() throws {
        let people = try LivePeople([("a", 1), ("b", 5)])
        let step = try people.step { try people.set("name", of: 1, to: .string("B"), $0) }
        for (observed, isTold) in [(ObservedPaths.membership, false), (.own, true)] {
            let live = try LiveQuery(
                people.query("Person SORT(age DESC)"), on: step.old, observing: observed)
            #expect((try live.advance(step) != nil) == isTold)
        }
        let path = BoundPath(
            root: people.person, steps: [],
            terminal: .column(.property(try people.property("age"))),
            type: PropertyType(.int), name: "age")
        let live = try LiveQuery(people.query("Person"), on: step.old, observing: .paths([path]))
        #expect(try live.advance(step) == nil)
    }

    @Test("A row whose sort key changes moves, unless it keeps its position")
    func order() throws {
        let people = try LivePeople([("a", 10), ("b", 20), ("c", 30), ("d", 40)])
        let live = try LiveQuery(
            people.query("Person SORT(age ASC)"), on: people.snapshot(), observing: .own)
        let stays = try #require(
            try live.advance(people.step { try people.set("age", of: 1, to: .int(25), $0) }))
        #expect(stays.changes == ChangeSet(modifications: [1]))
        let moves = try #require(
            try live.advance(people.step { try people.set("age", of: 1, to: .int(50), $0) }))
        #expect(
            moves.changes
                == ChangeSet(deletions: [1], insertions: [3], moves: [.init(from: 1, to: 3)]))
        #expect(moves.inserted[0].properties == PropertySet([try people.property("age").id]))
        #expect(!moves.inserted[0].isNew && !moves.deleted[0].isGone)
        #expect(live.rows == [0, 2, 3, 1])
    }

    @Test("Rows with equal codes are ordered by their values and then by age")
    func ties() throws {
        let people = try LivePeople([
            ("long name b", 1), ("long name a", 1), ("long name c", 2), ("long name b", 0),
        ])
        let query = try people.query("Person SORT(name DESC, age ASC)")
        let live = try LiveQuery(query, on: people.snapshot(), observing: .own)
        #expect(live.rows == [2, 3, 0, 1])
        _ = try live.advance(
            people.step { transaction in
                try people.set("name", of: 1, to: .string("long name bb"), transaction)
                try people.set("age", of: 3, to: .int(1), transaction)
                _ = try transaction.create(
                    in: people.person.id, LivePeople.values("long name b", 0))
            })
        #expect(live.rows == [2, 1, 4, 0, 3])
        #expect(live.restartCount == 0)
    }

    @Test("A window loses its last row when another row is inserted before it")
    func window() throws {
        let people = try LivePeople([("a", 10), ("b", 20), ("c", 30)])
        let live = try LiveQuery(
            people.query("Person SORT(age ASC) SKIP(1) LIMIT(1)"), on: people.snapshot(),
            observing: .own)
        #expect(live.rows == [1])
        let step = try people.step { transaction in
            _ = try transaction.create(in: people.person.id, LivePeople.values("z", 15))
        }
        let change = try #require(try live.advance(step))
        #expect(change.changes == ChangeSet(deletions: [0], insertions: [0]))
        #expect(live.rows == [3])
        // Changes outside the window are not reported.
        #expect(
            try live.advance(people.step { try people.set("age", of: 2, to: .int(90), $0) }) == nil)
    }

    @Test("A change along a link is reported with the property that leads there")
    func links() throws {
        let people = try LivePeople([("a", 1), ("b", 2), ("c", 3)])
        _ = try people.step { transaction in
            try people.set("friend", of: 0, to: people.link(1), transaction)
            try people.set("pals", of: 1, to: .list([people.link(2)]), transaction)
        }
        let live = try LiveQuery(
            people.query("Person friend.age == 2"), on: people.snapshot(), observing: .reachable)
        #expect(live.rows == [0])
        let far = try #require(
            try live.advance(people.step { try people.set("name", of: 2, to: .string("C"), $0) }))
        #expect(far.changes == ChangeSet(modifications: [0]))
        #expect(far.modified[0].properties == PropertySet([try people.property("friend").id]))
        let left = try #require(
            try live.advance(people.step { try people.set("age", of: 1, to: .int(9), $0) }))
        #expect(left.changes == ChangeSet(deletions: [0]))
        #expect(!left.deleted[0].isGone)
    }

    @Test("Groups are refused, and computed columns are ignored")
    func values() throws {
        let people = try LivePeople([("a", 1)])
        let snapshot = try people.snapshot()
        let group = BoundQuery(
            classSchema: people.person, stages: [.group(keys: [], items: [])], explain: false,
            text: "")
        #expect(throws: QueryFailure.self) {
            _ = try LiveQuery(group, on: snapshot, observing: .own)
        }
        let live = try LiveQuery(
            people.query("Person | project(name)"), on: snapshot, observing: .own)
        #expect(live.rows == [0])
    }

    @Test("After a change to the schema, the query is evaluated again")
    func schema() throws {
        let people = try LivePeople([("a", 1), ("b", 2)])
        let live = try LiveQuery(
            people.query("Person SORT(age DESC)"), on: people.snapshot(), observing: .own)
        let step = try people.step { transaction in
            try transaction.renameProperty(
                people.property("name").id, of: people.person.id, to: "called")
            try people.set("age", of: 0, to: .int(7), transaction)
        }
        #expect(step.changes.schemaChanged)
        let change = try #require(try live.advance(step))
        #expect(change.changes.moves.count == 1)
        #expect(live.rows == [0, 1])
        #expect(live.restartCount == 1)
    }
}
