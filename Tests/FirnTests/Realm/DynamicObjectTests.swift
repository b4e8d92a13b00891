import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Dynamic objects")
struct DynamicObjectTests {
    private let realm: Realm

    init() throws {
        realm = try makeRealm([Household.self])
        try realm.write {
            realm.dynamicCreate(
                "Household",
                value: [
                    "name": "Berg", "size": 3, "income": 12.5, "anything": ["a": [1, "x"]],
                    "founded": Date(timeIntervalSince1970: 10), "seat": ["city": "Oslo"],
                    "seats": [["Bergen", "Main"], ["city": "Hamar"]],
                    "pets": [["name": "Rex", "age": 4], ["name": "Fia", "age": 9]],
                    "marks": [1, nil, 3] as [Int?], "tags": ["red", "blue"],
                    "scores": ["x": 1.5],
                ])
        }
    }

    private func berg() throws -> DynamicObject {
        try #require(realm.dynamicObject(ofType: "Household", forPrimaryKey: "Berg"))
    }

    @Test("A dynamic object returns values of the same types as a declared object")
    func reading() throws {
        let berg = try berg()
        #expect(berg["name"] as? String == "Berg" && berg.name as? String == "Berg")
        #expect(berg.size as? Int16 == 3 && berg["income"] as? Double == 12.5)
        #expect(berg.founded as? Date == Date(timeIntervalSince1970: 10))
        #expect(berg.limit as? Decimal128 == 0 && berg.code is UUID)
        #expect((berg.seat as? Seat)?.city == "Oslo", "of its class, which the program declares")
        #expect((berg.seat as? ObjectBase)?["street"] == nil)
        #expect((berg.marks as? List<Int?>).map { Array($0) } == [1, nil, 3])
        #expect((berg.tags as? MutableSet<String>)?.contains("red") == true)
        #expect((berg.scores as? Map<String, Double>)?["x"] == 1.5)
        #expect((berg.favourites as? Map<String, DynamicObject?>)?.count == 0)
        #expect((berg.rivals as? MutableSet<DynamicObject>)?.isEmpty == true)
        let anything = (berg.anything as? Map<String, AnyRealmValue>)?["a"]
        #expect(anything?.listValue.map { Array($0) } == [.int(1), .string("x")])
        let rex = try #require(berg.dynamicList("pets").first)
        #expect(rex.name as? String == "Rex")
        #expect((rex.homes as? LinkingObjects<DynamicObject>)?.first == berg)
    }

    @Test("A property of type Any returns the inner value or nil")
    func anyValues() throws {
        let realm = try ledgerRealm()
        let ledgers = realm.objects(Ledger.self)
        #expect(ledgers[0]["anything"] as? Int == 7)
        #expect(ledgers[2]["anything"] as? String == "text")
        #expect(realm.dynamicObjects("Ledger")[0].anything as? Int == 7)
        #expect(Ledger()["anything"] == nil)
        try realm.write { ledgers[0]["anything"] = 1.5 }
        #expect(ledgers[0].anything == .double(1.5))
    }

    @Test("A collection of values is found by its name")
    func valueCollections() throws {
        let berg = try berg()
        let marks: List<Int?> = berg.dynamicList("marks")
        #expect(Array(marks) == [1, nil, 3])
        let tags: MutableSet<String> = berg.dynamicMutableSet("tags")
        #expect(tags.contains("red"))
        let scores: Map<String, Double> = berg.dynamicMap("scores")
        #expect(scores["x"] == 1.5)
    }

    @Test("A dynamic object equals the object of the declared class")
    func typed() throws {
        let typed = try #require(realm.object(ofType: Household.self, forPrimaryKey: "Berg"))
        #expect(typed.size == 3 && typed.pets.map(\.name) == ["Rex", "Fia"])
        #expect(typed.seat?.city == "Oslo" && typed.seats.map(\.city) == ["Bergen", "Hamar"])
        #expect(try berg() == typed && berg().isSameObject(as: typed))
        #expect(typed.dynamicList("pets").map { $0["age"] as? Int } == [4, 9])
        try realm.write { typed.dynamicList("pets")[0]["age"] = 5 }
        #expect(typed.pets[0].age == 5)
    }

