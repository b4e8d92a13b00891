// Each declaration of objects and of their properties, used with the types that are printed in the
// documentation of the reference. Most of these tests fail by not compiling.

import Dispatch
import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

/// A class in the style without `@Persisted(primaryKey: true)` and its like.
private class Declared: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func primaryKey() -> String? { "id" }
    override class func ignoredProperties() -> [String] { ["cache"] }
    override class func indexedProperties() -> [String] { ["name"] }
    override class func propertiesMapping() -> [String: String] { ["name": "full_name"] }

    @Persisted var id = 0
    @Persisted var name = ""
    var cache: [Int] = []
}

/// A property of each kind of declaration.
private class AllDeclarations: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(wrappedValue: 4, indexed: true) var marked: Int
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var kind: LedgerKind?
    @Persisted(wrappedValue: "x") var text: String
    @Persisted var bool: Bool
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32?
    @Persisted var int64: Int64
    @Persisted var float: Float?
    @Persisted var double: Double
    @Persisted var data: Data
    @Persisted var decimal: Decimal128?
    @Persisted var uuid: UUID
    @Persisted var any: AnyRealmValue
    @Persisted var cents: Cents
    @Persisted var object: AllDeclarations?
    @Persisted var list: List<AllDeclarations>
    @Persisted var set: MutableSet<LedgerKind>
    @Persisted var map: Map<String, Cents>
    @Persisted(originProperty: "object") var owners: LinkingObjects<AllDeclarations>
}

@Suite("Declarations of objects")
struct ObjectDeclarationTests {
    @Test("An object has the initializers, properties and methods of the Realm API")
    func objects() throws {
        let unmanaged = Citizen(value: ["firstName": "Ann", "age": 3] as [String: Any])
        #expect(unmanaged.realm == nil && !unmanaged.isInvalidated && !unmanaged.isFrozen)
        #expect(Hound(value: ["Rex", 3, 2.5] as [Any]).age == 3)
        #expect(Citizen(value: unmanaged).firstName == "Ann")
        #expect(unmanaged.description.hasPrefix("Citizen {"))
        unmanaged["age"] = 4
        #expect(unmanaged["age"] as? Int == 4)
        let realm = try citizenRealm { $0.add(unmanaged) }
        let ann: Citizen = realm.objects(Citizen.self)[0]
        #expect(ann.isSameObject(as: unmanaged))
        #expect(ann.realm == realm)
        #expect(ann.objectSchema.className == "Citizen")
        let frozen: Citizen = ann.freeze()
        let thawed: Citizen? = frozen.thaw()
        #expect(thawed?.isSameObject(as: ann) == true)
        let friends: List<DynamicObject> = ann.dynamicList("friends")
        #expect(friends.isEmpty)
        #expect(RealmSwiftObject.self == Object.self)
        #expect(RealmSwiftEmbeddedObject.self == EmbeddedObject.self)
        #expect(Home.isEmbedded())
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let pack: MutableSet<DynamicObject> = ledger.dynamicMutableSet("pack")
        #expect(pack.count == 2)
        let pets: Map<String, DynamicObject?> = ledger.dynamicMap("pets")
        #expect(pets.count == 2)
        let dynamic: MigrationObject = realm.dynamicObjects("Citizen")[0]
        #expect(dynamic.age as? Int == 4 && dynamic["age"] as? Int == 4)
        let id: UInt64 = Pet().id
        _ = id
    }

    @Test("A class is described by its class functions")
    func classes() throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString,
                objectTypes: [Declared.self, AllDeclarations.self]))
        let schema = try #require(realm.schema["Declared"])
        #expect(Declared.className() == "Declared")
        #expect(schema.primaryKeyProperty?.name == "id")
        #expect(schema["name"]?.isIndexed == true && schema["name"]?.columnName == "full_name")
        #expect(schema["cache"] == nil)
        let all = try #require(realm.schema["AllDeclarations"])
        #expect(all.properties.count == 21)
        #expect(all.properties.filter(\.isIndexed).map(\.name) == ["id", "marked", "date", "kind"])
        let object = AllDeclarations()
        #expect(object.marked == 4 && object.text == "x" && object.owners.isEmpty)
    }

    @Test("Changes to an object can be observed in all forms")
    func observing() async throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let ann = realm.objects(Citizen.self)[0]
        let news = Guarded<[String]>([])
        let block: (ObjectChange<Citizen>) -> Void = { change in
            switch change {
            case .change(let citizen, let properties):
                let property: PropertyChange = properties[0]
                let texts = [property.oldValue, property.newValue].map { $0.map { "\($0)" } ?? "-" }
                news.withLock { $0.append("\(citizen.age) \(property.name) \(texts)") }
            case .deleted: news.withLock { $0.append("deleted") }
            case .error(let error): Issue.record(error)
            }
        }
        let tokens = [
            ann.observe(keyPaths: nil as [String]?, on: nil, block),
            ann.observe(keyPaths: ["age"], block),
            ann.observe(keyPaths: [\Citizen.age], on: nil, block),
            ann.observe(keyPaths: [\Citizen.lastName], on: nil, block),
        ]
        try realm.write { ann.age = 5 }
        realm.refresh()
        #expect(news.withLock { $0 } == Array(repeating: "5 age [\"-\", \"5\"]", count: 3))
        try realm.write { realm.delete(ann) }
        realm.refresh()
        #expect(news.withLock { $0.suffix(4) } == Array(repeating: "deleted", count: 4))
        for token: NotificationToken in tokens { token.invalidate() }
    }

    @Test("An object decodes its properties, and a missing optional is nil")
    func coding() throws {
        let decoded = try JSONDecoder().decode(
            CodedPerson.self, from: Data(#"{"name": "Ann"}"#.utf8))
        #expect(decoded.name == "Ann" && decoded.age == nil)
    }

    @Test("Custom types and enumerations are declared by their protocols")
    func customTypes() throws {
        func persisted<T: CustomPersistable>(_ value: T) -> T.PersistedType {
            value.persistableValue
        }
        #expect(persisted(Cents(7)) == 7)
        #expect(Cents(persistedValue: 9).amount == 9)
        func failable<T: FailableCustomPersistable>(_: T.Type, _ value: T.PersistedType) -> T? {
            T(persistedValue: value)
        }
        #expect(failable(Even.self, 3) == nil && failable(Even.self, 4)?.persistableValue == 4)
        func cases<T: PersistableEnum>(_: T.Type) -> [T.RawValue] where T.RawValue: Equatable {
            T.allCases.map(\.rawValue)
        }
        #expect(cases(LedgerKind.self) == ["open", "closed"])
        #expect(LedgerKind.closed < LedgerKind.open)
        func legacy<T: RealmEnum>(_: T.Type) -> String { "\(T.self)" }
        #expect(legacy(LedgerKind.self) == "LedgerKind")
    }
}

private class CodedPerson: Object, Codable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name: String
    @Persisted var age: Int?
}

private struct Even: FailableCustomPersistable {
    let number: Int
    init?(persistedValue: Int) {
        guard persistedValue % 2 == 0 else { return nil }
        number = persistedValue
    }
    var persistableValue: Int { number }
}
