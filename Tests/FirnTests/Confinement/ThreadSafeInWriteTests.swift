// `ThreadSafeReference(to:)` and an assignment to a `@ThreadSafe` variable stopped the program inside of a
// write transaction for an object that the transaction had created, and referred to the version before
// the transaction for others. In Realm both work: the reference is resolved once the transaction is
// committed, and leads to nothing if it was cancelled.

import Dispatch
import Firn
import Foundation
import Testing

@Suite("A reference that is made in a write transaction")
struct ThreadSafeInWriteTests {
    private let test = TestRealm()

    private func resolved(_ reference: ThreadSafeReference<Person>) async throws -> String? {
        let test = test
        return try await TestRealm.elsewhere { try test.open().resolve(reference)?.name }
    }

    @Test("leads to the object that it created, once that is committed")
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
        "leads to nothing when the transaction was cancelled, also if another object has its place")
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

    @Test("leads to nothing while the transaction is open, and to an older object as it was")
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

    @Test("is resolved in the same transaction")
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

    @Test("may lead to a collection and to a result")
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

    @Test("may be that of a thread-safe variable")
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
