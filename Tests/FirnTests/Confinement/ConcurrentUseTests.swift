import Firn
import Foundation
import Testing

/// Objects that may be used on several threads, used on several threads: also for the thread
/// sanitizer.
@Suite("Concurrent threads")
struct ConcurrentUseTests {
    private static let threadCount = 4

    private struct Shared<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// Runs the body on several threads concurrently.
    private func everywhere<Value: Sendable>(
        _ body: @escaping @Sendable (Int) throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<Self.threadCount {
                group.addTask { try await TestRealm.elsewhere { try body(number) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// People with an address, each with the next one as a friend.
    private func fill(_ realm: Realm, count: Int) throws {
        try realm.write {
            let people = (0..<count).map { id in
                Person(value: ["id": id, "name": "\(id)", "address": ["city": "City \(id % 7)"]])
            }
            for (person, next) in zip(people, people.dropFirst()) {
                person.friend = next
                person.others.append(next)
                person.marks.append(objectsIn: [1, 2, 3])
            }
            realm.add(people)
        }
    }

    @Test("Threads read and search frozen objects, their links and lists")
    func frozen() async throws {
        let test = TestRealm()
        let people = try await TestRealm.elsewhere {
            let realm = try test.open()
            try fill(realm, count: 200)
            return Shared(realm.objects(Person.self).freeze())
        }
        let sums = try await everywhere { _ in
            var sum = 0
            for person in people.value {
                sum += person.id + person.marks.count + person.others.count
                sum += (person.friend?.address?.city.count ?? 0) + person.name.count
            }
            sum += people.value.filter("address.city == %@", "City 3").count
            sum += people.value.sorted(byKeyPath: "name").first?.id ?? 0
            sum += people.value.where { $0.marks.count == 3 }.count
            return sum
        }
        #expect(Set(sums).count == 1 && (sums.first ?? 0) > 200 * 199 / 2)
    }

    @Test("Threads write to their own realms, and see the writes of other threads")
    func writers() async throws {
        let test = TestRealm()
        let rounds = 10
        let counts = try await everywhere { number in
            let realm = try test.open()
            let all = realm.objects(Person.self)
            var seen = 0
            for round in 0..<rounds {
                try realm.write {
                    realm.create(
                        Person.self, value: ["id": number * 1000 + round, "name": "\(number)"])
                }
                realm.refresh()
                guard all.count >= seen + 1 else { return -1 }
                seen = all.count
            }
            return all.where { $0.name == "\(number)" }.count
        }
        #expect(counts == Array(repeating: rounds, count: Self.threadCount))
        #expect(try test.open().objects(Person.self).count == rounds * Self.threadCount)
    }

    @Test("Threads can read and set the same thread-safe variable")
    func variable() async throws {
        let test = TestRealm()
        let variable = try await TestRealm.elsewhere {
            let realm = try test.open()
            try fill(realm, count: 10)
            return ThreadSafe(wrappedValue: realm.objects(Person.self).first)
        }
        let names = try await everywhere { number in
            for round in 0..<20 {
                guard let person = variable.wrappedValue, !person.name.isEmpty else {
                    return "none"
                }
                if round % 4 == number { variable.wrappedValue = person.friend ?? person }
            }
            return variable.wrappedValue?.name ?? "none"
        }
        #expect(names.allSatisfy { Int($0) != nil }, "\(names)")
    }

    @Test("Threads freeze and thaw while others write")
    func freezing() async throws {
        let test = TestRealm()
        let results = try await everywhere { number in
            let realm = try test.open()
            for round in 0..<10 {
                if number == 0 {
                    try realm.write { _ = realm.create(Person.self, value: ["id": round]) }
                    continue
                }
                realm.refresh()
                let frozen = realm.freeze()
                let count = frozen.objects(Person.self).count
                realm.refresh()
                guard frozen.objects(Person.self).count == count,
                    realm.objects(Person.self).count >= count, !frozen.thaw().isFrozen
                else { return false }
            }
            return true
        }
        #expect(results == Array(repeating: true, count: Self.threadCount))
    }
}
