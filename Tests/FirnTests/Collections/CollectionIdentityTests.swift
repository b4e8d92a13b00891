// Each access to a list of a managed object created a list: `dog.toys === dog.toys` was false, and a
// list held before `add` was not that of the object after it.

import Testing

@testable import Firn

@Suite("The identity of collections")
struct CollectionIdentityTests {
    private let place = TestRealm([Household.self, Pet.self])

    @Test("A managed object has the same collections at each access")
    func managed() throws {
        let realm = try place.open()
        try realm.write { realm.add(Household(value: ["name": "a", "marks": [1, 2]])) }
        let home = try #require(realm.objects(Household.self).first)
        #expect(home.marks === home.marks)
        #expect(home.tags === home.tags)
        #expect(home.scores === home.scores)
        #expect(home["marks"] as? List<Int?> === home.marks)
        // Another object of the row has its own.
        let again = try #require(realm.objects(Household.self).first)
        #expect(again.marks !== home.marks && Array(again.marks) == [1, 2])
        try realm.write { again.marks.append(3) }
        #expect(Array(home.marks) == [1, 2, 3])
        try realm.write {
            home.marks = again.marks
            home.marks.removeFirst()
        }
        #expect(Array(again.marks) == [2, 3])
    }

    /// The initial value of the class was taken for that of the row: it was empty, and an append was
    /// lost.
    @Test("The initial collection of a class is not used by an object in a realm")
    func initialValues() throws {
        let place = TestRealm([Stocked.self, Touching.self])
        let realm = try place.open()
        try realm.write {
            realm.create(Stocked.self, value: ["marks": [1, 2, 3], "scores": ["a": 1]])
            realm.create(Touching.self, value: ["marks": [5]])
        }
        let found = try #require(realm.objects(Stocked.self).first)
        #expect(Array(found.marks) == [1, 2, 3] && found.marks.realm == realm)
        #expect(found.scores["a"] == 1 && found["marks"] as? List<Int> === found.marks)
        #expect(found.freeze().marks.count == 3)
        try realm.write { found.marks.append(9) }
        #expect(realm.objects(Stocked.self).where { $0.marks == 9 }.count == 1)
        let touching = try #require(realm.objects(Touching.self).first)
        #expect(Array(touching.marks) == [5])
    }

    @Test("A collection held before its object is added becomes the collection of the object")
    func added() throws {
        let realm = try place.open()
        let home = Household(value: ["name": "a"])
        let marks = home.marks
        marks.append(1)
        try realm.write { realm.add(home) }
        #expect(home.marks === marks && marks.realm == realm)
        try realm.write { marks.append(2) }
        #expect(realm.objects(Household.self).first.map { Array($0.marks) } == [1, 2])
        realm.beginWrite()
        let second = Household(value: ["name": "b"])
        let late = second.marks
        realm.add(second)
        realm.cancelWrite()
        #expect(second.isInvalidated && late.isInvalidated && second.marks === late)
    }

    /// Several threads read a frozen object, so that it keeps nothing.
    @Test("A frozen object creates its collections at each access")
    func frozen() throws {
        let realm = try place.open()
        try realm.write { realm.add(Household(value: ["name": "a", "marks": [1]])) }
        let home = try #require(realm.objects(Household.self).first)
        #expect(home.marks.count == 1)
        let frozen = home.freeze()
        #expect(frozen.marks !== frozen.marks && Array(frozen.marks) == [1])
        try realm.write { home.marks.append(2) }
        #expect(Array(frozen.marks) == [1] && home.marks.count == 2)
    }

    @Test("The collections that an object keeps do not keep its realm open")
    func lifetime() throws {
        weak var instance: RealmInstance?
        var home: Household?
        try {
            let realm = try place.open()
            try realm.write { realm.add(Household(value: ["name": "a", "marks": [1]])) }
            home = realm.objects(Household.self).first
            instance = realm.instance
        }()
        #expect(home?.marks.count == 1 && home?.scores.isEmpty == true && instance != nil)
        home = nil
        #expect(instance == nil)
    }
}

/// Its collections have initial values.
private class Stocked: Object {
    @Persisted var marks = List<Int>()
    @Persisted var scores = Map<String, Int>()
}

/// Reads a collection as soon as it exists.
private class Touching: Object {
    @Persisted var marks: List<Int>

    required init() {
        super.init()
        _ = marks.count
    }
}
