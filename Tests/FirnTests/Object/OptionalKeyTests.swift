import Firn
import Foundation
import Testing

@Suite("Optional primary keys")
struct OptionalKeyTests {
    /// Runs a test for every type of key.
    private func forEachClass(_ body: (any OptionallyKeyed.Type) throws -> Void) throws {
        try body(OptionalIntKey.self)
        try body(OptionalTextKey.self)
        try body(OptionalUUIDKey.self)
        try body(OptionalObjectIdKey.self)
        try body(OptionalEnumKey.self)
    }

    @Test("The object with a nil key is found in any order of addition, even after reopening")
    func lookup() throws {
        try forEachClass { type in
            for nilComesFirst in [true, false] { try expectLookup(type, nilComesFirst) }
        }
    }

    private func expectLookup<Model: OptionallyKeyed>(
        _ type: Model.Type, _ nilComesFirst: Bool
    ) throws {
        let test = TestRealm([type])
        let keys: [Model.Key?] = nilComesFirst ? [nil] + type.keys : type.keys + [nil]
        do {
            let realm = try test.open()
            #expect(realm.object(ofType: type, forPrimaryKey: nil as Model.Key?) == nil)
            try realm.write {
                for key in keys {
                    let object = Model()
                    object.id = key
                    object.label = "\(key as Any)"
                    realm.add(object)
                    #expect(realm.object(ofType: type, forPrimaryKey: key) == object)
                }
            }
        }
        let realm = try test.open()
        for key in keys {
            let found = realm.object(ofType: type, forPrimaryKey: key)
            #expect(found?.label == "\(key as Any)")
            #expect(found?.id == key)
        }
        let none = realm.objects(type).filter("id == nil")
        #expect(none.count == 1)
        #expect(none.first?.id == nil)
        #expect(realm.objects(type).filter("id != nil").count == type.keys.count)
        #expect(realm.objects(type).sorted(byKeyPath: "id").first?.id == nil)
    }

    @Test("Adding or creating an object without a key updates the one with a nil key")
    func upsert() throws {
        try forEachClass { type in try expectUpsert(type) }
    }

    private func expectUpsert<Model: OptionallyKeyed>(_ type: Model.Type) throws {
        let realm = try makeRealm([type])
        try realm.write {
            let first = realm.create(type, value: ["label": "a"], update: .modified)
            #expect(first.id == nil)
            #expect(realm.create(type, value: ["label": "b"], update: .modified) == first)
            #expect(first.label == "b")
            let none: Any = Model.Key?.none as Any
            #expect(realm.create(type, value: ["id": none, "label": "c"], update: .all) == first)
            #expect(first.label == "c")
            let other = Model()
            other.label = "d"
            realm.add(other, update: .modified)
            #expect(first.label == "d")
            #expect(other == first)
            #expect(realm.objects(type).count == 1)
            realm.create(type, value: ["id": type.keys[0], "label": "e"], update: .modified)
            #expect(realm.objects(type).count == 2)
            realm.delete(first)
            #expect(realm.object(ofType: type, forPrimaryKey: nil as Model.Key?) == nil)
            realm.add(Model())
        }
        #expect(realm.object(ofType: type, forPrimaryKey: nil as Model.Key?)?.label == "")
    }

    @Test("The key is optional in the schema, and found by its name")
    func schema() throws {
        let realm = try makeRealm([OptionalTextKey.self])
        let key = realm.schema["OptionalTextKey"]?.primaryKeyProperty
        #expect(key?.isOptional == true)
        #expect(key?.isIndexed == true)
        try realm.write {
            let made = realm.dynamicCreate("OptionalTextKey", value: ["label": "a"], update: .all)
            #expect(realm.dynamicCreate("OptionalTextKey", value: [:], update: .all) == made)
            #expect(made.label as? String == "a")
        }
        let none: Any = String?.none as Any
        let found = realm.dynamicObject(ofType: "OptionalTextKey", forPrimaryKey: none)
        #expect(found?.label as? String == "a")
        #expect(found?.id as? String == nil)
    }

    @Test("An object with a nil key is linked to, observed and frozen like any other")
    func others() throws {
        let realm = try makeRealm([OptionalIntKey.self])
        try realm.write {
            let nothing = realm.create(OptionalIntKey.self, value: ["label": "none"])
            realm.create(OptionalIntKey.self, value: ["id": 1, "label": "one", "next": nothing])
        }
        let one = try #require(realm.object(ofType: OptionalIntKey.self, forPrimaryKey: 1))
        #expect(one.next?.label == "none")
        #expect(one.freeze().next?.thaw() == one.next)
        #expect(one.next == realm.objects(OptionalIntKey.self).first { $0.id == nil })
        #expect(one.next?.hashValue == one.next?.hashValue)
        #expect(realm.objects(OptionalIntKey.self).where { $0.next.id == nil }.count == 2)
        try realm.write { realm.delete(realm.objects(OptionalIntKey.self).where { $0.id == nil }) }
        #expect(one.next == nil)
    }

    @Test("A second nil key, or a change to the key, stops the program")
    func taken() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([OptionalIntKey.self])
            try realm.write {
                realm.add(OptionalIntKey())
                realm.add(OptionalIntKey())
            }
        }.says("has an object with id null already", "update: .modified")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([OptionalIntKey.self])
            try realm.write {
                realm.create(OptionalIntKey.self)
                realm.create(OptionalIntKey.self)
            }
        }.says("has an object with id null already", "update: .modified")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([OptionalIntKey.self])
            try realm.write { realm.create(OptionalIntKey.self).id = 1 }
        }.says("the primary key id of OptionalIntKey cannot be changed", "make another object")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Person.self])
            _ = realm.object(ofType: Person.self, forPrimaryKey: nil as Int?)
        }.says("Optional<Int> is not the type of the primary key id of Person")
    }

    @Test("An optional key and a required key are different types")
    func mismatch() throws {
        let test = TestRealm([RequiredKeys.OptionalIntKey.self])
        _ = try test.open()
        var configuration = test.configuration
        configuration.objectTypes = [OptionalIntKey.self]
        let error = #expect(throws: Realm.Error.self) {
            _ = try Realm(configuration: configuration)
        }
        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message.contains("Property 'OptionalIntKey.id' has been made optional.") == true)
    }
}
