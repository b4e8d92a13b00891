import Firn
import Testing

@Suite("Migrations of embedded objects")
struct EmbeddingMigrationTests {
    /// Ann has a home that is also one of her places and one of Bob's; nobody has "Rome".
    private func write(_ file: MigratedFile) throws {
        let realm = try file.open(Contacts1.types, 1)
        try realm.write {
            let bern = realm.create(
                Contacts1.Place.self,
                value: ["city": "Bern", "rooms": [["name": "hall"], ["name": "den"]]])
            realm.create(Contacts1.Place.self, value: ["city": "Rome"])
            let oslo = realm.create(
                Contacts1.Place.self, value: ["city": "Oslo", "rooms": bern.rooms])
            realm.create(
                Contacts1.Contact.self,
                value: ["id": 1, "first": "Ann", "home": bern, "places": [bern, oslo, bern]]
                    as [String: Any])
            realm.create(
                Contacts1.Contact.self, value: ["id": 2, "first": "Bob", "places": [bern]])
        }
    }

    @Test("Each parent gets a copy of a shared object, and objects without a parent are deleted")
    func sharing() throws {
        let file = MigratedFile()
        try write(file)
        do {
            let realm = try file.open(Contacts3.types, 2)
            let ann = try #require(
                realm.object(ofType: Contacts3.Contact.self, forPrimaryKey: 1))
            let bob = try #require(
                realm.object(ofType: Contacts3.Contact.self, forPrimaryKey: 2))
            #expect(ann.home?.city == "Bern")
            #expect(ann.places.map(\.city) == ["Bern", "Oslo", "Bern"])
            #expect(bob.places.map(\.city) == ["Bern"])
            for place in [ann.home, bob.places.first] + ann.places.map(Optional.some) {
                #expect(place?.rooms.map(\.name) == ["hall", "den"])
            }
            try realm.write { realm.delete(bob) }
            #expect(ann.places.map(\.city) == ["Bern", "Oslo", "Bern"])
            try realm.write { ann.places.removeAll() }
            #expect(ann.home?.rooms.count == 2)
        }
        try file.verify()
    }

    @Test("A block sees top-level objects, and can give each parent its own object")
    func inBlock() throws {
        let file = MigratedFile()
        try write(file)
        do {
            let realm = try file.open(Contacts3.types, 2) { migration, _ in
                migration.enumerateObjects(ofType: "Contact") { old, new in
                    guard old?["id"] as? Int == 2 else { return }
                    let place = migration.create("Place", value: ["city": "Lima"])
                    new?["home"] = place
                    new?["places"] = []
                }
            }
            let bob = try #require(
                realm.object(ofType: Contacts3.Contact.self, forPrimaryKey: 2))
            #expect(bob.home?.city == "Lima" && bob.places.isEmpty)
        }
        try file.verify()
    }

    @Test("Embedded objects become top-level objects, and their parents still link to them")
    func releasing() throws {
        let file = MigratedFile()
        do {
            let realm = try file.open(Contacts3.types, 1)
            try realm.write {
                realm.create(
                    Contacts3.Contact.self,
                    value: ["id": 1, "home": ["city": "Bern", "rooms": [["name": "hall"]]]]
                        as [String: Any])
            }
        }
        do {
            let realm = try file.open(Contacts1.types, 2)
            let contact = try #require(realm.objects(Contacts1.Contact.self).first)
            #expect(contact.home?.city == "Bern")
            #expect(realm.objects(Contacts1.Room.self).map(\.name) == ["hall"])
            try realm.write { realm.delete(contact) }
            #expect(realm.objects(Contacts1.Place.self).map(\.city) == ["Bern"])
        }
        try file.verify()
    }

    @Test("A link in a value of type Any prevents a class from becoming embedded")
    func linkInAny() throws {
        let file = MigratedFile()
        do {
            let realm = try file.open([Mixed.Holder.self, Mixed.Top.Thing.self], 1)
            try realm.write {
                let thing = realm.create(Mixed.Top.Thing.self, value: ["name": "x"])
                realm.add(Mixed.Holder(value: [AnyRealmValue.object(thing), thing] as [Any]))
            }
        }
        let error = #expect(throws: Realm.Error.self) {
            try file.open([Mixed.Below.Holder.self], 2)
        }
        #expect(error?.message.contains("'Thing' cannot be embedded") == true)
        #expect(error?.message.contains("Holder.anything") == true)
        let realm = try file.open([Mixed.Holder.self, Mixed.Top.Thing.self], 1)
        #expect(realm.objects(Mixed.Top.Thing.self).count == 1)
    }
}

private enum Mixed {
    class Holder: MigratedObject {
        @Persisted var anything = AnyRealmValue.none
        @Persisted var thing: Top.Thing?
    }

    enum Top {
        class Thing: MigratedObject { @Persisted var name = "" }
    }

    enum Below {
        class Holder: MigratedObject {
            @Persisted var anything = AnyRealmValue.none
            @Persisted var thing: Thing?
        }

        class Thing: EmbeddedObject {
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
            @Persisted var name = ""
        }
    }
}
