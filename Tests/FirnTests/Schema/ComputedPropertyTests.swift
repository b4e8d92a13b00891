// `ObjectSchema.properties` listed the inverses of a class among its stored properties. In Realm
// `properties` has only stored ones; an inverse is found by its name only, and is in the
// description.

import Firn
import Testing

@Suite("Inverses in a schema")
struct ComputedPropertyTests {
    @Test("An inverse is not listed in the properties of a schema, but is found by name")
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
