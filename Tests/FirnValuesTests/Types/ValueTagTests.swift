import FirnValues
import Testing

@Suite("Value tags and property types")
struct ValueTagTests {
    @Test("The numbers of the file format never change")
    func numbers() {
        let fixed: [(ValueTag, UInt8, String)] = [
            (.null, 0, "null"), (.bool, 1, "Bool"), (.int, 2, "Int"), (.double, 3, "Double"),
            (.string, 4, "String"), (.data, 5, "Data"), (.date, 6, "Date"),
            (.decimal128, 7, "Decimal128"), (.objectID, 8, "ObjectId"), (.uuid, 9, "UUID"),
            (.link, 10, "Link"), (.float, 11, "Float"), (.list, 12, "List"), (.set, 13, "Set"),
            (.map, 14, "Map"), (.any, 15, "Any"),
        ]
        #expect(ValueTag.allCases.count == fixed.count)
        for (tag, number, name) in fixed {
            #expect(tag.rawValue == number)
            #expect(tag.name == name)
            #expect(ValueTag(rawValue: number) == tag)
        }
        #expect(ValueTag(rawValue: 16) == nil)
        let containers: [(PropertyType.Container, UInt8)] = [
            (.single, 0), (.list, 1), (.set, 2), (.map, 3),
        ]
        for (container, number) in containers { #expect(container.rawValue == number) }
    }

    @Test("Every value has its tag")
    func tags() {
        let values: [Value] = [
            .null, .bool(true), .int(0), .double(0), .string(""), .data([]),
            .date(Timestamp(seconds: 0)), .decimal128(.nan), .objectID(ObjectID(high: 0, low: 0)),
            .uuid(UUID(high: 0, low: 0)),
            .link(ObjectReference(classID: ClassID(0), rowID: RowID(0))), .float(0), .list([]),
            .set([]), .map([:]),
        ]
        #expect(values.map(\.tag.rawValue) == Array(0...14))
    }

    @Test(
        "Scalar types are parsed by name in any letter case",
        arguments: [
            ("Int", PropertyType(.int)), ("string?", PropertyType(.string, isOptional: true)),
            ("OBJECTID", PropertyType(.objectID)), ("any", PropertyType(.any, isOptional: true)),
            ("int16?", PropertyType(.int, isOptional: true, integerWidth: .bits16)),
            ("Int64", PropertyType(.int)),
            ("Decimal128?", PropertyType(.decimal128, isOptional: true)),
        ])
    func scalarNames(name: String, type: PropertyType) {
        #expect(PropertyType(scalarNamed: name) == type)
        #expect(PropertyType(scalarNamed: type.name) == type)
    }

    @Test(
        "Other names are not scalar types", arguments: ["", "?", "Link", "List", "null", "Int??"])
    func otherNames(name: String) {
        #expect(PropertyType(scalarNamed: name) == nil)
    }

    @Test("Collection types have names, too")
    func collectionNames() {
        #expect(PropertyType(.int, container: .list).name == "List<Int>")
        #expect(PropertyType(.string, isOptional: true, container: .set).name == "Set<String?>")
        #expect(PropertyType(.double, container: .map).name == "Map<Double>")
    }

    @Test("The last version has no next version")
    func versions() {
        #expect(LSN.zero.next == LSN(1))
        #expect(LSN(.max).next == nil)
        #expect(RowID(1) < RowID(2) && ClassID(1) < ClassID(2) && PropertyID(1) < PropertyID(2))
    }
}
