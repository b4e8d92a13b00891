import Firn
import Foundation
import Testing

@Suite("The schema of a realm")
struct SchemaTests {
    @Test("The schema has the classes with their declared properties")
    func classes() throws {
        let realm = try makeRealm([Household.self])
        let schema = realm.schema
        #expect(schema.objectSchema.map(\.className) == ["Household", "Pet", "Seat"])
        #expect(schema["House"] == nil)
        let household = try #require(schema["Household"])
        #expect(household.objectClass == Household.self && !household.isEmbedded)
        #expect(Seat.isEmbedded())
        #expect(!household.isAsymmetric && schema["Seat"]?.isEmbedded == true)
        #expect(household.primaryKeyProperty?.name == "name")
        #expect(schema["Pet"]?.primaryKeyProperty == nil && household["income2"] == nil)
        #expect(
            household.properties.map(\.name) == [
                "name", "size", "income", "founded", "code", "limit", "anything", "seat", "seats",
                "pets", "rivals", "favourites", "marks", "tags", "scores",
            ])
        #expect(
            household.properties.map(\.type) == [
                .string, .int, .double, .date, .UUID, .decimal128, .any, .object, .object, .object,
                .object, .object, .int, .string, .double,
            ])
    }

    @Test("A property has its attributes in the schema")
    func properties() throws {
        let schema = try makeRealm([Household.self]).schema
        func names(_ condition: (Property) -> Bool) -> [String] {
            schema["Household"]?.properties.filter(condition).map(\.name) ?? []
        }
        #expect(names(\.isIndexed) == ["name", "size"])
        #expect(
            names(\.isOptional) == [
                "income", "founded", "anything", "seat", "favourites", "marks",
            ])
        #expect(names(\.isArray) == ["seats", "pets", "marks"])
        #expect(names(\.isSet) == ["rivals", "tags"])
        #expect(names(\.isMap) == ["favourites", "scores"])
        #expect(names { $0.objectClassName == "Pet" } == ["pets", "favourites"])
        #expect(schema["Household"]?["size"]?.columnName == "member_count")
        let homes = schema["Pet"]?["homes"]
        #expect(homes?.type == .linkingObjects && homes?.objectClassName == "Household")
        #expect(homes?.isArray == true)
    }

    @Test("The schema is the same for managed and unmanaged objects")
    func objects() throws {
        let realm = try makeRealm([Household.self])
        let own = Household().objectSchema
        #expect(own == realm.schema["Household"])
        #expect(Seat().objectSchema == realm.schema["Seat"])
        #expect(own != Pet().objectSchema)
        try realm.write {
            let pet = realm.create(Pet.self)
            #expect(pet.objectSchema == realm.schema["Pet"])
            #expect(realm.dynamicObjects("Pet").first?.objectSchema == pet.objectSchema)
            for property in pet.objectSchema.properties { _ = pet[property.name] }
        }
        #expect(try realm.schema == makeRealm([Household.self]).schema)
        #expect(try realm.schema != makeRealm([Toy.self]).schema)
    }

    @Test("Columns that exist only in the file follow the columns of the program")
    func otherColumns() throws {
        let test = TestRealm([After.Task.self])
        _ = try test.open()
        var configuration = test.configuration
        configuration.objectTypes = [Before.Task.self]
        let realm = try Realm(configuration: configuration)
        let task = try #require(realm.schema["Task"])
        #expect(task.properties.map(\.name) == ["id", "title", "priority", "tags", "next"])
        try realm.write {
            let typed = realm.create(Before.Task.self, value: [1, "write"])
            #expect(typed.objectSchema.properties.map(\.name) == ["id", "title"])
            let dynamic = realm.dynamicObjects("Task")[0]
            #expect(dynamic.priority as? Int == 0)
            #expect(dynamic.objectSchema == task)
        }
    }

    /// A property that is neither a collection nor optional, as in the description of a schema.
    private func text(_ name: String, _ type: String, isKey: Bool) -> String {
        let answer = isKey ? "YES" : "NO"
        let facts = [
            "type = \(type)", "columnName = \(name)", "indexed = \(answer)",
            "isPrimary = \(answer)", "array = NO", "set = NO", "dictionary = NO", "optional = NO",
        ]
        return "\t\t\(name) {\n" + facts.map { "\t\t\t\($0);\n" }.joined() + "\t\t}\n"
    }

    @Test("The description of a schema has braces and tabs")
    func description() throws {
        let schema = try makeRealm([Toy.self]).schema
        let properties = text("id", "int", isKey: true) + text("name", "string", isKey: false)
        #expect(schema.description == "Schema {\n\tToy {\n" + properties + "\t}\n}")
        let homes = Pet().objectSchema["homes"]
        #expect(homes?.description.contains("linkOriginPropertyName = pets;") == true)
        #expect(homes?.description.contains("objectClassName = Household;") == true)
        let seat = Household().objectSchema["seat"]?.description
        #expect(seat?.contains("linkOriginPropertyName = (null);\n") == true)
    }

    @Test("The raw values of types are the same as in Realm")
    func types() {
        let types: [PropertyType] = [
            .int, .bool, .string, .data, .date, .float, .double, .object, .linkingObjects, .any,
            .objectId, .decimal128, .UUID,
        ]
        #expect(types.map(\.rawValue) == Array(0...12))
        #expect("\(PropertyType.linkingObjects) \(PropertyType.any)" == "linking objects mixed")
    }
}
