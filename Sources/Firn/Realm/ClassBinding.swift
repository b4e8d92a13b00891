import FirnEngine
import FirnValues

/// How the persisted properties of a class of the model are the columns of a class of a file.
final class ClassBinding {
    /// A property as it becomes the value of a column when an object is added.
    struct Written {
        let place: Int
        /// Of the column among the properties of the schema.
        let position: Int
        /// Of the field in an object, in bytes.
        let offset: Int
        let access: FieldAccess
    }

    let layout: ClassLayout
    let schema: ClassSchema
    /// By place in the layout.
    ///
    /// An inverse has no column: it stands for itself there with the identity of none.
    let columns: [PropertySchema]
    /// By place in the layout: the position among the properties of the schema; -1 of an inverse.
    let positions: [Int]
    /// The properties that have columns, in the order of the layout; of dynamic objects, which are
    /// never added, none.
    let written: [Written]
    /// The positions of the columns that no property of the model has.
    let unknownPositions: [Int]
    /// Whether every column of the schema has a property of the model.
    var coversSchema: Bool { unknownPositions.isEmpty }
    /// What an object has in each column, in the order of the schema, unless the model says more:
    /// columns that the model does not know must have a value, too.
    let template: [Value]
    /// Whether a property may lead to other objects.
    let mayLink: Bool
    /// Whether links may lead from an object of the class to another one of it, or back to itself.
    let leadsToItself: Bool
    /// Reads rows of the class in what the realm showed at ``cursorEpoch``; the instance holds it as
    /// long.
    var cursor: Unmanaged<ObjectCursor>?
    /// Of the instance when it made the cursor; 0: never.
    var cursorEpoch: UInt64 = 0

    /// - Returns: `nil` if a property of the model is not in the class.
    init?(_ layout: ClassLayout, _ schema: ClassSchema, in whole: FirnEngine.Schema) {
        leadsToItself = whole.leadsToItself(schema)
        self.layout = layout
        self.schema = schema
        let mapping = layout.type.propertiesMapping()
        var columns: [PropertySchema] = []
        var positions: [Int] = []
        var written: [Written] = []
        for (place, property) in layout.properties.enumerated() {
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
                    place: place, position: found, offset: property.offset, access: property.access)
            )
        }
        self.columns = columns
        self.positions = positions
        self.written = written
        let known = Set(written.map(\.position))
        unknownPositions = schema.properties.indices.filter { !known.contains($0) }
        template = schema.properties.map { $0.type.placeholder }
        mayLink = columns.contains { $0.mayLink }
    }

    /// How dynamic objects of a class are its columns: all of them, and its inverses behind them.
    init(dynamic schema: ClassSchema, in whole: FirnEngine.Schema) {
        leadsToItself = whole.leadsToItself(schema)
        layout = ClassLayout(dynamic: schema)
        self.schema = schema
        columns =
            schema.properties
            + schema.inverses.map { inverse in
                PropertySchema(
                    id: PropertyID(0), name: inverse.name, type: FirnValues.PropertyType(.null))
            }
        positions = Array(schema.properties.indices) + schema.inverses.map { _ in -1 }
        written = []
        unknownPositions = []
        template = schema.properties.map { $0.type.placeholder }
        mayLink = columns.contains { $0.mayLink }
    }

    /// Whether the property at a place has a column.
    func storesPlace(_ place: Int) -> Bool { positions[place] >= 0 }

    /// The place of the property that the model calls so.
    func place(of name: String) -> Int {
        guard let place = layout.place(of: name) else {
            misuse(layout.missing(name))
        }
        return place
    }
}

extension FirnEngine.Schema {
    /// Whether links may lead from an object of a class to another one of it, or back to itself.
    ///
    /// - Complexity: O(classes and their properties)
    fileprivate func leadsToItself(_ start: ClassSchema) -> Bool {
        var reached: Set<ClassID> = []
        var pending = [start]
        while let schema = pending.popLast() {
            for property in schema.properties where property.mayLink {
                // A value of type Any may lead to every class.
                guard let target = property.type.target else { return true }
                if target == start.id { return true }
                if reached.insert(target).inserted, let next = self[target] { pending.append(next) }
            }
        }
        return false
    }
}

extension FirnValues.PropertyType {
    /// What a property has of which nothing is known: nil where that may be, else zero or nothing.
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
