import Firn
import FirnEngine
import FirnTesting
import Foundation
import Testing

/// One class of the file with its inverse, in several versions.
enum Kennel {
    class Model: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    enum First {
        class Owner: Model {
            override class func className() -> String { "KennelOwner" }
            @Persisted var name = ""
        }

        class Beast: Model {
            override class func className() -> String { "KennelBeast" }
            @Persisted var name = ""
        }
    }

    enum Pets {
        class Owner: Model {
            override class func className() -> String { "KennelOwner" }
            @Persisted var name = ""
            @Persisted var pets: List<Beast>
        }

        class Beast: Model {
            override class func className() -> String { "KennelBeast" }
            @Persisted var name = ""
            @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
        }
    }

    enum Dogs {
        class Owner: Model {
            override class func className() -> String { "KennelOwner" }
            @Persisted var name = ""
            @Persisted var dogs: List<Beast>
        }

        class Beast: Model {
            override class func className() -> String { "KennelBeast" }
            @Persisted var name = ""
            @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>
        }
    }

    enum Shelters {
        class Owner: Model {
            override class func className() -> String { "KennelOwner" }
            @Persisted var name = ""
            @Persisted var pets: List<Beast>
        }

        class Shelter: Model {
            override class func className() -> String { "KennelShelter" }
            @Persisted var city = ""
            @Persisted var pets: List<Beast>
        }

        class Beast: Model {
            override class func className() -> String { "KennelBeast" }
            @Persisted var name = ""
            @Persisted(originProperty: "pets") var owners: LinkingObjects<Shelter>
        }
    }

    /// The property has different names in the program and in the file.
    enum Mapped {
        class Owner: Model {
            override class func className() -> String { "KennelOwner" }
            override class func propertiesMapping() -> [String: String] { ["animals": "pets"] }
            @Persisted var name = ""
            @Persisted var animals: List<Beast>
        }

        class Beast: Model {
            override class func className() -> String { "KennelBeast" }
            @Persisted var name = ""
            @Persisted(originProperty: "animals") var owners: LinkingObjects<Owner>
        }
    }
}

@Suite("Inverses that change in the model")
struct InverseChangeTests {
    private func open(
        _ test: TestRealm, _ types: [Object.Type], readOnly: Bool = false
    ) throws -> Realm {
        var configuration = test.configuration
        configuration.objectTypes = types
        configuration.readOnly = readOnly
        return try Realm(configuration: configuration)
    }

    /// Creates a file in which Ann has Rex as a pet.
    private func makePets(_ test: TestRealm) throws {
        let realm = try open(test, [Kennel.Pets.Owner.self])
        try realm.write {
            realm.create(
                Kennel.Pets.Owner.self, value: ["name": "Ann", "pets": [["name": "Rex"]]])
        }
        #expect(realm.objects(Kennel.Pets.Beast.self)[0].owners.map(\.name) == ["Ann"])
    }

