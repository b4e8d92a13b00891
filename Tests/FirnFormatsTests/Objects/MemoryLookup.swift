import FirnCodec
import FirnEngine
import FirnValues

@testable import FirnFormats

/// Objects in memory that count their look-ups.
final class MemoryLookup: ObjectLookup {
    let schema: Schema
    var objects: [ClassID: [RowID: [Value]]] = [:]
    private(set) var calls = 0

    init(_ schema: Schema) { self.schema = schema }

    func column(
        _ property: PropertySchema, of schema: ClassSchema, rows: [RowID]
    ) throws(StoreError) -> ColumnVector {
        calls += 1
        precondition(rows == Array(Set(rows)).sorted(), "ascending and distinct")
        var vector = ColumnVector(of: property.type)
        let place = schema.index(of: property.id) ?? 0
        for row in rows { vector.append(objects[schema.id]?[row]?[place] ?? .null) }
        return vector
    }
}

/// Dogs with a key, houses without one, addresses embedded in people.
enum SampleObjects {
    static let dog = ClassID(0)
    static let house = ClassID(1)
    static let address = ClassID(2)
    static let tag = ClassID(3)

    static let schema = Schema(classes: [
        ClassSchema(
            id: dog, name: "Dog",
            properties: [
                property(0, "name", PropertyType(.string)),
                property(1, "friend", link(dog)), property(2, "home", link(house)),
            ], key: PropertyID(0)),
        ClassSchema(
            id: house, name: "House",
            properties: [
                property(0, "dogs", PropertyType(.link, container: .list, target: dog)),
                property(1, "at", link(address)),
            ], key: nil),
        ClassSchema(
            id: address, name: "Address",
            properties: [
                property(0, "city", PropertyType(.string, isOptional: true)),
                property(1, "since", PropertyType(.date), .dateOnly),
            ], key: nil, isEmbedded: true),
        ClassSchema(
            id: tag, name: "Tag",
            properties: [property(0, "id", PropertyType(.uuid, isOptional: true))],
            key: PropertyID(0)),
    ])

    static func link(_ target: ClassID) -> PropertyType {
        PropertyType(.link, isOptional: true, target: target)
    }

    static func reference(_ id: ClassID, _ row: UInt64) -> Value {
        .link(ObjectReference(classID: id, rowID: RowID(row)))
    }

    private static func property(
        _ id: UInt32, _ name: String, _ type: PropertyType, _ display: DisplayForm? = nil
    ) -> PropertySchema {
        PropertySchema(id: PropertyID(id), name: name, type: type, display: display)
    }

    /// Rex lives in house 7 and is his own friend's friend.
    static func lookup() -> MemoryLookup {
        let lookup = MemoryLookup(schema)
        lookup.objects[dog] = [
            RowID(0): [.string("Rex"), reference(dog, 1), reference(house, 7)],
            RowID(1): [.string("A\"b"), reference(dog, 0), .null],
        ]
        lookup.objects[house] = [
            RowID(7): [.list([reference(dog, 0), reference(dog, 1)]), reference(address, 3)]
        ]
        lookup.objects[address] = [
            RowID(3): [.string("Oslo"), .date(Timestamp(seconds: 86_400))]
        ]
        lookup.objects[tag] = [
            RowID(0): [.uuid(UUID(high: 0, low: 1))], RowID(1): [.null],
        ]
        return lookup
    }
}
