import Dispatch
import Firn
import Testing

/// The main thread, the main queue and the main actor had a realm each: a realm opened by one could
/// not be used by the others, although they run the same code.
@Suite("The main thread, the main queue and the main actor")
struct MainPlaceTests {
    private let test = TestRealm([Toy.self])

    @MainActor
    @Test("The main thread, the main queue and the main actor share one realm")
    func oneRealm() async throws {
        let realm = try test.open()
        let opened = [
            try await Realm(configuration: test.configuration),
            try await Realm(configuration: test.configuration, actor: MainActor.shared),
            try await Realm.open(configuration: test.configuration),
            try Realm(configuration: test.configuration, queue: .main),
        ]
        #expect(opened.map { $0 == realm } == [true, true, true, true])
    }

    @MainActor
    @Test("A realm of the main thread works after an await, and can be written without blocking")
    func asyncWrite() async throws {
        let realm = try test.open()
        await Task.yield()
        try await realm.asyncWrite { realm.add(Toy(id: 1, name: "a")) }
        #expect(realm.objects(Toy.self).map(\.name) == ["a"])
        let isWritten = await withCheckedContinuation { continuation in
            realm.writeAsync({ realm.objects(Toy.self)[0].name = "b" }) { error in
                continuation.resume(returning: error == nil)
            }
        }
        #expect(isWritten)
        #expect(realm.objects(Toy.self).map(\.name) == ["b"])
    }

    @MainActor
    @Test("Blocks of the main queue and of the main actor get the realm of the main thread")
    func observing() async throws {
        let realm = try test.open()
        var tokens: [NotificationToken] = []
        let toys = realm.objects(Toy.self)
        for place in ["thread", "queue"] {
            let queue: DispatchQueue? = place == "queue" ? .main : nil
            await withCheckedContinuation { continuation in
                tokens.append(
                    toys.observe(on: queue) { change in
                        guard case .initial(let there) = change else { return }
                        #expect(there.realm == realm)
                        continuation.resume()
                    })
            }
        }
        let configuration = test.configuration
        let isSame = await withCheckedContinuation { continuation in
            Task { @MainActor in
                tokens.append(
                    await toys.observe(on: MainActor.shared) { _, change in
                        guard case .initial(let there) = change else { return }
                        let realm = try? Realm(configuration: configuration, queue: .main)
                        continuation.resume(returning: there.realm == realm)
                    })
            }
        }
        #expect(isSame)
    }
}
