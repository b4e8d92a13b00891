import Firn
import FirnTesting
import Foundation
import Testing

/// The file got the classes, but the realm of the thread, which is shared by both configurations,
/// continued to show the version before, and `objects` of a new class stopped the program.
@Suite("Second configurations of an open file")
struct SecondConfigurationTests {
    private let test = TestRealm([Toy.self])

    private func open(_ types: [ObjectBase.Type]) throws -> Realm {
        var configuration = test.configuration
        configuration.objectTypes = types
        return try Realm(configuration: configuration)
    }

    @Test("A second configuration adds its classes to the open realm")
    func classes() throws {
        let first = try test.open()
        try first.write { first.add(Toy()) }
        let toys = first.objects(Toy.self)
        let second = try open([Pet.self])
        #expect(second == first)
        #expect(second.objects(Pet.self).isEmpty)
        try second.write { second.create(Pet.self, value: ["name": "Rex"]) }
        #expect(first.objects(Pet.self).map(\.name) == ["Rex"])
        #expect(toys.count == 1)
        #expect(first.schema["Pet"]?["age"]?.type == .int)
    }

    @Test("A second configuration adds its properties to a class of the open realm")
    func properties() throws {
        let first = try open([Before.Task.self])
        try first.write { first.add(Before.Task(value: [1, "write"])) }
        let second = try open([After.Task.self])
        #expect(second.objects(After.Task.self).map(\.priority) == [3])
        #expect(first.objects(Before.Task.self).map(\.title) == ["write"])
    }

    @Test("Values of type Any can refer to the classes of a second configuration")
    func anyObject() throws {
        let first = try open([Setting.self])
        let second = try open([Pet.self])
        try second.write {
            let pet = second.create(Pet.self, value: ["name": "Rex"])
            first.create(Setting.self, value: ["value": AnyRealmValue.object(pet)])
        }
        let value = try #require(first.objects(Setting.self).first).value
        #expect(value.object(Pet.self)?.name == "Rex")
        try first.write { first.deleteAll() }
        #expect(second.objects(Pet.self).isEmpty)
    }

    @Test("A second configuration notifies the observers of the realm")
    func observing() throws {
        let first = try test.open()
        let told = Told()
        let token = first.objects(Toy.self).observe { told.add($0) }
        first.refresh()
        #expect(told.news == ["initial 0"])
        try elsewhere(first) { realm in try realm.write { realm.add(Toy()) } }
        let second = try open([Pet.self])
        #expect(second.objects(Toy.self).count == 1)
        second.refresh()
        #expect(told.news == ["-[] +[0] ~[]"])
        withExtendedLifetime(token) {}
    }

    class Setting: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var value: AnyRealmValue
    }
}
