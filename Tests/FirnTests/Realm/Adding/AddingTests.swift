import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Adding objects")
struct AddingTests {
    private static let knots: [ObjectBase.Type] = [
        Knot.self, KnotTag.self, Hound.self, Citizen.self,
    ]

    @Test("An added object keeps the values of all types")
    func values() throws {
        let realm = try makeRealm([Parcel.self])
        let parcels = (0..<3).map { number in
            let parcel = Parcel()
            parcel.fill(number)
            return parcel
        }
        let before = parcels.map(\.contents)
        try realm.write { realm.add(parcels) }
        #expect(parcels.map(\.contents) == before)
        #expect(Array(realm.objects(Parcel.self).map(\.contents)) == before)
    }

    @Test("An added object keeps the values of all types when the file is opened again")
    func valuesOfPages() throws {
        let test = TestRealm([Parcel.self])
        let before = try addParcels(test)
        // No process has the file open any more: all of it is pages.
        let realm = try test.open()
        #expect(Array(realm.objects(Parcel.self).map(\.contents)) == before)
        // A change overlays a page.
        let first = try #require(realm.objects(Parcel.self).first)
        try realm.write {
            first.text = "changed"
            first.maybeText = nil
            #expect(first.text == "changed")
        }
        #expect(first.text == "changed" && first.maybeText == nil)
        #expect(realm.objects(Parcel.self)[1].contents == before[1])
    }

    /// - Returns: the values of the parcels.
    private func addParcels(_ test: TestRealm) throws -> [[String]] {
        let parcels = (0..<200).map { number in
            let parcel = Parcel()
            if number % 3 != 0 { parcel.fill(number) }
            parcel.code = number
            parcel.text = number % 2 == 0 ? "even" : "odd and longer than a word, \(number)"
            if number % 5 == 0 { parcel.maybeText = nil }
            return parcel
        }
        let before = parcels.map(\.contents)
        let realm = try test.open()
        try realm.write { realm.add(parcels) }
        #expect(parcels.map(\.contents) == before)
        return before
    }

    @Test("An added object keeps initial values, even if they differ between objects")
    func initialValues() throws {
        let realm = try makeRealm([Parcel.self])
        let looked = Parcel()
        looked.code = 1
        let before = looked.contents
        let untouched = Parcel()
        try realm.write {
            realm.add(looked)
            realm.add(untouched)
            // The view of an open transaction, and the result after it.
            #expect(looked.contents == before)
        }
        #expect(looked.contents == before)
        #expect(untouched.identity != looked.identity)
        #expect(untouched.mark != looked.mark)
        #expect(untouched.contents == untouched.contents)
        #expect(abs(untouched.moment.timeIntervalSinceNow) < 3600)
        #expect(untouched.text.isEmpty && untouched.maybeText == nil)
    }

    @Test("An added object leaves no values in the next one")
    func neighbours() throws {
        let realm = try makeRealm([Parcel.self])
        let full = Parcel()
        full.fill(1)
        let empty = Parcel()
        let initial = empty.contents
        try realm.write {
            realm.add(full)
            realm.add(empty)
        }
        #expect(empty.contents == initial)
    }

    @Test("An object is added with its targets, in cycles of every kind")
    func circles() throws {
        let realm = try makeRealm(AddingTests.knots)
        let first = Knot("first")
        let second = Knot("second")
        let third = Knot("third")
        let rex = Hound("Rex", age: 3)
        first.next = second
        second.next = first
        first.list.append(objectsIn: [first, third, first])
        second.set.insert(objectsIn: [first, third])
        second.map["one"] = first
        second.map["none"] = .some(nil)
        third.anything = .object(first)
        third.hounds.append(objectsIn: [rex, rex])
        // A plain object after one that is being added.
        second.list.append(objectsIn: [first, third])
        second.hounds.append(rex)
        let tag = KnotTag()
        tag.text = "back"
        tag.owner = first
        first.tag = tag
        try realm.write { realm.add(first) }
        #expect(realm.objects(Knot.self).count == 3)
        #expect(realm.objects(Hound.self).count == 1)
        #expect(first.next == second && second.next == first)
        #expect(Array(first.list) == [first, third, first])
        #expect(Array(second.list) == [first, third])
        #expect(Set(second.set) == [first, third])
        #expect(second.map["one"] == first)
        #expect(second.map.keys.sorted() == ["none", "one"])
        #expect(third.anything.object(Knot.self) == first)
        #expect(third.hounds.map(\.age) == [3, 3])
        #expect(second.hounds.first == rex)
        #expect(first.tag?.owner == first && tag.text == "back")
        #expect(first.before.map(\.name) == ["second"])
    }

