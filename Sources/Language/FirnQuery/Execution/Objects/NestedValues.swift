import FirnCodec
import FirnEngine
import FirnValues

/// The values reached inside the values of an Any property, or inside collections of Any.
///
/// The path leads into lists and maps, and through links to properties of the linked objects. In
/// `any.a`, `a` is a key of a map or a property of whatever class the object has; `length` of a
/// String or Data is its length in bytes.
struct NestedValues {
    /// The row position of each value, ascending.
    private(set) var positions: [UInt32] = []
    private(set) var values: ColumnVector

    /// Evaluates the inner path for each value of a vector.
    ///
    /// - Parameters:
    ///   - inner: the path inside the values. `[*]` and `@keys` yield any number of values; every
    ///     other step yields one, which is null if the path does not exist.
    ///   - kind: the kind of the values: any, or string if the path yields keys.
    ///   - classes: the classes in which linked objects are found.
    init(
        _ outer: ColumnVector, _ inner: [BoundPath.Inner], kind: ValueTag,
        _ classes: OpenedClasses
    ) throws(StoreError) {
        values = ColumnVector(kind: kind)
        for row in 0..<outer.count {
            for value in try Self.values(in: outer.value(at: row), inner[...], classes) {
                positions.append(UInt32(truncatingIfNeeded: row))
                values.append(value)
            }
        }
    }

    /// The recursion is bounded, because collections that are nested too deeply are rejected when
    /// they are stored.
    private static func values(
        in value: Value, _ inner: ArraySlice<BoundPath.Inner>, _ classes: OpenedClasses
    ) throws(StoreError) -> [Value] {
        guard let step = inner.first else { return [value] }
        let rest = inner.dropFirst()
        func all(_ elements: [Value]) throws(StoreError) -> [Value] {
            var found: [Value] = []
            for element in elements { found += try values(in: element, rest, classes) }
            return found
        }
        func one(_ value: Value?) throws(StoreError) -> [Value] {
            try values(in: value ?? .null, rest, classes)
        }
        switch (step, value) {
        case (.all, .list(let elements)), (.all, .set(let elements)): return try all(elements)
        case (.all, .map(let entries)):
            return try all(keys(of: entries).map { entries[$0] ?? .null })
        case (.keys, .map(let entries)): return keys(of: entries).map { .string($0) }
        case (.all, _), (.keys, _): return []
        case (.index(let index), .list(let elements)) where elements.indices.contains(index):
            return try one(elements[index])
        case (.first, .list(let elements)): return try one(elements.first)
        case (.last, .list(let elements)): return try one(elements.last)
        case (.key(let key), .map(let entries)):
            return try one(entries.first { $0.key == key }?.value)
        case (.key("length"), .string(let text)): return try one(.int(Int64(text.utf8.count)))
        case (.key("length"), .data(let bytes)): return try one(.int(Int64(bytes.count)))
        case (.key(let name), .link(let reference)):
            return try one(try property(name, of: reference, classes))
        case (.objectKey(let schema, let key), .link(let reference))
        where reference.classID == schema.id:
            return try one(
                try classes.table(schema).pick([reference.rowID]).values(of: key).first)
        default: return try one(nil)
        }
    }

    /// Returns the value of a property of an object.
    ///
    /// The result is `nil` if the class has no property of that name, or if the object no longer
    /// exists.
    private static func property(
        _ name: String, of reference: ObjectReference, _ classes: OpenedClasses
    ) throws(StoreError) -> Value? {
        guard let schema = classes.snapshot.schema[reference.classID],
            let property = schema.propertyNamed(name)
        else { return nil }
        return try classes.table(schema).pick([reference.rowID]).values(of: property).first
    }

    private static func keys(of entries: TextMap<Value>) -> [String] {
        entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
