import Firn
import Foundation
import Testing

@Suite("Subscriptions of results")
struct ResultsSubscribingTests {
    @Test("Subscribed results are stored as a named query until they are unsubscribed")
    @MainActor
    func named() async throws {
        let realm = try await hounds()
        let young = realm.objects(Hound.self).where { $0.age < 2 }
        let subscribed = try await young.subscribe(name: "young")
        #expect(subscribed == young)
        #expect(realm.subscriptions.map(\.description) == ["young: Hound | age < 2"])
        subscribed.unsubscribe()
        #expect(realm.subscriptions.count == 0)
        subscribed.unsubscribe()
    }

    @Test("A repeated subscription changes nothing, and another query replaces the named one")
    @MainActor
    func again() async throws {
        let realm = try await hounds()
        let all = realm.objects(Hound.self)
        try await all.subscribe(name: "mine")
        let before = realm.subscriptions
        try await all.subscribe(name: "mine", waitForSync: .always, timeout: 1)
        #expect(before.state == .complete)
        try await all.filter("age == 3").subscribe(name: "mine", waitForSync: .never)
        #expect(before.state == .superseded)
        #expect(realm.subscriptions.map(\.description) == ["mine: Hound | age == 3"])
        try await all.subscribe()
        try await all.subscribe()
        #expect(realm.subscriptions.map(\.name) == ["mine", nil])
    }

    @Test("Unsubscribing by the query works only without a name")
    @MainActor
    func unnamed() async throws {
        let realm = try await hounds()
        let all = realm.objects(Hound.self)
        try await all.filter("age > 1").filter("name == 'Rex'").subscribe()
        try await all.filter("age > 1").subscribe(name: "old")
        all.filter("age > 1").unsubscribe()
        #expect(realm.subscriptions.map(\.name) == [nil, "old"])
        all.filter("age > 1 AND name == 'Rex'").unsubscribe()
        #expect(realm.subscriptions.map(\.name) == ["old"])
    }

    @Test("Results keep their query when the subscription is removed elsewhere")
    @MainActor
    func removedElsewhere() async throws {
        let realm = try await hounds()
        let all = try await realm.objects(Hound.self).subscribe(name: "a")
        try await realm.subscriptions.update { realm.subscriptions.removeAll() }
        #expect(all.count == 0 && !all.isInvalidated)
        all.unsubscribe()
        #expect(realm.subscriptions.count == 0)
    }

    @Test("Subscribing to the elements of an object stops the program")
    func elements() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await subscribeToElements()
        }.says("a subscription is a query over all objects of a class: begin")
    }

    @MainActor
    private func hounds() async throws -> Realm {
        try await Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: Foundation.UUID().uuidString, objectTypes: [Hound.self]))
    }
}

@MainActor
private func subscribeToElements() async throws {
    let realm = try await Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: Foundation.UUID().uuidString,
            objectTypes: [Citizen.self, Hound.self]))
    let ann = Citizen("Ann")
    try realm.write { realm.add(ann) }
    try await ann.hounds.filter("age > 1").subscribe()
}