    /// The origin of the file was silently kept: with `pets` renamed to `dogs` in the model, the
    /// inverse remained that of `pets`, and always empty.
    @Test("An inverse follows the other property after a change to its origin")
    func otherProperty() throws {
        let test = TestRealm()
        try makePets(test)
        do {
            let realm = try open(test, [Kennel.Dogs.Owner.self])
            let rex = realm.objects(Kennel.Dogs.Beast.self)[0]
            #expect(rex.owners.isEmpty)
            try realm.write {
                realm.create(Kennel.Dogs.Owner.self, value: ["name": "Bob", "dogs": [rex]])
            }
            #expect(rex.owners.map(\.name) == ["Bob"])
            #expect(
                realm.objects(Kennel.Dogs.Beast.self).filter("owners.name == 'Bob'").count == 1)
        }
        // The existing links are unchanged: an inverse stores none.
        let realm = try open(test, [Kennel.Pets.Owner.self])
        #expect(realm.objects(Kennel.Pets.Beast.self)[0].owners.map(\.name) == ["Ann"])
    }

    /// Owners were read as shelters: rows of the class of the file as objects of the class of the
    /// model.
    @Test("An inverse follows the other class after a change to its origin")
    func otherClass() throws {
        let test = TestRealm()
        try makePets(test)
        let realm = try open(test, [Kennel.Shelters.Owner.self, Kennel.Shelters.Shelter.self])
        let rex = realm.objects(Kennel.Shelters.Beast.self)[0]
        #expect(rex.owners.isEmpty)
        try realm.write {
            realm.create(Kennel.Shelters.Shelter.self, value: ["city": "Bonn", "pets": [rex]])
        }
        #expect(rex.owners.map(\.city) == ["Bonn"])
    }

    @Test("An inverse is unchanged if only the program renames its property")
    func mappedProperty() throws {
        let test = TestRealm()
        try makePets(test)
        let realm = try open(test, [Kennel.Mapped.Owner.self], readOnly: true)
        #expect(realm.objects(Kennel.Mapped.Beast.self)[0].owners.map(\.name) == ["Ann"])
    }

    /// Classes are added in the order of their names, and the inverse came before its property:
    /// opening the file reported that a migration is needed.
    @Test("An inverse can be added in the same change as its origin")
    func newProperty() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, [Kennel.First.Owner.self, Kennel.First.Beast.self])
            try realm.write {
                realm.create(Kennel.First.Beast.self, value: ["name": "Rex"])
                realm.create(Kennel.First.Owner.self, value: ["name": "Ann"])
            }
        }
        let realm = try open(test, [Kennel.Pets.Owner.self])
        let rex = realm.objects(Kennel.Pets.Beast.self)[0]
        try realm.write { realm.objects(Kennel.Pets.Owner.self)[0].pets.append(rex) }
        #expect(rex.owners.map(\.name) == ["Ann"])
    }

    /// An inverse stores no data: it was an error before, although nothing is missing.
    @Test("An inverse follows the model even if the file is opened read-only", .tags(.difference))
    func readOnly() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, [Kennel.Shelters.Owner.self, Kennel.Shelters.Shelter.self])
            try realm.write {
                realm.create(
                    Kennel.Shelters.Owner.self, value: ["name": "Ann", "pets": [["name": "Rex"]]])
            }
            #expect(realm.objects(Kennel.Shelters.Beast.self)[0].owners.isEmpty)
        }
        let realm = try open(test, [Kennel.Pets.Owner.self], readOnly: true)
        #expect(realm.objects(Kennel.Pets.Beast.self)[0].owners.map(\.name) == ["Ann"])
        #expect(realm.objects(Kennel.Pets.Beast.self).filter("owners.name == 'Ann'").count == 1)
    }

    /// Another program with a different model removes the inverse while this one runs.
    @Test("Reading an inverse that was removed while the realm is open stops the program")
    func meanwhile() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm([Kennel.Shelters.Owner.self, Kennel.Shelters.Shelter.self])
            let realm = try test.open()
            let rex = try realm.write {
                realm.create(Kennel.Shelters.Beast.self, value: ["name": "Rex"])
            }
            var other = test.configuration
            other.objectTypes = [Kennel.Pets.Owner.self]
            let second = try Realm(configuration: other)
            second.refresh()
            _ = realm.objects(Kennel.Shelters.Beast.self)[0].owners.count
            _ = rex
        }.says("KennelBeast.owners has become the inverse of KennelOwner.pets")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm([Kennel.Pets.Owner.self])
            let realm = try test.open()
            try realm.write { _ = realm.create(Kennel.Pets.Beast.self, value: ["name": "Rex"]) }
            let store = try Store.open(test.folder("test.firn"), readOnly: false)
            let transaction = try store.beginWrite()
            let beast = try #require(transaction.schema.classNamed("KennelBeast"))
            try transaction.apply(.schema(.removeInverse(beast.id, "owners")))
            _ = try transaction.commit()
            realm.refresh()
            _ = realm.objects(Kennel.Pets.Beast.self)[0].owners.count
        }.says("KennelBeast.owners is the inverse of no property of this version", "again")
    }
}
