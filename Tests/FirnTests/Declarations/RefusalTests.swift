// Programming errors that no other test provokes, each with the parts of its message that name the
// remedy.

import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

private enum NoCases: String, PersistableEnum {
    case one
    static var allCases: [NoCases] { [] }
}

private final class HasNoCases: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var kind: NoCases
}

private final class HasNamelessInverse: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var other: HasNamelessInverse?
    @Persisted var owners: LinkingObjects<HasNamelessInverse>
}

private struct Even: FailableCustomPersistable {
    var number: Int
    init?(persistedValue: Int) {
        guard persistedValue % 2 == 0 else { return nil }
        number = persistedValue
    }
    var persistableValue: Int { number }
}

/// Two classes for the same class of a file.
private enum Numbers {
    final class Every: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func _realmObjectName() -> String? { "Number" }
        @Persisted var number = 0
    }

    final class OnlyEven: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func _realmObjectName() -> String? { "Number" }
        @Persisted var number: Even
    }
}

private final class CapsProjection: Projection<Citizen> {
    @Projected(\Citizen.fullName) var fullName
    @Projected(\Citizen.friends.projectTo.fullName) var names: ProjectedCollection<String>
}

@Suite("Programming errors that the documentation names")
struct RefusalTests {
    @Test("Objects are found and deleted only where that is possible")
    func objects() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(HomeProjection.self)
        }.says("Home is embedded: its objects are only found in those that have them")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().dynamicObjects("Home")
        }.says("Home is embedded: its objects are only found and made in those that have them")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().object(ofType: Citizen.self, forPrimaryKey: "Ann")
        }.says("Citizen has no primary key: find its objects with filter() or where { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().object(ofType: Hound.self, forPrimaryKey: 7)
        }.says("Int is not the type of the primary key name of Hound")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Hound("Rex")) }
            try realm.write { realm.delete(Hound("Rex")) }
        }.says("only objects of this realm can be deleted from it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Hound("Rex").thaw()
        }.says("an unmanaged object cannot be thawed")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            realm.objects(Citizen.self).freeze()[0].age = 3
        }.says("cannot set Citizen.age: the object or realm is frozen; call thaw() first")
    }

    @Test("Dynamic objects have only the properties of their class")
    func dynamicObjects() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Hound("Rex")) }
            try realm.write { realm.dynamicObjects("Hound")[0]["owners"] = [Citizen]() }
        }.says("Hound.owners cannot be set: change the property that it is the inverse of")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let marks: List<String> = realm.objects(Citizen.self)[0].dynamicList("marks")
            _ = marks
        }.says("Citizen.marks is a List<Int> and no List<String>")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let age: List<DynamicObject> = realm.objects(Citizen.self)[0].dynamicList("age")
            _ = age
        }.says("Citizen.age is not a list of objects, it is Int: read it with object[\"age\"]")
    }

    @Test("Queries accept only conditions and arguments that a property can have")
    func queries() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).filter("age > %@", [1: 2])
        }.says("cannot be an argument of a query: give a value that a property can have")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).filter("spouse == %@", Ledger())
        }.says("an argument of a query is a Ledger, a class that the realm does not have")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Hound>().filter("age > 3")
        }.says("needs a collection that is in a realm: add the object that has it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let born: NSNumber? = realm.objects(Citizen.self).max(ofProperty: "born")
            _ = born
        }.says("the aggregate is a date and no number: ask for its own type")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self).value(forKeyPath: "@unionOfArrays.age")
        }.says("is not a collection: use @unionOfObjects for single values")
    }

    @Test("Observing something that cannot change stops the program")
    func observing() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self).freeze().observe { _ in }
        }.says("observe() of a frozen", "which never changes: thaw() it first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self).observe(keyPaths: ["age.years"]) { _ in }
        }.says("Citizen.age is not a link to objects, and \"age.years\" cannot continue after it")
    }

    @Test("A projected property can be set only if its key path is writable")
    func projections() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let shown = realm.objects(CapsProjection.self)[0]
            try realm.write { shown.fullName = "x" }
        }.says("CapsProjection.fullName can only be read, because it shows Citizen.firstName and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { realm in
                let ann = Citizen("Ann")
                ann.friends.append(Citizen("Bob"))
                realm.add(ann)
            }
            let shown = realm.objects(CapsProjection.self)[0]
            try realm.write { shown.names[0] = "x" }
        }.says("can only be read: set the property of the object")
    }

    @Test("Custom types and enumerations must have a value for what is stored")
    func customTypes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HasNoCases().kind
        }.says("NoCases has no cases in allCases: add one, give the property an initial value")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm([Numbers.Every.self])
            do {
                let realm = try test.open()
                try realm.write { realm.add(Numbers.Every(value: [3])) }
            }
            var configuration = test.configuration
            configuration.objectTypes = [Numbers.OnlyEven.self]
            _ = try Realm(configuration: configuration).objects(Numbers.OnlyEven.self)[0].number
        }.says("3 is not of type Even: make what holds it optional, to read nil then")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try TestRealm([HasNamelessInverse.self]).open()
        }.says("HasNamelessInverse.owners", "@Persisted(originProperty: \"...\")")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Decimal128(value: "twelve")
        }.says("\"twelve\" cannot be a Decimal128: pass a number or a text like")
    }

    @Test("A migration can be used only in its block")
    func migrations() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = MigratedFile()
            try file.writeFirst()
            nonisolated(unsafe) var kept: Migration?
            _ = try file.open(Contacts1.types, 2) { migration, _ in kept = migration }
            kept?.enumerateObjects(ofType: "Contact") { _, _ in }
        }.says("a migration cannot be used after its block has returned")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = MigratedFile()
            try file.writeFirst()
            _ = try file.open(Contacts1.types, 2) { migration, _ in
                migration.enumerateObjects(ofType: "Contact") { _, _ in
                    migration.renameProperty(onType: "Contact", from: "first", to: "last")
                }
            }
        }.says("renameProperty() in the block of enumerateObjects(): call it before or after")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = MigratedFile()
            try file.writeFirst()
            _ = try file.open(Contacts1.types, 2) { migration, _ in
                try migration.create("Place").realm?.commitWrite()
            }
        }.says("the transaction of a migration ends after its block: throw an error to give it up")
    }
}
