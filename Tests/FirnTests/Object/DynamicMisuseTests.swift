import Firn
import Foundation
import Testing

/// Passes a realm and an object of it to the body, with a class known only from the file.
private func withPet(_ body: (Realm, DynamicObject) throws -> Void) throws {
    let realm = try makeRealm([Household.self])
    try realm.write { _ = realm.dynamicCreate("Pet", value: ["Rex", 4]) }
    try body(realm, realm.dynamicObjects("Pet")[0])
}

@Suite("Misuse of dynamic objects")
struct DynamicMisuseTests {
    @Test("Reading a property of an unmanaged dynamic object stops the program")
    func unmanaged() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DynamicObject()["name"]
        }.says("a DynamicObject that is in no realm has no properties: use dynamicCreate()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DynamicObject().name = "Rex"
        }.says("a DynamicObject that is in no realm has no properties: use dynamicCreate()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DynamicObject().dynamicList("pets")
        }.says("dynamic collections are for objects of a realm: add the object first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DynamicObject(value: ["name": "Rex"]).name
        }.says("a DynamicObject that is in no realm has no properties: use dynamicCreate()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DynamicObject().freeze()
        }.says("an unmanaged object cannot be frozen: add it to a realm first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DynamicObject().observe { _ in }
        }.says("observe() of a DynamicObject that is in no realm: add it first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { realm, pet in
                try realm.write {
                    let berg = realm.dynamicCreate("Household", value: ["name": "Berg"])
                    berg.dynamicList("pets").append(DynamicObject())
                }
            }
        }.says("a DynamicObject is of no class of its own: use dynamicCreate()")
    }

    @Test("Reading a collection that does not exist, or without a realm, stops the program")
    func collections() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Household().dynamicMutableSet("rivals")
        }.says("dynamic collections are for objects of a realm: add the object first")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { _, pet in _ = pet.dynamicList("toys") }
        }.says("Pet has no persisted property named toys: it has name, age, homes")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { _, pet in
                let _: Map<String, DynamicObject?> = pet.dynamicMap("name")
            }
        }.says("Pet.name is not a map of objects, it is String: read it with object[\"name\"]")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { _, pet in _ = pet.dynamicList("homes") }
        }.says(
            "Pet.homes is not a list of objects, it is an inverse: read it with object[\"homes\"]")
    }

    @Test("Using a dynamic object that was deleted or invalidated stops the program")
    func gone() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { realm, pet in
                realm.invalidate()
                try realm.write { pet.name = "Fia" }
            }
        }.says("this DynamicObject has been deleted, or its realm was invalidated: ask")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { realm, pet in
                realm.invalidate()
                _ = pet.name
            }
        }.says("this DynamicObject has been deleted, or its realm was invalidated: ask")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { realm, pet in
                try realm.write {
                    realm.delete(pet)
                    pet.name = "Fia"
                }
            }
        }.says("this DynamicObject has been deleted, or its realm was invalidated: ask")
    }

    @Test("Changing a dynamic object outside of a write transaction stops the program")
    func outside() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPet { _, pet in pet.name = "Fia" }
        }.says("cannot set Pet.name outside of a write transaction: do it in realm.write { }")
    }
}
