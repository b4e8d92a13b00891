import FirnEngine
import FirnValues

/// A property of a class, as listed by ``ObjectSchema/properties``.
public struct Property: Hashable, Sendable {
    /// The name in the program.
    public let name: String
    /// The name of the column in the database.
    public let columnName: String
    /// The type of the value or, for a collection, of each element.
    public let type: PropertyType
    /// A Boolean value that indicates whether the property is a ``List`` or an inverse.
    public let isArray: Bool
    /// A Boolean value that indicates whether the property is a ``MutableSet``.
    public let isSet: Bool
    /// A Boolean value that indicates whether the property is a ``Map``.
    public let isMap: Bool
    /// A Boolean value that indicates whether the property is indexed.
    ///
    /// The value is `true` for a property that is marked as indexed, and for a primary key.
    public let isIndexed: Bool
    /// A Boolean value that indicates whether the value, or each element, may be nil.
    public let isOptional: Bool
    /// The class that the property links to, or `nil` for values.
    public let objectClassName: String?
    let isPrimaryKey: Bool
    /// The property from which an inverse is derived.
    let originName: String?

    /// - Parameter target: The name of the class that the property links to.
    private init(
        _ name: String, _ columnName: String, _ type: FirnValues.PropertyType, _ target: String?,
        isIndexed: Bool, isPrimaryKey: Bool
    ) {
        self.name = name
        self.columnName = columnName
        self.type = PropertyType(type.base)
        isArray = type.container == .list
        isSet = type.container == .set
        isMap = type.container == .map
        self.isIndexed = isIndexed || isPrimaryKey
        isOptional = type.mayBeNull
        objectClassName = target
        self.isPrimaryKey = isPrimaryKey
        originName = nil
    }

    private init(inverse name: String, of origin: String?, in source: String?) {
        self.name = name
        columnName = name
        type = .linkingObjects
        isArray = true
        isSet = false
        isMap = false
        isIndexed = false
        isOptional = false
        objectClassName = source
        isPrimaryKey = false
        originName = origin
    }
}

extension Property {
    /// Creates a property that the program declares.
    init(_ property: PropertyLayout, _ columnName: String?) {
        let (declaration, traits) = (property.declaration, property.traits)
        let target = declaration.target?.className()
        guard !declaration.isInverse else {
            self.init(inverse: property.name, of: traits.originProperty, in: target)
            return
        }
        self.init(
            property.name, columnName ?? property.name, declaration.type, target,
            isIndexed: traits.isIndexed, isPrimaryKey: traits.isPrimaryKey)
    }

    /// Creates a property of the file.
    init(_ property: PropertySchema, isKey: Bool, in schema: FirnEngine.Schema) {
        let target = property.type.target.flatMap { schema[$0]?.name }
        self.init(
            property.name, property.columnName, property.type, target,
            isIndexed: property.isIndexed, isPrimaryKey: isKey)
    }

    /// Creates an inverse of the file.
    init(_ inverse: InverseProperty, in schema: FirnEngine.Schema) {
        let source = schema[inverse.sourceClass]
        self.init(
            inverse: inverse.name, of: source?[inverse.sourceProperty]?.name, in: source?.name)
    }
}

extension Property: CustomStringConvertible {
    /// A textual representation of the name, followed by other attributes in braces.
    ///
    ///     name {
    ///         type = string;
    ///         columnName = name;
    ///         indexed = NO;
    ///         isPrimary = NO;
    ///         array = NO;
    ///         set = NO;
    ///         dictionary = NO;
    ///         optional = NO;
    ///     }
    public var description: String {
        var facts = [("type", type.description)]
        if let objectClassName {
            facts.append(("objectClassName", objectClassName))
            facts.append(("linkOriginPropertyName", originName ?? "(null)"))
        }
        facts.append(("columnName", columnName))
        let answers = [
            ("indexed", isIndexed), ("isPrimary", isPrimaryKey), ("array", isArray), ("set", isSet),
            ("dictionary", isMap), ("optional", isOptional),
        ]
        facts += answers.map { ($0, $1 ? "YES" : "NO") }
        return "\(name) {\n" + facts.map { "\t\($0) = \($1);\n" }.joined() + "}"
    }
}
