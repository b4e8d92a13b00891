import Firn
import FirnTesting
import Foundation
import Testing

/// A class that cannot be stored, and that belongs to every realm of default classes.
private final class Faulty: Object {
    @Persisted var size = 1.5

    override class func primaryKey() -> String? { "size" }
}

/// A class that cannot be stored because of another one.
private final class HasFaulty: Object {
    @Persisted var name = ""
    @Persisted var wrong: Faulty?
}

@Suite("Classes that cannot be stored")
struct WrongClassTests {
    private static func configuration() -> Realm.Configuration {
        Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    }

    @Test("An invalid class does not affect realms that never use it", .tags(.difference))
    func unused() throws {
        let realm = try Realm(configuration: Self.configuration())
        try realm.write { realm.add(Person(value: ["id": 1])) }
        #expect(realm.objects(Person.self).count == 1)
        #expect(realm.schema["Faulty"] == nil)
        #expect(realm.schema["HasFaulty"] == nil)
    }

    @Test("Using an invalid class stops the program with the reason")
    func used() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(configuration: Self.configuration()).objects(Faulty.self)
        }.says("the class Faulty cannot be stored: Faulty.size cannot be the primary key")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(configuration: Self.configuration())
            try realm.write { realm.add(HasFaulty()) }
        }.says("the class HasFaulty cannot be stored: it refers to Faulty, which cannot be stored")
    }

    @Test("Listing an invalid class stops the program")
    func listed() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([Faulty.self])
        }.says("the classes cannot be stored: Faulty.size cannot be the primary key")
    }

    @Test("An invalid path is reported before invalid classes")
    func path() throws {
        let folder = TemporaryFolder()
        let missing = URL(fileURLWithPath: folder("none/x.firn"))
        let error = #expect(throws: Realm.Error.self) {
            try Realm(
                configuration: Realm.Configuration(fileURL: missing, objectTypes: [Faulty.self]))
        }
        #expect(error?.code == .fileNotFound)
        #expect(error?.message.contains("the folder \(folder("none")) does not exist") == true)
        let foreign = URL(fileURLWithPath: folder("x.firn"))
        try Data(repeating: 7, count: 9999).write(to: foreign)
        #expect(throws: Realm.Error.self) {
            try Realm(
                configuration: Realm.Configuration(fileURL: foreign, objectTypes: [Faulty.self]))
        }
    }
}