    @Test("Properties are set by name")
    func setting() throws {
        let berg = try berg()
        try realm.write {
            berg.income = nil
            berg["size"] = 4
            berg.seat = ["city": "Moss"]
            berg["seats"] = [["city": "Lom"]]
            berg.marks = [7]
            berg.tags = ["green"]
            berg.scores = ["y": 2]
            berg.anything = 5
            berg.name = "Berg"  // Unchanged.
            let ada = realm.dynamicCreate("Pet", value: ["name": "Ada"])
            berg.dynamicList("pets").append(ada)
            berg.dynamicMap("favourites")["first"] = ada
            berg.rivals = [["name": "Lie"]]
            berg.dynamicMutableSet("rivals").insert(berg)
        }
        let typed = try #require(realm.object(ofType: Household.self, forPrimaryKey: "Berg"))
        #expect(typed.income == nil && typed.size == 4 && typed.seat?.city == "Moss")
        #expect(typed.seats.map(\.city) == ["Lom"] && Array(typed.marks) == [7])
        #expect(Array(typed.tags) == ["green"] && typed.scores["y"] == 2)
        #expect(typed.anything == .int(5) && typed.pets.map(\.name) == ["Rex", "Fia", "Ada"])
        #expect(typed.favourites["first"]??.name == "Ada")
        #expect(Set(typed.rivals.map(\.name)) == ["Berg", "Lie"])
        try realm.write { berg.anything = berg.dynamicList("pets")[0] }
        #expect(typed.anything.object(Pet.self)?.name == "Rex")
        #expect(typed.anything.dynamicObject?.name as? String == "Rex")
    }

