import Testing

@testable import Firn

@Suite("The memory of objects")
struct ObjectMemoryTests {
    /// Each property took 32 bytes beside its value, of which an array of all objects had many.
    @Test("A property takes only a few bytes besides its value")
    func properties() {
        #expect(MemoryLayout<Persisted<Int>>.stride == 16)
        #expect(MemoryLayout<Persisted<Double>>.stride == 16)
        #expect(MemoryLayout<Persisted<String>>.stride == 24)
        #expect(MemoryLayout<Persisted<Citizen?>>.stride == 16)
        #expect(MemoryLayout<Persisted<List<Int>>>.stride <= 24)
        #expect(MemoryLayout<ObjectPlace?>.size <= 32)
    }

    @Test("An object keeps its realm open until the last object is released")
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

    /// The objects of a class retain their realm once for all of them, and count themselves. The
    /// first object and the last one come and go here all the time, on several threads.
    @Test("A frozen realm lives as long as the last of its objects on any thread")
    func concurrentLifetimes() async throws {
        let test = TestRealm()
        for _ in 0..<10 {
            let held = try await TestRealm.elsewhere {
                let realm = try test.open()
                try realm.write {
                    realm.create(Person.self, value: ["id": 1, "age": 30], update: .all)
                }
                let person = realm.objects(Person.self).freeze().first
                return (0..<5).map { _ in Held(person) }
            }
            weak let instance = held[0].person?.place?.instance
            let sums = try await withThrowingTaskGroup(of: Int.self) { group in
                for person in held.dropFirst() {
                    group.addTask {
                        try await TestRealm.elsewhere { ObjectMemoryTests.readAndFree(person) }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sums == [Int](repeating: Self.reads * 30, count: held.count - 1))
            #expect(instance != nil && held[0].person?.age == 30)
            held[0].person = nil
            #expect(instance == nil)
        }
    }

    /// An object that one thread after the other uses.
    private final class Held: @unchecked Sendable {
        var person: Person?

        init(_ person: Person?) { self.person = person }
    }

    private static let reads = 2_000

    /// Finds the object of a realm again and again, and frees the one before.
    private static func readAndFree(_ held: Held) -> Int {
        guard var person = held.person.take() else { return 0 }
        var sum = 0
        for _ in 0..<reads {
            sum += person.age ?? 0
            guard let next = person.realm?.object(ofType: Person.self, forPrimaryKey: 1) else {
                return -1
            }
            person = next
        }
        return sum
    }
}
