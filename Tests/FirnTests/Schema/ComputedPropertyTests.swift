// `ObjectSchema.properties` listed the inverses of a class between its stored properties. In Realm
// `properties` has what is stored; an inverse is only found by its name, and in the description.

import Firn
import Testing

@Suite("An inverse")
struct ComputedPropertyTests {
    @Test("is none of the properties of a schema, and is found by its name")
    func inverse() throws {
        let realm = try citizenRealm()
        let schema = try #require(realm.schema["Hound"])
        #expect(schema.properties.map(\.name) == ["name", "age", "weight"])
        #expect(schema["owners"]?.type == .linkingObjects)
        #expect(schema["owners"]?.objectClassName == "Citizen")
        #expect(schema.description.contains("owners {"))
        #expect(Hound("Rex").objectSchema == schema)
        #expect(Hound("Rex").objectSchema.properties.map(\.name) == ["name", "age", "weight"])
        try realm.write { realm.add(Hound("Rex")) }
        let dynamic = try #require(realm.dynamicObjects("Hound").first)
        #expect(dynamic.objectSchema.properties.map(\.name) == ["name", "age", "weight"])
    }
}
