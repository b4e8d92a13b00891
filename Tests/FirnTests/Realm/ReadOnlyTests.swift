import Firn
import FirnEngine
import FirnTesting
import FirnValues
import Foundation
import Testing

/// A model with additions made after the file.
private enum Harbour {
    enum First {
        class Port: Object {
            override class func className() -> String { "HarbourPort" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }

            @Persisted(primaryKey: true) var name = ""
        }
    }

    class Port: Object {
        override class func className() -> String { "HarbourPort" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var name = ""
        @Persisted(originProperty: "home") var vessels: LinkingObjects<Vessel>
    }

    class Vessel: Object {
        override class func className() -> String { "HarbourVessel" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id = 0
        @Persisted var length = 0.0
        @Persisted var home: Port?
        @Persisted var berth: Berth?
    }

    class Berth: EmbeddedObject {
        override class func className() -> String { "HarbourBerth" }

        @Persisted var number = 0
    }

    class Tide: Object {
        override class func className() -> String { "HarbourTide" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted var height = 0.0
    }

    class Larger: Object {
        override class func className() -> String { "HarbourPort" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var name = ""
        @Persisted var depth = 0
    }
}

@Suite("Realms opened read-only")
struct ReadOnlyTests {
    private let test = TestRealm()

    private func open(_ types: [ObjectBase.Type], readOnly: Bool = true) throws -> Realm {
        var configuration = test.configuration
        configuration.objectTypes = types
        configuration.readOnly = readOnly
        return try Realm(configuration: configuration)
    }

    private var path: String { test.folder("test.firn") }

    /// Creates a file that contains two ports only.
    private func makeFile() throws {
        let realm = try open([Harbour.First.Port.self], readOnly: false)
        try realm.write {
            realm.create(Harbour.First.Port.self, value: ["Oslo"])
            realm.create(Harbour.First.Port.self, value: ["Bergen"])
        }
    }

    @Test("A class that is missing in the file has no objects", .tags(.difference))
    func empty() throws {
        try makeFile()
        let realm = try open([Harbour.Port.self])
        let vessels = realm.objects(Harbour.Vessel.self)
        #expect(vessels.isEmpty && !vessels.isInvalidated && vessels.first == nil)
        #expect(vessels.filter("home.name == 'Oslo' AND berth.number > 1").map(\.id) == [])
        #expect(vessels.where { $0.length > 3 }.sorted(by: \.length).isEmpty)
        #expect(vessels.distinct(by: ["length"]).isEmpty)
        #expect(vessels.sum(of: \.length) == 0 && vessels.max(of: \.length) == nil)
        #expect(vessels.sectioned(by: \.id).isEmpty)
        #expect(realm.object(ofType: Harbour.Vessel.self, forPrimaryKey: 1) == nil)
        #expect(realm.dynamicObjects("HarbourVessel").isEmpty)
        #expect(
            realm.schema["HarbourVessel"]?.properties.map(\.name) == [
                "id", "length", "home", "berth",
            ])
        #expect(realm.schema["HarbourBerth"]?.isEmbedded == true)
        #expect(!realm.isEmpty && !realm.refresh())
    }

    @Test("Inverses whose class is missing in the file can be read and queried")
    func inverses() throws {
        try makeFile()
        let realm = try open([Harbour.Port.self])
        let oslo = try #require(realm.object(ofType: Harbour.Port.self, forPrimaryKey: "Oslo"))
        #expect(oslo.vessels.isEmpty && oslo.vessels.filter("length > 1").isEmpty)
        let ports = realm.objects(Harbour.Port.self)
        #expect(ports.filter("vessels.@count == 0").count == 2)
        #expect(ports.where { $0.vessels.length > 1 }.isEmpty)
    }

