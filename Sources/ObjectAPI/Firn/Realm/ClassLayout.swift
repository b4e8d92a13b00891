import FirnPlatform
import FirnQuery
import FirnValues
@_spi(Reflection) import Swift

/// A persisted property of a class, and its place in objects.
///
/// This is a class because it is passed around more often than it is created.
final class PropertyLayout: Sendable {
    /// The name in the model.
    let name: String
    /// The offset of the field in an object, in bytes.
    ///
    /// Dynamic objects have no field.
    let offset: Int
    let field: any PersistedField.Type
    let access: FieldAccess
    let declaration: _PropertyDeclaration
    let traits: PersistedTraits

    init(
        name: String, offset: Int, field: any PersistedField.Type,
        declaration: _PropertyDeclaration, traits: PersistedTraits
    ) {
        self.name = name
        self.offset = offset
        self.field = field
        access = field.access
        self.declaration = declaration
        self.traits = traits
    }
}

/// The locations of the persisted properties in the objects of a class.
///
/// A layout is computed once per class, from its fields and from one object that `init()` creates.
/// The layout of a ``DynamicObject`` is derived from the class in the database, once for each file
/// that has the class. Its properties exist only in the database.
final class ClassLayout: Sendable {
    let type: ObjectBase.Type
    /// The name of the class in the database.
    let className: String
    /// Whether objects have their properties only in the database.
    let isDynamic: Bool
    /// The number of stored properties that are not persisted.
    let unpersistedCount: Int
    /// The stored properties that are collections but not persisted, probably by mistake.
    let bareCollections: [(name: String, type: any _Persistable.Type)]
    /// The properties; properties of base classes come first, each in the order of declaration.
    let properties: [PropertyLayout]
    private let indicesByName: TextMap<Int>
    /// The indices of properties whose values programs can hold: lists and other collections.
    private let references: [Int]
    /// The indices of properties that are separate objects even in an object read from a realm.
    private let boxes: [Int]

    /// The functions that release the values of added objects, for the fields that hold any.
    private let releases: [(offset: Int, release: @Sendable (UnsafeMutableRawPointer) -> Void)]
    /// The properties whose fields contain the index, and where in an object it is.
    private let indexOffsets: [(index: Int32, offset: Int)]

    private init(_ type: ObjectBase.Type) {
        self.type = type
        className = type.className()
        isDynamic = false
        let sample = type.init()
        let ignored = type.ignoredProperties()
        let key = (type as? Object.Type)?.primaryKey()
        let indexed = (type as? Object.Type)?.indexedProperties() ?? []
        var properties: [PropertyLayout] = []
        var bareCollections: [(name: String, type: any _Persistable.Type)] = []
        var unpersistedCount = -ClassLayout.ownFieldCount
        // Option 1: the fields of a class and of its base classes.
        _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) {
            name, offset, fieldType, _ in
            if let field = fieldType as? any PersistedField.Type {
                let address = UnsafeRawPointer(Unmanaged.passUnretained(sample).toOpaque()) + offset
                var name = String(cString: name)
                if name.hasPrefix("_") { name.removeFirst() }
                guard !ignored.contains(name) else { return true }
                var traits = field.traits(address)
                if name == key { traits.isPrimaryKey = true }
                if indexed.contains(name) { traits.isIndexed = true }
                properties.append(
                    PropertyLayout(
                        name: name, offset: offset, field: field, declaration: field.declaration,
                        traits: traits))
            } else {
                unpersistedCount += 1
                let name = String(cString: name)
                if !ignored.contains(name), let type = fieldType as? any _Persistable.Type,
                    type._isReference || type is any _LinkingObjects.Type
                {
                    bareCollections.append((name, type))
                }
            }
            return true
        }
        self.properties = properties
        self.unpersistedCount = unpersistedCount
        self.bareCollections = bareCollections
        references = properties.indices.filter { properties[$0].field.isReference }
        boxes = references.filter { properties[$0].field.indexOffset == nil }
        releases = properties.compactMap { property in
            property.access.release.map { (offset: property.offset, release: $0) }
        }
        indexOffsets = properties.enumerated().compactMap { index, property in
            property.field.indexOffset.map { (Int32(index), property.offset + $0) }
        }
        indicesByName = TextMap(properties.enumerated().map { ($1.name, $0) }) { first, _ in
            first
        }
        withExtendedLifetime(sample) {}
    }

    /// The number of fields of ``ObjectBase`` itself, which hold the access to its row.
    private static let ownFieldCount = 1

    /// Creates the layout of the dynamic objects of a class.
    init(dynamic name: String, _ properties: [PropertyLayout]) {
        type = DynamicObject.self
        className = name
        isDynamic = true
        unpersistedCount = 0
        bareCollections = []
        self.properties = properties
        references = []
        boxes = []
        releases = []
        indexOffsets = []
        indicesByName = TextMap(properties.enumerated().map { ($1.name, $0) }) { first, _ in
            first
        }
    }

    private static let known = Guarded<[ObjectIdentifier: ClassLayout]>([:])

    /// Returns the layout of a class.
    ///
    /// - Complexity: O(1) after the first call for the class.
    static func of(_ type: ObjectBase.Type) -> ClassLayout {
        let id = ObjectIdentifier(type)
        if let layout = known.withLock({ $0[id] }) { return layout }
        // The lock is not held here, because `init()` of a model may itself request layouts.
        let layout = ClassLayout(type)
        return known.withLock { known in
            if let first = known[id] { return first }
            known[id] = layout
            return layout
        }
    }

    /// Returns the index of a property in ``properties``.
    func index(of name: String) -> Int? { indicesByName[name] }

    /// Returns the message for a missing property.
    func missing(_ name: String) -> String {
        let names = properties.map(\.name)
        let hint = NearestNames.find(name, among: names).first.map { "; did you mean \"\($0)\"?" }
        return "\(className) has no persisted property named \(name): it has "
            + names.joined(separator: ", ") + (hint ?? "")
    }

    /// Returns the address of a property of an object.
    func address(of index: Int, in object: ObjectBase) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque() + properties[index].offset
    }

    /// Returns the value of a property, whether managed or not.
    func value(_ index: Int, of object: ObjectBase) -> Any {
        let field = properties[index].field
        return isDynamic
            ? field.managedValue(of: object, index)
            : field.value(address(of: index, in: object), of: object)
    }

    /// Makes all properties of an object read and write the database.
    ///
    /// - Parameter isAdded: Whether the program may already hold values of the object, such as
    ///   lists.
    func manage(_ object: ObjectBase, isAdded: Bool) {
        let base = Unmanaged.passUnretained(object).toOpaque()
        for index in isAdded ? references : boxes {
            properties[index].field.adopt(base + properties[index].offset, of: object, index)
        }
        for (index, offset) in indexOffsets {
            (base + offset).storeBytes(of: index, as: Int32.self)
        }
        // An object created for a row has only initial values, so there is nothing to release.
        guard isAdded else { return }
        for field in releases { field.release(base + field.offset) }
    }
}
