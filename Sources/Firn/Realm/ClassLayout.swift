import FirnPlatform
import FirnQuery
import FirnValues
@_spi(Reflection) import Swift

/// Where the persisted properties of a class stand in its objects.
///
/// Found once per class, by looking at its fields and at one object that `init()` made. The layout of
/// a ``DynamicObject`` is made from the class in the database, once for each file that has it: its
/// properties stand nowhere but in the database.
final class ClassLayout: Sendable {
    /// One persisted property.
    ///
    /// A class, because it is passed around more often than made.
    final class Property: Sendable {
        /// As the model calls it.
        let name: String
        /// Of the field in an object, in bytes; of a dynamic object it has none.
        let offset: Int
        let field: any PersistedField.Type
        let access: FieldAccess
        let declaration: _PropertyDeclaration
        let traits: _PersistedTraits

        init(
            name: String, offset: Int, field: any PersistedField.Type,
            declaration: _PropertyDeclaration, traits: _PersistedTraits
        ) {
            self.name = name
            self.offset = offset
            self.field = field
            access = field.access
            self.declaration = declaration
            self.traits = traits
        }
    }

    let type: ObjectBase.Type
    /// The name of the class in the database.
    let className: String
    /// Whether objects have their properties only in the database.
    let isDynamic: Bool
    /// How many stored properties there are that are not persisted.
    let unpersistedCount: Int
    /// The stored properties that are collections, but not persisted: whoever declares one means it to be.
    let bareCollections: [(name: String, type: any _Persistable.Type)]
    /// Those of base classes first, each in the order of its declaration.
    let properties: [Property]
    private let places: [String: Int]
    /// The places of properties whose values programs hold: lists and other collections.
    private let references: [Int]
    /// The places of those that are objects of their own also in what was read from a realm.
    private let boxes: [Int]

    /// How the fields of added objects let go of what they hold: of those that hold anything.
    private let releases: [(offset: Int, release: @Sendable (UnsafeMutableRawPointer) -> Void)]
    /// The places whose fields begin with the place, and where.
    private let placeOffsets: [(place: Int, offset: Int)]

    private init(_ type: ObjectBase.Type) {
        self.type = type
        className = type.className()
        isDynamic = false
        let sample = type.init()
        let ignored = type.ignoredProperties()
        let key = (type as? Object.Type)?.primaryKey()
        let indexed = (type as? Object.Type)?.indexedProperties() ?? []
        var properties: [Property] = []
        var bareCollections: [(name: String, type: any _Persistable.Type)] = []
        var unpersistedCount = -ClassLayout.ownFieldCount
        // 1: the fields of a class and of its base classes.
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
                    Property(
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
        boxes = references.filter { properties[$0].field.isBox }
        releases = properties.compactMap { property in
            property.access.release.map { (offset: property.offset, release: $0) }
        }
        placeOffsets = properties.enumerated().filter { !$1.field.isBox }
            .map { (place: $0, offset: $1.offset) }
        places = Dictionary(properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
        withExtendedLifetime(sample) {}
    }

    /// Of ``ObjectBase``: what it knows of its row.
    private static let ownFieldCount = 1

    /// The layout of dynamic objects of a class.
    init(dynamic name: String, _ properties: [Property]) {
        type = DynamicObject.self
        className = name
        isDynamic = true
        unpersistedCount = 0
        bareCollections = []
        self.properties = properties
        references = []
        boxes = []
        releases = []
        placeOffsets = []
        places = Dictionary(properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    private static let known = Guarded<[ObjectIdentifier: ClassLayout]>([:])

    /// The layout of a class.
    ///
    /// - Complexity: O(1) after the first call for the class.
    static func of(_ type: ObjectBase.Type) -> ClassLayout {
        let id = ObjectIdentifier(type)
        if let layout = known.withLock({ $0[id] }) { return layout }
        // Without the lock: `init()` of a model may ask for layouts itself.
        let layout = ClassLayout(type)
        return known.withLock { known in
            if let first = known[id] { return first }
            known[id] = layout
            return layout
        }
    }

    /// The place of a property among ``properties``.
    func place(of name: String) -> Int? { places[name] }

    /// A message that there is no property with a name.
    func missing(_ name: String) -> String {
        let names = properties.map(\.name)
        let hint = NearestNames.find(name, among: names).first.map { "; did you mean \"\($0)\"?" }
        return "\(className) has no persisted property named \(name): it has "
            + names.joined(separator: ", ") + (hint ?? "")
    }

    /// Where a property of an object stands.
    func address(of place: Int, in object: ObjectBase) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque() + properties[place].offset
    }

    /// The value of a property, whether managed or not.
    func value(_ place: Int, of object: ObjectBase) -> Any {
        let field = properties[place].field
        return isDynamic
            ? field.managedValue(of: object, place)
            : field.value(address(of: place, in: object), of: object)
    }

    /// Makes all properties of an object read and write the database.
    ///
    /// - Parameter isAdded: whether the program may hold values of it, such as lists.
    func manage(_ object: ObjectBase, isAdded: Bool) {
        let base = Unmanaged.passUnretained(object).toOpaque()
        for place in isAdded ? references : boxes {
            properties[place].field.adopt(base + properties[place].offset, of: object, place)
        }
        for (place, offset) in placeOffsets {
            (base + offset).storeBytes(of: place, as: Int.self)
        }
        // An object made for a row has nothing but initial values: it holds nothing.
        guard isAdded else { return }
        for field in releases { field.release(base + field.offset) }
    }
}
