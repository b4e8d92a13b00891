// The values that cross threads and actors in Swift 6 without `nonisolated(unsafe)`. Most of these tests
// fail by not compiling.

import Firn
import FirnPlatform
import Foundation
import Testing

/// A class whose objects may be used on any thread, with a variable for an object of a realm.
private final class Selection: Sendable {
    let person: ThreadSafe<Person>

    init(_ person: Person?) { self.person = ThreadSafe(wrappedValue: person) }
}

/// A structure with a variable for an object of a realm.
private struct Choice: Sendable {
    @ThreadSafe var person: Person?
}

private func reader(@ThreadSafe of person: Person?) -> @Sendable () -> String? {
    let person = $person
    return { person.wrappedValue?.name }
}

private actor Store {
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    var count: Int { realm.objects(Person.self).count }

    func people() -> Frozen<Results<Person>> { Frozen(realm.objects(Person.self)) }

    func first() -> Frozen<Person>? { realm.objects(Person.self).first.map { Frozen($0) } }
}

private actor Opener {
    func names(_ configuration: Realm.Configuration) async throws -> [String] {
        let realm = try await Realm(configuration: configuration)
        return realm.objects(Person.self).sorted(byKeyPath: "name").map(\.name)
    }

    func isSameRealm(_ configuration: Realm.Configuration) async throws -> Bool {
        let realm = try await Realm(configuration: configuration)
        let others = [
            try await Realm.open(configuration: configuration),
            try await Realm(configuration: configuration, actor: self),
        ]
        return others.allSatisfy { $0 == realm }
    }
}

@Suite("Values that cross actors")
struct SendableTests {
    private func filled() throws -> TestRealm {
        let test = TestRealm()
        let realm = try test.open()
        try realm.write {
            realm.add([
                Person(value: ["id": 1, "name": "Ann"]), Person(value: ["id": 2, "name": "Bob"]),
            ])
        }
        return test
    }

    @Test("A frozen value can be passed between actors")
    func frozen() async throws {
        let test = try filled()
        let store = try await Store(test.configuration)
        let people = await store.people()
        #expect(people.map(\.name) == ["Ann", "Bob"])
        #expect(people[1].name == "Bob")
        #expect(people.last?.id == 2)
        #expect(people.value.isFrozen)
        #expect(people.isFrozen)
        let ann = try #require(await store.first())
        #expect(ann.name == "Ann")
        let names = await Task.detached { people.map(\.name) + [ann.name] }.value
        #expect(names == ["Ann", "Bob", "Ann"])
        #expect(people == people)
    }

    @Test("A thread-safe variable can be a parameter, a captured constant or a property")
    func threadSafe() async throws {
        let test = try filled()
        let (selection, choice, captured, name) = try await TestRealm.elsewhere {
            let people = try test.open().objects(Person.self)
            @ThreadSafe var person = people.first
            return (
                Selection(people.first), Choice(person: people.last), $person,
                reader(of: people.last)
            )
        }
        let names = try await TestRealm.elsewhere { () -> [String?] in
            [
                selection.person.wrappedValue?.name, choice.person?.name,
                captured.wrappedValue?.name, name(),
            ]
        }
        #expect(names == ["Ann", "Bob", "Ann", "Bob"])
    }

    @Test(
        "In an asynchronous function, only actors can open a realm, with an asynchronous initializer",
        .tags(.difference))
    func opening() async throws {
        let test = try filled()
        let opener = Opener()
        #expect(try await opener.names(test.configuration) == ["Ann", "Bob"])
        #expect(try await opener.isSameRealm(test.configuration))
    }

    @Test("Tokens, references and changes of frozen values are sendable")
    func others() {
        func isSendable<T: Sendable>(_ type: T.Type) -> Bool { true }
        #expect(isSendable(NotificationToken.self))
        #expect(isSendable(ThreadSafeReference<Results<Person>>.self))
        #expect(isSendable(RealmCollectionChange<Frozen<Results<Person>>>.self))
        #expect(isSendable(Realm.Configuration.self))
        #expect(isSendable(Realm.AsyncTransactionId.self))
    }

    @Test(
        "An actor follows commits if its configuration requires it", .tags(.difference),
        .timeLimit(.minutes(2)))
    func following() async throws {
        let test = try filled()
        let configuration = {
            var configuration = test.configuration
            configuration.advancesAutomatically = true
            return configuration
        }()
        let store = try await Store(configuration)
        #expect(await store.count == 2)
        try await TestRealm.elsewhere {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Person(value: ["id": 3])) }
        }
        while await store.count == 2, !Task.isCancelled { await Task.yield() }
        #expect(await store.count == 3)
    }
}
