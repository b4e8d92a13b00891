import Firn
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Foundation
import Testing

@Suite("Files without declared classes")
struct DynamicFileTests {
    private let folder = TemporaryFolder()

    /// A file as created by `firn create`, with two classes and an object of each.
    private func makeFile() throws -> Realm.Configuration {
        let path = folder("fleet.firn")
        let services = SystemServices.real
        try Store.create(path, services: services).publish()
        let store = try Store.open(path, readOnly: false, services: services)
        let transaction = try store.beginWrite()
        try transaction.addClasses([
            ClassDefinition(
                name: "Plane",
                properties: [
                    ClassDefinition.Property(name: "tail", type: .init(.string)),
                    ClassDefinition.Property(name: "year", type: .init(.int, isOptional: true)),
                    ClassDefinition.Property(
                        name: "maker", type: .init(.link), targetName: "Maker"),
                    ClassDefinition.Property(
                        name: "stops", type: .init(.string, container: .list)),
                ], keyName: "tail"),
            ClassDefinition(
                name: "Maker",
                properties: [ClassDefinition.Property(name: "name", type: .init(.string))],
                inverses: [
                    ClassDefinition.Inverse(
                        name: "planes", sourceClassName: "Plane", sourcePropertyName: "maker")
                ]),
        ])
        let (plane, maker) = (
            try #require(transaction.schema.classNamed("Plane")),
            try #require(transaction.schema.classNamed("Maker"))
        )
        let row = try transaction.create(in: maker.id, [.string("Saab")])
        _ = try transaction.create(
            in: plane.id,
            [
                .string("N1"), .int(1987),
                .link(ObjectReference(classID: maker.id, rowID: row)), .list([.string("OSL")]),
            ])
        _ = try transaction.commit()
        try store.close()
        return Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [Toy.self])
    }

    @Test("The file is read and written with dynamic objects")
    func using() throws {
        let realm = try Realm(configuration: makeFile())
        let plane = try #require(realm.dynamicObject(ofType: "Plane", forPrimaryKey: "N1"))
        #expect(plane.year as? Int == 1987)
        #expect((plane.maker as? DynamicObject)?.name as? String == "Saab")
        #expect((plane.stops as? List<String>)?.first == "OSL")
        try realm.write {
            let maker = realm.dynamicCreate("Maker", value: ["name": "ATR"])
            realm.dynamicCreate("Plane", value: ["N2", nil, maker, ["BGO"]] as [Any?])
            plane.maker = maker
            (plane.stops as? List<String>)?.append("TRD")
            realm.add(Toy(id: 1))
        }
        let planes = realm.dynamicObjects("Plane")
        #expect(planes.filter("maker.name == 'ATR'").count == 2)
        #expect(planes.filter("year == nil").first?.tail as? String == "N2")
        let atr = try #require(realm.dynamicObjects("Maker").filter("name == 'ATR'").first)
        #expect((atr.planes as? LinkingObjects<DynamicObject>)?.count == 2)
        try realm.write { realm.delete(planes) }
        #expect(planes.isEmpty && realm.dynamicObjects("Maker").count == 2)
    }

    @Test("The schema of the realm describes the file")
    func schema() throws {
        let realm = try Realm(configuration: makeFile())
        let schema = realm.schema
        #expect(schema.objectSchema.map(\.className) == ["Maker", "Plane", "Toy"])
        let plane = try #require(schema["Plane"])
        #expect(plane.objectClass == DynamicObject.self && schema["Toy"]?.objectClass == Toy.self)
        #expect(plane.properties.map(\.name) == ["tail", "year", "maker", "stops"])
        #expect(plane.primaryKeyProperty?.name == "tail")
        #expect(plane["maker"]?.objectClassName == "Maker")
        let maker = try #require(schema["Maker"])
        #expect(maker["planes"]?.type == .linkingObjects)
        #expect(maker["planes"]?.objectClassName == "Plane")
        #expect(realm.dynamicObjects("Plane").first?.objectSchema == plane)
    }

    @Test("Dynamic objects can be reached from values of type Any")
    func links() throws {
        var configuration = try makeFile()
        configuration.objectTypes = [Ledger.self, Hound.self, Citizen.self]
        let realm = try Realm(configuration: configuration)
        let plane = try #require(realm.dynamicObjects("Plane").first)
        try realm.write {
            let ledger = realm.create(Ledger.self)
            ledger.anything = .object(plane)
        }
        let ledger = try #require(realm.objects(Ledger.self).first)
        #expect(ledger.anything.dynamicObject?.tail as? String == "N1")
        #expect(ledger.anything.object(Hound.self) == nil)
        guard case .object(let object) = ledger.anything else {
            Issue.record("no object")
            return
        }
        #expect(object["year"] as? Int == 1987 && object.isSameObject(as: plane))
    }
}