    @Test("Lists that the program already holds become the lists of the added object")
    func references() throws {
        let realm = try makeRealm(AddingTests.knots)
        let knot = Knot("knot")
        let list = knot.list
        try realm.write { realm.add(knot) }
        try realm.write { list.append(knot) }
        #expect(knot.list.count == 1)
    }

    @Test("An added object links to existing objects")
    func managedTargets() throws {
        let realm = try makeRealm(AddingTests.knots)
        let old = Knot("old")
        try realm.write { realm.add(old) }
        let new = Knot("new")
        new.next = old
        new.list.append(objectsIn: [old, new])
        try realm.write {
            realm.add(new)
            realm.add(new)
        }
        #expect(realm.objects(Knot.self).count == 2)
        #expect(Array(new.list) == [old, new])
    }

    @Test(
        "Adding objects updates existing objects with the same keys on request",
        arguments: [
            Realm.UpdatePolicy.modified, .all,
        ])
    func update(policy: Realm.UpdatePolicy) throws {
        let realm = try makeRealm(AddingTests.knots)
        let tag = KnotTag()
        tag.text = "old"
        let old = Knot("a", weight: 1)
        old.tag = tag
        try realm.write { realm.add([old, Knot("b", weight: 2)]) }
        let newTag = KnotTag()
        newTag.text = "new"
        let new = Knot("a", weight: 10)
        new.tag = newTag
        new.next = Knot("b", weight: 20)
        new.next?.next = new
        new.list.append(objectsIn: [new, Knot("c", weight: 30)])
        try realm.write { realm.add(new, update: policy) }
        #expect(realm.objects(Knot.self).sorted(by: \.name).map(\.weight) == [10, 20, 30])
        #expect(old == new && old.weight == 10)
        #expect(old.next?.next == old)
        #expect(old.tag?.text == "new")
        #expect(tag.isInvalidated)
        #expect(old.list.map(\.name) == ["a", "c"])
    }

    @Test("Adding an object with an existing key stops the program")
    func duplicates() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Parcel.self])
            try realm.write { realm.add([Parcel(), Parcel()]) }
        }.says("cannot add a Parcel: Parcel has an object with code 0")
    }

    @Test("Adding an object with an embedded object of another parent stops the program")
    func sharedEmbedded() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Knot.self, KnotTag.self, Hound.self, Citizen.self])
            let tag = KnotTag()
            let knots = [Knot("a"), Knot("b")]
            for knot in knots { knot.tag = tag }
            try realm.write { realm.add(knots) }
        }.says("an embedded object that has a parent cannot get another one:")
    }

    @Test("Columns that only the file has get a value in added objects", .tags(.difference))
    func unknownColumns() throws {
        let test = TestRealm([WideCrate.self])
        do {
            let realm = try test.open()
            try realm.write { realm.add(WideCrate()) }
        }
        do {
            let configuration = Realm.Configuration(
                fileURL: test.configuration.fileURL, objectTypes: [NarrowCrate.self])
            let realm = try Realm(configuration: configuration)
            try realm.write {
                realm.add(NarrowCrate())
                realm.add(NarrowCrate())
            }
        }
        let crates = try test.open().objects(WideCrate.self)
        #expect(crates.map(\.first) == [1, 10, 10])
        #expect(crates.map(\.middle) == ["wide", "", ""])
        #expect(crates.map(\.last) == [3, 30, 30])
    }

    @Test("A failed addition leaves nothing, and the next one works")
    func failure() throws {
        let realm = try makeRealm(AddingTests.knots)
        let large = Knot(String(repeating: "x", count: 65 << 20))
        let knot = Knot("knot")
        knot.list.append(objectsIn: [knot, large])
        #expect(throws: Realm.Error.self) {
            try realm.write { realm.add(knot) }
        }
        #expect(realm.objects(Knot.self).isEmpty)
        #expect(knot.realm == nil && knot.name == "knot")
        let other = Knot("other")
        other.next = other
        try realm.write { realm.add(other) }
        #expect(other.next == other)
        #expect(realm.objects(Knot.self).map(\.name) == ["other"])
    }

    @Test("An addition in a cancelled transaction leaves nothing for the next one")
    func cancelled() throws {
        let realm = try makeRealm(AddingTests.knots)
        let other = try makeRealm([Parcel.self])
        for round in 0..<3 {
            realm.beginWrite()
            realm.add(Knot("gone"))
            realm.cancelWrite()
            realm.beginWrite()
            other.beginWrite()
            realm.add(Knot("kept \(round)"))
            let parcel = Parcel()
            parcel.code = round
            other.add(parcel)
            try other.commitWrite()
            try realm.commitWrite()
        }
        #expect(realm.objects(Knot.self).map(\.name) == ["kept 0", "kept 1", "kept 2"])
        #expect(other.objects(Parcel.self).map(\.code) == [0, 1, 2])
    }
}
