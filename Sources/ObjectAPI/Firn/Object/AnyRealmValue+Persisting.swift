import FirnEngine
import FirnQuery
import FirnValues
import Foundation

extension AnyRealmValue: _SingleValue, RealmPropertyType {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = AnyRealmValue

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.any) }

    /// Returns `none`, the value of a property without an initial value.
    public static func _initial() -> AnyRealmValue { .none }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> AnyRealmValue {
        let stored = _StoredValue(object.read(index))
        guard stored.value.isNested, let access = object.access else {
            return _decode(stored, in: object.realmReference)
        }
        let root = NestedLocation(access.binding, access.row, index, [])
        return _decode(stored, in: _RealmReference(access.instance, root))
    }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> AnyRealmValue {
        switch stored.value {
        case .null: .none
        case .bool(let value): .bool(value)
        case .int(let value): .int(Int(value))
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .data(Data(value))
        case .date(let value): .date(Date(value))
        case .decimal128(let value): .decimal128(Decimal128(bits: value))
        case .objectID(let value): .objectId(ObjectId(bits: value))
        case .uuid(let value): .uuid(Foundation.UUID(value))
        case .link(let reference): .object(realm.instance.object(reference))
        case .list(let values), .set(let values): .list(list(values, realm))
        case .map(let entries): .dictionary(map(entries, realm))
        }
    }

    private static func list(
        _ values: [Value], _ realm: _RealmReference
    ) -> List<AnyRealmValue> {
        if let core = realm.nestedCore { return List(core) }
        return List(unmanaged: values.map { _decode(_StoredValue($0), in: realm) })
    }

    private static func map(
        _ entries: TextMap<Value>, _ realm: _RealmReference
    ) -> Map<String, AnyRealmValue> {
        if let core = realm.nestedCore { return Map(core) }
        return Map(unmanaged: entries.mapValues { _decode(_StoredValue($0), in: realm) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(encoded(links, depth: 0))
    }

    private func encoded(_ links: _LinkEncoder, depth: Int) -> Value {
        switch self {
        case .none: return .null
        case .int(let value): return .int(Int64(value))
        case .bool(let value): return .bool(value)
        case .float(let value): return .float(value)
        case .double(let value): return .double(value)
        case .string(let value): return .string(value)
        case .data(let value): return .data(Array(value))
        case .date(let value): return .date(Timestamp(value))
        case .object(let value): return links.link(to: value)
        case .objectId(let value): return .objectID(value.bits)
        case .decimal128(let value): return .decimal128(value.bits)
        case .uuid(let value): return .uuid(FirnValues.UUID(value))
        case .dictionary(let entries):
            AnyRealmValue.check(depth)
            return .map(entries.entries.mappingInOrder { $0.encoded(links, depth: depth + 1) })
        case .list(let elements):
            AnyRealmValue.check(depth)
            return .list(elements.map { $0.encoded(links, depth: depth + 1) })
        }
    }

    /// Stops the program if a value is nested too deeply.
    ///
    /// For example, a list may contain itself.
    static func check(_ depth: Int) {
        guard depth < NestedCore.depthMaximum else {
            misuse(
                "lists and dictionaries are nested more than \(NestedCore.depthMaximum) levels deep"
            )
        }
    }

    /// Converts a value of any storable type, or returns `nil` if the value cannot be stored.
    public static func _element(from value: Any) -> AnyRealmValue? {
        if let value = value as? AnyRealmValue { return value }
        if isNothing(value) { return AnyRealmValue.none }
        if let number = FoundationNumber(value) { return AnyRealmValue(number) }
        switch value {
        case let value as Bool: return .bool(value)
        case let value as any BinaryInteger: return Int(exactly: value).map { .int($0) }
        case let value as Float: return .float(value)
        case let value as Double: return .double(value)
        case let value as String: return .string(value)
        case let value as Data: return .data(value)
        case let value as Date: return .date(value)
        case let value as Object: return .object(value)
        case let value as ObjectId: return .objectId(value)
        case let value as Decimal128: return .decimal128(value)
        case let value as Foundation.UUID: return .uuid(value)
        default: break
        }
        if let map = Map<String, AnyRealmValue>._converted(value) { return .dictionary(map) }
        return List<AnyRealmValue>._converted(value).map { .list($0) }
    }
}

extension AnyRealmValue {
    /// - Returns: `nil` if the number is an integer that does not fit into Int.
    private init?(_ number: FoundationNumber) {
        switch number {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(Int(value))
        case .unsigned(let value):
            guard let value = Int(exactly: value) else { return nil }
            self = .int(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal128(value)
        }
    }
}

extension RealmInstance {
    /// Returns an object of the class that a link leads to.
    ///
    /// If the program does not declare the class, the object is dynamic.
    func object(_ reference: ObjectReference) -> Object {
        guard let name = snapshot.schema[reference.classID]?.name else {
            misuse("a link leads to a class that the realm does not have")
        }
        let layout = file.layouts.first { $0.className == name }
        return object(layout?.type as? Object.Type ?? DynamicObject.self, reference)
    }
}
