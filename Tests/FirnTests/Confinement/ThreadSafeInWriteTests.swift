// `ThreadSafeReference(to:)` and an assignment to a `@ThreadSafe` variable stopped the program
// inside a write transaction for an object that the transaction had created, and referred to the
// version before the transaction for other objects. In Realm both work: the reference is resolved
// once the transaction is committed, and resolves to nil if it was cancelled.

import Dispatch
import Firn
import Foundation
import Testing

@Suite("References made in a write transaction")
struct ThreadSafeInWriteTests {
    private let test = TestRealm()

    private func resolved(_ reference: ThreadSafeReference<Person>) async throws -> String? {
        let test = test
        return try await TestRealm.elsewhere { try test.open().resolve(reference)?.name }
    }

    @Test("A reference resolves to the created object once the transaction is committed")
    func committed() async throws {
        let test = test
        let reference = try await TestRealm.elsewhere {
            let realm = try test.open()
            return try realm.write {
                ThreadSafeReference(
                    to: realm.create(Person.self, value: ["id": 1, "name": "Ann"]))
            }
        }
        #expect(try await resolved(reference) == "Ann")
    }

    @Test(
        "A reference resolves to nil after a cancelled transaction, even if its row is reused")
    func cancelled() async throws {
        let test = test
        let reference = try await TestRealm.elsewhere {
            let realm = try test.open()
            realm.beginWrite()
            let ann = realm.create(Person.self, value: ["id": 1, "name": "Ann"])
            let reference = ThreadSafeReference(to: ann)
            realm.cancelWrite()
            try realm.write { _ = realm.create(Person.self, value: ["id": 2, "name": "Bob"]) }
            return reference
        }
        #expect(try await resolved(reference) == nil)
    }

    @Test(
        "During the transaction, a new object resolves to nil, and an older one to its old state"
    )
    func open() async throws {
        let test = test
        let names = try await TestRealm.elsewhere { () throws -> [String?] in
            let realm = try test.open()
            let ann = Person(value: ["id": 1, "name": "Ann"])
            try realm.write { realm.add(ann) }
            realm.beginWrite()
            ann.name = "Anne"
            let old = ThreadSafeReference(to: ann)
            let new = ThreadSafeReference(to: realm.create(Person.self, value: ["id": 2]))
            var names: [String?] = []
            let done = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var found: [String?] = []
            Thread.detachNewThread {
                if let there = try? test.open() {
                    found = [there.resolve(old)?.name, there.resolve(new)?.name]
                }
                done.signal()
            }
            done.wait()
            names = found
            try realm.commitWrite()
            return names
        }
        #expect(names == ["Ann", nil])
    }

    @Test("A reference is resolved in the same transaction")
    func same() throws {
        let realm = try test.open()
        try realm.write {
            let ann = realm.create(Person.self, value: ["id": 1, "name": "Ann"])
            let reference = ThreadSafeReference(to: ann)
            #expect(realm.resolve(reference)?.name == "Ann")
            let others = ThreadSafeReference(to: ann.others)
            #expect(realm.resolve(others)?.count == 0)
        }
    }

    @Test("A reference can refer to a collection or to results")
    func collections() async throws {
        let test = test
        typealias References = (
            ThreadSafeReference<List<Int>>, ThreadSafeReference<Results<Person>>
        )
        let (marks, people) = try await TestRealm.elsewhere { () throws -> References in
            let realm = try test.open()
            return try realm.write {
                let ann = realm.create(Person.self, value: ["id": 1, "marks": [1, 2]])
                return (
                    ThreadSafeReference(to: ann.marks),
                    ThreadSafeReference(to: realm.objects(Person.self).filter("id == 1"))
                )
            }
        }
        let counts = try await TestRealm.elsewhere {
            let realm = try test.open()
            return [realm.resolve(marks)?.count, realm.resolve(people)?.count]
        }
        #expect(counts == [2, 1])
    }

    @Test("A thread-safe variable can hold a reference made in a transaction")
    func variable() async throws {
        let test = test
        let variable = ThreadSafe<Person>(wrappedValue: nil)
        try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write {
                variable.wrappedValue = realm.create(Person.self, value: ["id": 1, "name": "Ann"])
                #expect(variable.wrappedValue?.name == "Ann")
            }
        }
        for _ in 0..<2 {
            let name = try await TestRealm.elsewhere { variable.wrappedValue?.name }
            #expect(name == "Ann")
        }
        try await TestRealm.elsewhere {
            let realm = try test.open()
            realm.beginWrite()
            variable.wrappedValue = realm.create(Person.self, value: ["id": 2, "name": "Bob"])
            realm.cancelWrite()
        }
        let name = try await TestRealm.elsewhere { variable.wrappedValue?.name }
        #expect(name == nil)
    }
}