    @Test("A frozen read-only realm has the classes missing in the file, even on other threads")
    func elsewhere() async throws {
        try makeFile()
        let realm = try open([Harbour.Port.self])
        let frozen = realm.objects(Harbour.Vessel.self).freeze()
        #expect(frozen.isFrozen && frozen.isEmpty)
        #expect(frozen.thaw()?.isEmpty == true)
        let reference = ThreadSafeReference(to: realm.objects(Harbour.Vessel.self))
        let configuration = realm.configuration
        let count = try await TestRealm.elsewhere {
            try Realm(configuration: configuration).resolve(reference)?.count
        }
        #expect(count == 0)
    }

    @Test("A read-only realm leaves the file unchanged, and can be copied")
    func untouched() throws {
        try makeFile()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let copy = test.folder("copy.firn")
        do {
            let realm = try open([Harbour.Port.self])
            #expect(realm.objects(Harbour.Vessel.self).isEmpty)
            try realm.writeCopy(toFile: URL(fileURLWithPath: copy))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let store = try Store.open(copy, readOnly: true)
        #expect(try store.snapshot().schema.classes.map(\.name) == ["HarbourPort"])
        try store.close()
    }

    /// A class of the model must never read another class that the file got meanwhile.
    @Test("A class that was missing in the file shows its objects once the file has some")
    func later() throws {
        try makeFile()
        let realm = try open([Harbour.Port.self])
        let before = realm.objects(Harbour.Vessel.self)
        #expect(before.isEmpty)
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let (tide, berth) = (
            ClassDefinition(
                name: "HarbourTide",
                properties: [ClassDefinition.Property(name: "height", type: .init(.double))]),
            ClassDefinition(
                name: "HarbourBerth",
                properties: [ClassDefinition.Property(name: "number", type: .init(.int))],
                isEmbedded: true)
        )
        let vessel = ClassDefinition(
            name: "HarbourVessel",
            properties: [
                ClassDefinition.Property(name: "id", type: .init(.int)),
                ClassDefinition.Property(name: "length", type: .init(.double)),
                ClassDefinition.Property(
                    name: "home", type: .init(.link), targetName: "HarbourPort"),
                ClassDefinition.Property(
                    name: "berth", type: .init(.link), targetName: "HarbourBerth"),
            ], keyName: "id")
        let made = try transaction.addClasses([tide, berth, vessel])
        _ = try transaction.create(in: made[0].id, [.double(1.5)])
        let port = try #require(transaction.schema.classNamed("HarbourPort"))
        let oslo = try #require(try transaction.row(forKey: .string("Oslo"), in: port.id))
        _ = try transaction.create(
            in: made[2].id,
            [.int(7), .double(12), .link(ObjectReference(classID: port.id, rowID: oslo)), .null])
        _ = try transaction.commit()
        try store.close()

        #expect(realm.refresh())
        #expect(before.isEmpty && before.filter("length > 1").isEmpty)
        let vessels = realm.objects(Harbour.Vessel.self)
        #expect(vessels.map(\.id) == [7])
        #expect(vessels.first?.home?.vessels.map(\.id) == [7])
    }

    @Test("A read-only realm has the classes of every configuration that opened it")
    func configurations() throws {
        try makeFile()
        let realm = try open([Harbour.First.Port.self])
        #expect(realm.schema.objectSchema.map(\.className) == ["HarbourPort"])
        let frozen = realm.freeze()
        let same = try open([Harbour.First.Port.self, Harbour.Tide.self])
        #expect(same == realm)
        #expect(realm.objects(Harbour.Tide.self).isEmpty)
        #expect(realm.objects(Harbour.Tide.self).freeze().isEmpty)
        #expect(frozen.objects(Harbour.First.Port.self).count == 2)
    }

    @Test("A file that lacks a property of one of its classes is not opened")
    func lackingProperty() throws {
        try makeFile()
        let error = #expect(throws: Realm.Error.self) {
            try open([Harbour.Larger.self, Harbour.Tide.self])
        }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("Property 'HarbourPort.depth' has been added") == true)
        #expect(error?.message.contains("reading only") == true)
    }
}
