import Firn
import Foundation
import Testing

@Suite("The number of versions in use")
struct ActiveVersionsTests {
    private static let complaint = "maximumNumberOfActiveVersions is 3"

    private let test: TestRealm
    private let configuration: Realm.Configuration

    init() {
        test = TestRealm([Toy.self])
        var configuration = test.configuration
        configuration.maximumNumberOfActiveVersions = 3
        self.configuration = configuration
    }

    private static func add(_ count: Int, to realm: Realm) throws {
        for _ in 0..<count {
            try realm.write { realm.create(Toy.self, value: ["id": realm.objects(Toy.self).count]) }
        }
    }

    @Test(
        "The version of the writing realm does not count, and the maximum is optional"
    )
    func unlimited() throws {
        let realm = try Realm(configuration: configuration)
        try Self.add(10, to: realm)
        let other = try makeRealm([Toy.self])
        let frozen = other.freeze()
        try Self.add(10, to: other)
        #expect(frozen.objects(Toy.self).isEmpty)
    }

    @Test("Frozen versions count until they are released")
    func frozen() throws {
        let realm = try Realm(configuration: configuration)
        try Self.add(1, to: realm)
        var frozen = realm.objects(Toy.self).first?.freeze()
        // One more version each; the third transaction starts with the frozen one and three after
        // it.
        try Self.add(3, to: realm)
        let error = #expect(throws: Realm.Error.self) { try Self.add(1, to: realm) }
        #expect(error?.code == .fail)
        #expect(error?.message.contains("4 versions of the realm are in use") == true)
        #expect(error?.message.contains(Self.complaint) == true)
        #expect(!realm.isInWriteTransaction)
        #expect(frozen?.id == 0)
        frozen = nil
        try Self.add(5, to: realm)
        #expect(realm.objects(Toy.self).count == 9)
    }

    @Test("Unresolved references and realms of other threads count as active versions")
    func others() throws {
        let realm = try Realm(configuration: configuration)
        try Self.add(1, to: realm)
        let toy = try #require(realm.objects(Toy.self).first)
        let reference = ThreadSafeReference(to: toy)
        try Self.add(3, to: realm)
        #expect(throws: Realm.Error.self) { try Self.add(1, to: realm) }
        #expect(realm.resolve(reference) == toy)
        try Self.add(3, to: realm)
        let queue = DispatchQueue(label: "reader")
        let reader = try queue.sync { try Realm(configuration: configuration, queue: queue) }
        try Self.add(3, to: realm)
        #expect(throws: Realm.Error.self) { try Self.add(1, to: realm) }
        #expect(queue.sync { reader.refresh() })
        try Self.add(1, to: realm)
    }

    @Test("The completion of an asynchronous write receives the error")
    func asynchronous() async throws {
        let configuration = configuration
        let queue = DispatchQueue(label: "writer")
        let realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
        let frozen = try queue.sync {
            let frozen = realm.freeze()
            try Self.add(3, to: realm)
            return frozen
        }
        let error = await withCheckedContinuation { continuation in
            queue.sync {
                _ = realm.writeAsync(
                    { realm.create(Toy.self, value: [9]) },
                    onComplete: { continuation.resume(returning: $0) })
            }
        }
        #expect((error as? Realm.Error)?.message.contains(Self.complaint) == true)
        #expect(queue.sync { realm.objects(Toy.self).count } == 3)
        #expect(frozen.objects(Toy.self).isEmpty)
    }

    @Test("Reaching the maximum stops the program where no error can be thrown")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let tests = ActiveVersionsTests()
            let realm = try Realm(configuration: tests.configuration)
            let frozen = realm.freeze()
            try ActiveVersionsTests.add(3, to: realm)
            realm.beginWrite()
            _ = frozen
        }.says("a write transaction could not begin", "maximumNumberOfActiveVersions is 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let tests = ActiveVersionsTests()
            let queue = DispatchQueue(label: "writer")
            let realm = try queue.sync {
                try Realm(configuration: tests.configuration, queue: queue)
            }
            let frozen = try queue.sync {
                let frozen = realm.freeze()
                try ActiveVersionsTests.add(3, to: realm)
                _ = realm.writeAsync {}
                return frozen
            }
            // No completion receives the failure, so it stops the program.
            try await Task.sleep(for: .seconds(30))
            _ = (frozen, tests)
        }.says("an asynchronous write cannot begin", "maximumNumberOfActiveVersions is 3")
    }
}
