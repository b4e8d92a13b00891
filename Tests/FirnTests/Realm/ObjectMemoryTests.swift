import Testing

@testable import Firn

@Suite("The memory of objects")
struct ObjectMemoryTests {
    /// Each property took 32 bytes beside its value, of which an array of all objects had many.
    @Test("A property takes a few bytes beside its value")
    func properties() {
        #expect(MemoryLayout<Persisted<Int>>.stride == 16)
        #expect(MemoryLayout<Persisted<Double>>.stride == 16)
        #expect(MemoryLayout<Persisted<String>>.stride == 24)
        #expect(MemoryLayout<Persisted<Citizen?>>.stride == 16)
        #expect(MemoryLayout<Persisted<List<Int>>>.stride <= 24)
        #expect(MemoryLayout<ObjectPlace?>.size <= 32)
    }

    @Test("An object keeps its realm open, and lets it go with the last object")
    func lifetime() throws {
        let place = TestRealm()
        weak var instance: RealmInstance?
        var person: Person?
        try {
            let realm = try place.open()
            try realm.write { realm.add(Person(value: ["id": 1, "age": 30])) }
            person = realm.objects(Person.self).first
            instance = realm.instance
        }()
        #expect(instance != nil && person?.age == 30)
        var found: Person? = person.flatMap { $0.realm?.objects(Person.self).first }
        person = nil
        #expect(instance != nil && found?.age == 30)
        found = nil
        #expect(instance == nil)
    }
}
