import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Live collections")
struct LiveListTests {
    private func people() throws -> LivePeople {
        let people = try LivePeople([("a", 1), ("b", 2), ("c", 3), ("d", 4)])
        _ = try people.step { transaction in
            try people.set(
                "pals", of: 0, to: .list([1, 2, 3].map { people.link($0) }), transaction)
            try people.set(
                "roles", of: 0, to: .map(["x": people.link(1), "y": people.link(2)]), transaction)
            try people.set("limits", of: 0, to: .map(["k": .int(1), "m": .int(2)]), transaction)
            try people.set("marks", of: 0, to: .set([.int(2), .int(5)]), transaction)
            try people.set(
                "notes", of: 0, to: .list(["u", "v", "u"].map { .string($0) }), transaction)
        }
        return people
    }

    private func list(
        _ people: LivePeople, _ observed: ObservedPaths = .own
    ) throws -> LiveQuery {
        try LiveQuery(
            people.query("Person"), on: people.snapshot(),
            among: .elements(
                of: ObjectReference(classID: people.person.id, rowID: RowID(0)),
                people.property("pals")),
            observing: observed)
    }

    @Test("Edits of a list of objects are reported as they were made")
    func edits() throws {
        let people = try people()
        let live = try list(people)
        #expect(live.maintenance.description == "run again because of the elements of pals")
        let swapped = try #require(
            try live.advance(
                people.edit("pals", of: 0, [.move(from: 0, to: 2), .move(from: 1, to: 0)])))
        #expect(live.rows == [3, 2, 1])
        #expect(swapped.changes.moves.map(\.from) == [0, 2])
        let replaced = try #require(
            try live.advance(people.edit("pals", of: 0, [.replace(1, people.link(2))])))
        #expect(replaced.changes == ChangeSet(modifications: [1]))
        let removed = try #require(
            try live.advance(
                people.edit("pals", of: 0, [.remove(0), .insert(0, people.link(3))])))
        #expect(removed.changes == ChangeSet(deletions: [0], insertions: [0]))
    }

    @Test("With membership only, replacing an object is a deletion and an insertion")
    func replaced() throws {
        let people = try people()
        let live = try list(people, .membership)
        let change = try #require(
            try live.advance(
                people.edit(
                    "pals", of: 0, [.replace(0, people.link(1)), .replace(1, people.link(0))])))
        #expect(change.changes == ChangeSet(deletions: [1], insertions: [1]))
        #expect(change.inserted[0].row == RowID(0))
    }

    @Test("A modified object is reported at all its positions in a list")
    func written() throws {
        let people = try people()
        _ = try people.edit("pals", of: 0, [.append(people.link(1))])
        let live = try list(people)
        let change = try #require(
            try live.advance(people.step { try people.set("age", of: 1, to: .int(8), $0) }))
        #expect(change.changes == ChangeSet(modifications: [0, 3]))
    }

    @Test("A list loses all elements when its owner is deleted")
    func ownerDeleted() throws {
        let people = try people()
        let live = try list(people)
        let change = try #require(
            try live.advance(people.step { try $0.delete(RowID(0), in: people.person.id) }))
        #expect(change.changes == ChangeSet(deletions: [0, 1, 2]))
        #expect(change.deleted.allSatisfy { !$0.isGone })
        #expect(live.count == 0)
    }

    // MARK: Values

    private func collection(
        _ name: String, _ people: LivePeople, _ observed: ObservedPaths = .reachable
    ) throws -> LiveCollection {
        LiveCollection(
            of: ObjectReference(classID: people.person.id, rowID: RowID(0)),
            try people.property(name), on: try people.snapshot(), observing: observed)
    }

    private func change(
        _ collection: LiveCollection, _ step: LivePeople.Step
    ) throws -> LiveCollection.Change? {
        try collection.advance(step.live)
    }

    @Test("Lists of values follow edits, and are compared when the whole list is set")
    func values() throws {
        let people = try people()
        let notes = try collection("notes", people)
        #expect(
            try change(notes, people.edit("notes", of: 0, [.remove(0), .append(.string("w"))]))
                == .elements(ChangeSet(deletions: [0], insertions: [2])))
        #expect(
            try change(
                notes,
                people.step {
                    try people.set(
                        "notes", of: 0, to: .list(["u", "w"].map { .string($0) }), $0)
                }) == .elements(ChangeSet(deletions: [0])))
        #expect(
            try change(notes, people.step { try people.set("age", of: 0, to: .int(3), $0) }) == nil)
        #expect(
            try change(notes, people.step { try $0.delete(RowID(0), in: people.person.id) })
                == .elements(ChangeSet(deletions: [0, 1])))
    }

    @Test("Sets report edits by the positions of their values")
    func sets() throws {
        let people = try people()
        let marks = try collection("marks", people)
        let step = try people.edit(
            "marks", of: 0, [.add(.int(3)), .discard(.int(5)), .add(.int(9)), .discard(.int(9))])
        #expect(
            try change(marks, step) == .elements(ChangeSet(deletions: [1], insertions: [1])))
        #expect(
            try change(marks, people.edit("marks", of: 0, [.clear, .add(.int(3))]))
                == .elements(ChangeSet(deletions: [0])))
    }

    @Test("Maps report keys, and storing a value again is a modification")
    func maps() throws {
        let people = try people()
        let limits = try collection("limits", people)
        let step = try people.edit(
            "limits", of: 0, [.put("k", .int(1)), .drop("m"), .put("z", .int(0))])
        #expect(
            try change(limits, step)
                == .entries(
                    MapChangeSet(deletions: ["m"], insertions: ["z"], modifications: ["k"])))
        let compared = try people.step {
            try people.set("limits", of: 0, to: .map(["k": .int(1), "z": .int(7)]), $0)
        }
        #expect(try change(limits, compared) == .entries(MapChangeSet(modifications: ["z"])))
    }

    @Test("A map of objects reports modified objects, unless only membership counts")
    func mapsOfObjects() throws {
        let people = try people()
        let step = try people.step { try people.set("age", of: 2, to: .int(8), $0) }
        #expect(
            try change(collection("roles", people), step)
                == .entries(MapChangeSet(modifications: ["y"])))
        #expect(try change(collection("roles", people, .membership), step) == nil)
    }

    @Test("Applying random edits of lists gives the new lists", arguments: TestScale.seeds(60))
    func randomEdits(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let old = Array(0..<Int(seed % 9))
        var new = old
        var edits: [CollectionEdit] = []
        for number in 0..<12 {
            let value = Value.int(Int64(number))
            let index = Int.random(in: 0...new.count, using: &generator)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...2:
                edits.append(.insert(index, value))
                new.insert(100 + number, at: index)
            case 3:
                edits.append(.append(value))
                new.append(100 + number)
            case 4...6 where index < new.count:
                edits.append(.remove(index))
                new.remove(at: index)
            case 7...8 where index < new.count:
                edits.append(.replace(index, value))
                new[index] = 100 + number
            case 9...10 where index < new.count:
                let target = Int.random(in: 0..<new.count, using: &generator)
                edits.append(.move(from: index, to: target))
                new.insert(new.remove(at: index), at: target)
            case 11 where generator.happens(oneIn: 4):
                edits.append(.clear)
                new = []
            default: break
            }
        }
        let changes = try #require(ChangeSet(edits, ofListOf: old.count))
        #expect(changes.applied(to: old) { new[$0] } == new, "seed \(seed): \(edits)")
        #expect(ChangeSet([.remove(3)], ofListOf: 3) == nil)
    }
}