    @Test("Dynamic objects are found by filters, sorts and aggregates")
    func queries() throws {
        let pets = realm.dynamicObjects("Pet")
        #expect(pets.count == 2)
        #expect(pets.filter("age > 5").map { $0.name as? String } == ["Fia"])
        #expect(
            pets.sorted(byKeyPath: "name").map { $0.name as? String } == ["Fia", "Rex"])
        #expect(pets.filter("ANY homes.size == 3").count == 2)
        #expect(pets.max(ofProperty: "age") as Int? == 9)
        #expect(pets.value(forKey: "age") as? [Int] == [4, 9])
        #expect(pets.index(of: pets[1]) == 1)
        let households = realm.dynamicObjects("Household")
        #expect(households.filter("ANY pets == %@", pets[0]).count == 1)
        try realm.write { pets.setValue(1, forKey: "age") }
        #expect(pets.sum(ofProperty: "age") as Int == 2)
    }

    @Test("A dynamic object can be deleted, frozen, passed on and described like any other object")
    func life() throws {
        let berg = try berg()
        let frozen = berg.freeze()
        let reference = ThreadSafeReference(to: berg)
        #expect(realm.resolve(reference)?.name as? String == "Berg")
        let pets = realm.dynamicObjects("Pet")
        #expect("\(pets[0])".hasPrefix("Pet {\n\tname = Rex;\n\tage = 4;\n\thomes = "))
        try realm.write {
            realm.delete(pets.filter("name == 'Rex'"))
            realm.delete(berg)
        }
        #expect(berg.isInvalidated && pets.count == 1)
        #expect("\(berg)" == "Household (invalid)")
        #expect(frozen.name as? String == "Berg" && frozen.dynamicList("pets").count == 2)
        #expect(frozen.thaw() == nil)
    }

    @Test("A dynamic object can be updated by its primary key")
    func updating() throws {
        try realm.write {
            let berg = realm.dynamicCreate(
                "Household", value: ["name": "Berg", "size": 9], update: .modified)
            #expect(berg.income as? Double == 12.5 && berg.size as? Int16 == 9)
        }
        #expect(realm.objects(Household.self).count == 1)
    }

    @Test("A dynamic object is a value for objects of the declared class")
    func typedCreation() throws {
        let berg = try berg()
        try realm.write {
            let lie = realm.create(
                Household.self, value: ["name": "Lie", "pets": berg.dynamicList("pets")])
            #expect(lie.pets.map(\.name) == ["Rex", "Fia"] && lie.pets[0].homes.count == 2)
        }
    }

    @Test("A dynamic object can be copied from an object of another realm")
    func copying() throws {
        let other = try makeRealm([Household.self])
        let berg = try berg()
        try other.write {
            other.dynamicCreate("Household", value: berg)
            // Values and not objects: the second call finds the object of the first.
            other.dynamicCreate("Household", value: berg, update: .modified)
            let lie = other.dynamicCreate("Household", value: ["name": "Lie"])
            lie.dynamicMutableSet("rivals").insert(berg)
        }
        let copy = try #require(other.object(ofType: Household.self, forPrimaryKey: "Berg"))
        #expect(copy.size == 3 && copy.seat?.city == "Oslo" && copy.pets.map(\.age) == [4, 9])
        #expect(Array(copy.marks) == [1, nil, 3] && copy.scores["x"] == 1.5)
        #expect(other.objects(Household.self).count == 2)
        #expect(other.objects(Household.self).last?.rivals.first == copy)
    }

    @Test("An unknown property of a dynamic object stops the program")
    func misuse() async {
        let unknownClass = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Household.self]).dynamicObjects("House") }
        #expect(message(of: unknownClass).contains("no class House: it has Household, Pet, Seat"))
        let unknownProperty = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try onPet { _, pet in _ = pet["weight"] } }
        #expect(message(of: unknownProperty).contains("named weight: it has name, age, homes"))
        let otherType = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try onPet { _, pet in pet.age = "old" } }
        #expect(message(of: otherType).contains("old is not a value for Pet.age, which is Int"))
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { realm, _ in realm.dynamicCreate("Pet", value: ["weight": 3]) }
        }.says("Pet has no persisted property named weight: it has name, age,")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { realm, _ in realm.dynamicCreate("Household", value: ["size": 3]) }
        }.says("a Household needs a value for its primary key name")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { realm, _ in realm.dynamicCreate("Seat") }
        }.says("Seat is embedded: its objects are only found and made in")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { realm, _ in realm.dynamicCreate("Pet", update: .all) }
        }.says("Pet has no primary key to update by: leave update out")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { realm, _ in realm.add(DynamicObject()) }
        }.says("a DynamicObject is of no class of its own: use")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { _, pet in pet.homes = [DynamicObject]() }
        }.says("Pet.homes cannot be set: change the property that it is the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onPet { _, pet in _ = pet.dynamicList("name") }
        }.says("Pet.name is not a list of objects, it is String: read it with")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([Household.self]).dynamicObjects("Seat")
        }.says("Seat is embedded: its objects are only found and made in")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([Household.self]).dynamicCreate("Pet")
        }.says("dynamicCreate() outside of a write transaction: do it in")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Household.self])
            _ = realm.dynamicObject(ofType: "Household", forPrimaryKey: 3)
        }.says("Int is not the type of the primary key name of Household")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Household.self])
            try realm.write {
                let berg = realm.dynamicCreate("Household", value: ["name": "Berg"])
                berg.name = "Lie"
            }
        }.says("the primary key name of a Household cannot be changed once")
    }
}

/// Passes a realm and an object of it to the body in a transaction.
private func onPet(_ body: (Realm, DynamicObject) -> Void) throws {
    let realm = try makeRealm([Household.self])
    try realm.write { body(realm, realm.dynamicCreate("Pet", value: ["Rex", 4])) }
}
