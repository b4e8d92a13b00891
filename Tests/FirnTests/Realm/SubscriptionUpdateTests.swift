import Firn
import FirnEngine
import FirnPlatform
import FirnValues
import Foundation
import Testing

@Suite("Updates of subscriptions")
struct SubscriptionUpdateTests {
    private let home = TestRealm([Citizen.self, Hound.self])
    private let realm: Realm

    init() throws { realm = try home.open() }

    @Test("An update is one transaction, and all sets of its realm show its progress")
    func whole() throws {
        let set = realm.subscriptions
        set.update {
            #expect(set.state == .pending)
            realm.subscriptions.append(QuerySubscription<Hound>(name: "a"))
            set.append(QuerySubscription<Hound>(name: "b"))
            #expect(set.count == 2 && realm.subscriptions.first(named: "b") != nil)
            let a = set.first(named: "a")
            a?.updateQuery(toType: Hound.self) { $0.age == 1 }
            set.remove(named: "b")
            #expect(set.map(\.description) == ["a: Hound | age == 1"])
        }
        #expect(set.state == .complete)
        #expect(realm.subscriptions.map(\.description) == ["a: Hound | age == 1"])
    }

    @Test("An update reports its completion before it returns")
    func completion() {
        let told = Guarded<[Realm.Error?]>([])
        realm.subscriptions.update {
            #expect(told.withLock { $0.isEmpty })
        } onComplete: { error in
            told.withLock { $0.append(error as? Realm.Error) }
        }
        #expect(told.withLock { $0 } == [nil])
    }

    @Test("An update leaves older sets unchanged and superseded")
    func superseding() throws {
        let old = realm.subscriptions
        let new = realm.subscriptions
        new.update { new.append(QuerySubscription<Hound>(name: "a")) }
        #expect(old.state == .superseded && old.count == 0)
        #expect(new.state == .complete && new.count == 1)
        let last = realm.subscriptions
        last.update { last.remove(named: "a") }
        #expect(old.state == .superseded && new.state == .superseded && new.count == 1)
        #expect(last.state == .complete && realm.subscriptions.state == .complete)
    }

    @Test("An update without changes writes nothing")
    func nothing() {
        let old = realm.subscriptions
        realm.subscriptions.update {}
        realm.subscriptions.update { realm.subscriptions.remove(named: "a") }
        #expect(old.state == .complete)
    }

    @Test("An update changes neither the current objects of the realm nor frozen ones")
    func frozen() throws {
        let frozen = realm.freeze()
        let set = realm.subscriptions
        set.update { set.append(QuerySubscription<Hound>(name: "a")) }
        #expect(frozen.subscriptions.count == 0 && frozen.subscriptions.state == .superseded)
        realm.refresh()
        #expect(realm.freeze().subscriptions.map(\.name) == ["a"])
    }

    @Test("An update waits for the actor without blocking it")
    func asynchronous() async throws {
        let owner = Subscriber()
        #expect(try await owner.subscribe(home.configuration, "a") == ["a"])
        #expect(try await owner.subscribe(home.configuration, "b") == ["a", "b"])
        await #expect(throws: CancellationError.self) {
            try await owner.fail(home.configuration)
        }
        #expect(try await stored() == ["a", "b"])
    }

    @Test("Concurrent updates from several threads lose nothing")
    func concurrent() async throws {
        let configuration = home.configuration
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    try await TestRealm.elsewhere {
                        let realm = try Realm(configuration: configuration)
                        for number in 0..<5 {
                            let set = realm.subscriptions
                            set.update {
                                set.append(QuerySubscription<Hound>(name: "\(thread) \(number)"))
                            }
                            #expect(set.error == nil)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Set(stored()).count == 20)
    }

    /// The names as seen by another thread.
    private func stored() async throws -> [String] {
        let configuration = home.configuration
        return try await TestRealm.elsewhere {
            try Realm(configuration: configuration).subscriptions.compactMap(\.name)
        }
    }

    @Test(
        "An update fails if the file has a foreign class of subscriptions, and the state has the error"
    )
    func foreignClass() async throws {
        let home = TestRealm([Hound.self])
        let path = try #require(home.configuration.fileURL?.path)
        try Store.create(path).publish()
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        try transaction.addClass(
            ClassDefinition(
                name: "firn.Subscription",
                properties: [
                    ClassDefinition.Property(
                        name: "id", type: FirnValues.PropertyType(.string))
                ]))
        _ = try transaction.commit()
        try store.close()
        let set = try home.open().subscriptions
        #expect(set.count == 0)
        guard case .error = set.state else {
            Issue.record("\(set.state)")
            return
        }
        let received = Guarded<Realm.Error?>(nil)
        set.update {
            Issue.record("the block ran")
        } onComplete: { error in
            received.withLock { $0 = error as? Realm.Error }
        }
        let failure = received.withLock { $0 }
        #expect(failure?.code == .invalidDatabase)
        #expect(set.error as? Realm.Error == failure)
        let (owner, configuration) = (Subscriber(), home.configuration)
        await #expect(throws: Realm.Error.self) { try await owner.subscribe(configuration, "a") }
    }

    @Test("An update where nothing can be updated stops the program")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try hounds().subscriptions.append(QuerySubscription<Hound>(name: "a"))
        }.says("subscriptions are only changed in the block of")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let set = try hounds().subscriptions
            set.update { set.update {} }
        }.says("subscriptions are being updated already: updates do not nest")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try hounds()
            try realm.write { realm.subscriptions.update {} }
        }.says("subscriptions are updated in a transaction of their own: do")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try hounds()
            realm.subscriptions.update { realm.beginWrite() }
        }.says("subscriptions are updated in a transaction of their own: do")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try hounds().freeze().subscriptions.update {}
        }.says("subscriptions of a realm that is frozen or opened for reading")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let set = try hounds().subscriptions
            set.update { set.append(QuerySubscription<Ledger>(name: "no such class")) }
        }.says("has no class Ledger: add it to objectTypes of the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let set = try hounds().subscriptions
            set.update { set.append(QuerySubscription<Hound>(where: "no such property")) }
        }.says("the query \"no such property\" is wrong: expected an operator,")
    }

    @Test("Assigning a query of another class to a subscription stops the program")
    func otherClass() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try citizenRealm()
            let set = realm.subscriptions
            set.update {
                set.append(QuerySubscription<Hound>(name: "a"))
                set.first?.updateQuery(toType: Citizen.self) { $0.age == 1 }
            }
        }
        #expect(message(of: result).contains("subscription to Hound cannot become one to Citizen"))
    }
}

private func hounds() throws -> Realm {
    try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: Foundation.UUID().uuidString, objectTypes: [Hound.self]))
}

private actor Subscriber {
    func subscribe(_ configuration: Realm.Configuration, _ name: String) async throws -> [String?] {
        let realm = try await Realm.open(configuration: configuration)
        let set = realm.subscriptions
        try await set.update { set.append(QuerySubscription<Hound>(name: name)) }
        #expect(set.state == .complete)
        return set.map(\.name)
    }

    func fail(_ configuration: Realm.Configuration) async throws {
        let set = try await Realm.open(configuration: configuration).subscriptions
        try await set.update {
            set.removeAll()
            throw CancellationError()
        }
    }
}
