import FirnEngine
import FirnQuery
import FirnValues

/// The mapping of a class of the model to a class of a file, in one open realm.
final class ClassBinding {
    /// A property that is written to a column when an object is added.
    struct Written {
        let index: Int
        /// The position of the column among the properties of the schema.
        let position: Int
        /// The offset of the field in an object, in bytes.
        let offset: Int
        let access: FieldAccess
    }

    let layout: ClassLayout
    let schema: ClassSchema
    /// The column of each property, in the order of the layout.
    ///
    /// An inverse has no column. A placeholder without an identity represents it.
    let columns: [PropertySchema]
    /// The position of each property among the properties of the schema, or -1 for an inverse.
    ///
    /// The array is in the order of the layout.
    let positions: [Int]
    /// The properties that have columns, in the order of the layout.
    ///
    /// The array is empty for dynamic objects, which are never added.
    let written: [Written]
    /// The positions of the columns that have no property in the model.
    let unknownPositions: [Int]
    /// Whether the model has a property for every column of the schema.
    var coversSchema: Bool { unknownPositions.isEmpty }
    /// The default value of each column, in the order of the schema.
    ///
    /// Columns that the model does not know need a value, too.
    let template: [Value]
    /// Whether a property may link to other objects.
    let mayLink: Bool
    /// Whether links may lead from an object of the class to an object of the same class.
    let leadsToItself: Bool
    /// The state that the objects of the class share, at an address that each of them knows.
    let slot: UnsafeMutablePointer<CursorSlot>

    /// - Returns: `nil` if the class lacks a property of the model.
    init?(_ layout: ClassLayout, _ schema: ClassSchema, in instance: RealmInstance) {
        leadsToItself = instance.snapshot.schema.leadsToItself(schema)
        self.layout = layout
        self.schema = schema
        let mapping = layout.type.propertiesMapping()
        var columns: [PropertySchema] = []
        var positions: [Int] = []
        var written: [Written] = []
        for (index, property) in layout.properties.enumerated() {
            if property.declaration.isInverse {
                columns.append(
                    PropertySchema(
                        id: PropertyID(0), name: property.name, type: FirnValues.PropertyType(.null)
                    ))
                positions.append(-1)
                continue
            }
            let name = mapping[property.name] ?? property.name
            let found =
                schema.properties.firstIndex { $0.columnName == name }
                ?? schema.properties.firstIndex { $0.name == property.name }
            guard let found else { return nil }
            columns.append(schema.properties[found])
            positions.append(found)
            written.append(
                Written(
                    index: index, position: found, offset: property.offset, access: property.access)
            )
        }
        self.columns = columns
        self.positions = positions
        self.written = written
        let known = Set(written.map(\.position))
        unknownPositions = schema.properties.indices.filter { !known.contains($0) }
        template = schema.properties.map { $0.type.placeholder }
        mayLink = columns.contains { $0.mayLink }
        slot = .allocate(capacity: 1)
        slot.initialize(to: CursorSlot(of: self, in: instance))
    }

    /// Creates the mapping of dynamic objects: all columns of a class, followed by its inverses.
    ///
    /// - Parameter migration: The migration whose new objects these are. They lack the properties
    ///   that the model lacks, and new ones begin with the initial values of the model.
    init(
        dynamic schema: ClassSchema, in instance: RealmInstance,
        _ migration: InstanceMigration? = nil
    ) {
        leadsToItself = instance.snapshot.schema.leadsToItself(schema)
        let hidden = migration?.hiddenProperties(of: schema.id) ?? []
        let visible = schema.properties.indices.filter {
            !hidden.contains(schema.properties[$0].id)
        }
        let properties = visible.map { schema.properties[$0] }
        layout = ClassLayout(
            dynamic: ClassSchema(
                id: schema.id, name: schema.name, properties: properties, key: schema.key,
                isEmbedded: schema.isEmbedded, inverses: schema.inverses))
        self.schema = schema
        columns =
            properties
            + schema.inverses.map { inverse in
                PropertySchema(
                    id: PropertyID(0), name: inverse.name, type: FirnValues.PropertyType(.null))
            }
        positions = visible + schema.inverses.map { _ in -1 }
        written = []
        unknownPositions = schema.properties.indices.filter {
            hidden.contains(schema.properties[$0].id)
        }
        let model = migration?.plan.layout(of: schema.name)
        template = schema.properties.map { property in
            model?.defaultValue(of: property) ?? property.type.placeholder
        }
        mayLink = columns.contains { $0.mayLink }
        slot = .allocate(capacity: 1)
        slot.initialize(to: CursorSlot(of: self, in: instance))
    }

    deinit {
        slot.deinitialize(count: 1)
        slot.deallocate()
    }

    /// Returns whether the property at an index has a column.
    func storesProperty(_ index: Int) -> Bool { positions[index] >= 0 }

    /// Returns the name of a property, preceded by the name of its class, for messages.
    func nameOfProperty(_ index: Int) -> String {
        "\(layout.className).\(layout.properties[index].name)"
    }

    /// Returns the index of a property in the layout.
    func index(of name: String) -> Int {
        guard let index = layout.index(of: name) else {
            misuse(layout.missing(name))
        }
        return index
    }
}

extension FirnEngine.Schema {
    /// Returns whether links may lead from an object of a class to an object of the same class.
    ///
    /// - Complexity: O(classes and their properties)
    fileprivate func leadsToItself(_ start: ClassSchema) -> Bool {
        var reached: Set<ClassID> = []
        var pending = [start]
        while let schema = pending.popLast() {
            for property in schema.properties where property.mayLink {
                // A value of type Any may link to any class.
                guard let target = property.type.target else { return true }
                if target == start.id { return true }
                if reached.insert(target).inserted, let next = self[target] { pending.append(next) }
            }
        }
        return false
    }
}

extension FirnValues.PropertyType {
    /// The value of a property without a known value: nil if allowed, otherwise zero or empty.
    var placeholder: Value {
        switch container {
        case .list: return .list([])
        case .set: return .set([])
        case .map: return .map([:])
        case .single: break
        }
        if isOptional || base == .link || base == .any { return .null }
        switch base {
        case .bool: return .bool(false)
        case .int: return .int(0)
        case .float: return .float(0)
        case .double: return .double(0)
        case .string: return .string("")
        case .data: return .data([])
        case .date: return .date(Timestamp(seconds: 0))
        case .decimal128: return .decimal128(FirnValues.Decimal128(0))
        case .objectID: return .objectID(FirnValues.ObjectID(high: 0, low: 0))
        case .uuid: return .uuid(FirnValues.UUID(high: 0, low: 0))
        default: return .null
        }
    }
}
