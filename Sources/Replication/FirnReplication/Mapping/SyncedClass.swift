package import FirnEngine
import FirnQuery
import FirnValues

/// A class of the file and its table on the server.
package struct SyncedClass: Sendable {
    package let schema: ClassSchema
    /// All properties, including the key.
    var columns: [SyncedColumn]
    var key: SyncedColumn
    /// The number of the class on the server; `nil` until the server was asked.
    var number: Int?
    /// The table, quoted and with its schema.
    var table: String
    /// The name of the class on the server, which differs if one of the sides has renamed it.
    var serverName: String

    package var name: String { schema.name }

    /// The columns of all properties, quoted.
    var columnNames: [String] { columns.flatMap { $0.names.map(SQLText.name) } }

    /// Maps a class.
    ///
    /// - Throws: ``UpstreamError`` with `schema` or `unsupported` for a class that cannot be
    ///   replicated, with the reason.
    package init(_ schema: ClassSchema, in all: Schema) throws(UpstreamError) {
        self.schema = schema
        guard !ClassSchema.namesReservedByReplication.contains(schema.name),
            schema.name.utf8.count <= ClassSchema.replicatedNameMaximum
        else {
            throw UpstreamError(
                .schema, "a replicated class cannot be called \(schema.name)",
                remedy: "rename it with: firn alter FILE 'rename \(schema.name) NAME'")
        }
        guard let key = schema.keyProperty else {
            throw UpstreamError(
                .schema, "the class \(schema.name) has no primary key, which replication needs",
                remedy: "set one with: firn alter FILE 'key \(schema.name).PROPERTY'")
        }
        guard !key.type.isOptional else {
            throw UpstreamError(
                .schema,
                "the key \(schema.name).\(key.name) may be nil, which no key of a table may",
                remedy: "make it required with: firn alter FILE 'retype \(schema.name).\(key.name) "
                    + "\(all.typeName(key.type).dropLast())'")
        }
        var columns: [SyncedColumn] = []
        for property in schema.properties {
            columns.append(try SyncedColumn(property, of: schema, in: all))
        }
        self.columns = columns
        self.key = try SyncedColumn(key, of: schema, in: all)
        table = "firn." + SQLText.name(schema.name)
        serverName = schema.name
    }

    /// Returns the classes of a file that can be replicated, and the reasons for all others.
    package static func classes(
        of schema: Schema
    ) -> (synced: [SyncedClass], refused: [(name: String, error: UpstreamError)]) {
        var synced: [SyncedClass] = []
        var refused: [(name: String, error: UpstreamError)] = []
        for candidate in schema.listedClasses where !candidate.isEmbedded {
            do throws(UpstreamError) {
                synced.append(try SyncedClass(candidate, in: schema))
            } catch {
                refused.append((candidate.name, error))
            }
        }
        return (synced, refused)
    }

    func column(named name: String) -> SyncedColumn? { columns.first { $0.name == name } }

    func column(of property: PropertyID) -> SyncedColumn? {
        columns.first { $0.property.id == property }
    }

    // MARK: Keys

    /// Returns the text of a key, which identifies an object on both sides.
    static func keyText(_ key: Value) throws(UpstreamError) -> String? {
        guard let text = try ScalarText.text(key) else { return nil }
        if case .objectID = key { return String(text.dropFirst(2)) }
        return text
    }

    /// Returns the key of a text.
    func keyValue(_ text: String) -> Value? {
        SyncedClass.keyValue(text, key.type.base)
    }

    static func keyValue(_ text: String, _ tag: ValueTag) -> Value? {
        ScalarText.value(tag == .objectID ? "\\x" + text : text, tag)
    }

    /// Returns an expression of the key's type for an expression of its text.
    func key(fromText expression: String) -> String {
        switch key.type.base {
        case .int: "(\(expression))::bigint"
        case .objectID: "decode(\(expression), 'hex')"
        case .uuid: "(\(expression))::uuid"
        default: "\(expression)"
        }
    }

    /// Returns an expression for the key in the form of links in JSON, for an expression of its
    /// text.
    func jsonKey(fromText expression: String) -> String {
        switch key.type.base {
        case .int: "to_jsonb((\(expression))::bigint)"
        case .objectID: "to_jsonb('\\x' || \(expression))"
        default: "to_jsonb(\(expression))"
        }
    }

    /// Returns an expression for the key's text in a row.
    func keyText(ofRow row: String) -> String {
        let column = "\(row).\(SQLText.name(key.main))"
        return key.type.base == .objectID
            ? "encode(\(column), 'hex')" : "(\(column))::text COLLATE \"C\""
    }
}

/// A property and its columns.
struct SyncedColumn: Sendable {
    let property: PropertySchema
    /// The type of the values or elements as stored; for links, the type of the target's key.
    let stored: ValueTag
    /// The class that a link leads to.
    let target: ClassSchema?

    var name: String { property.name }
    var type: PropertyType { property.type }
    var isCollection: Bool { type.container != .single }
    /// Whether the column has the keys of other objects.
    var isLink: Bool { target != nil && !isJSON }
    /// Whether the column has the type jsonb: maps, Any, embedded objects, and collections whose
    /// elements would need two columns each.
    let isJSON: Bool
    /// Whether the column has embedded objects.
    let isEmbedded: Bool
    /// Whether changes of both sides are merged, given the previous value.
    var isMerged: Bool { isCollection || isEmbedded }
    /// Whether values may lead to objects that come later.
    let mayLink: Bool
    /// The name of the column, which differs from the name of the property if one of them was
    /// renamed.
    var main: String
    /// The column with the nanoseconds of a Date; the main column has its microseconds.
    var rest: String?

    /// The names of the columns; a Date has two.
    var names: [String] { [main] + (rest.map { [$0] } ?? []) }

    /// Returns the name of the second column of a Date.
    static func rest(of name: String) -> String { name + "#ns" }

    init(
        _ property: PropertySchema, of schema: ClassSchema, in all: Schema
    ) throws(UpstreamError) {
        self.property = property
        main = property.name
        func refuse(_ reason: String) -> UpstreamError {
            UpstreamError(
                .unsupported, "\(schema.name).\(property.name) cannot be replicated: \(reason)")
        }
        guard !property.name.hasPrefix("_"),
            property.name.utf8.count <= ClassSchema.replicatedPropertyNameMaximum
        else {
            throw refuse(
                "columns of a table may not begin with _ or exceed "
                    + "\(ClassSchema.replicatedPropertyNameMaximum) bytes")
        }
        guard !ClassSchema.columnsOfEveryTable.contains(property.name) else {
            throw UpstreamError(
                .unsupported,
                "\(schema.name).\(property.name) cannot be replicated: every table of PostgreSQL has a "
                    + "column of that name",
                remedy:
                    "rename it with: firn alter FILE 'rename \(schema.name).\(property.name) NAME'")
        }
        let isMap = property.type.container == .map
        if property.type.base == .link {
            guard let target = property.type.target.flatMap({ all[$0] }) else {
                throw refuse("its class is missing")
            }
            guard !target.isEmbedded else {
                self.target = nil
                stored = .any
                isJSON = true
                isEmbedded = true
                rest = nil
                var seen: Set<ClassID> = []
                mayLink = SyncedColumn.mayLink(target, in: all, &seen)
                return
            }
            guard let key = target.keyProperty, !key.type.isOptional else {
                throw refuse("\(target.name) has no primary key, or one that may be nil")
            }
            self.target = target
            stored = key.type.base
        } else {
            target = nil
            stored = property.type.base
        }
        isEmbedded = false
        mayLink = target != nil || stored == .any
        isJSON =
            isMap || stored == .any || stored == .date && property.type.container != .single
        guard isJSON || ScalarText.type(stored) != nil else {
            throw refuse("its type is \(stored.name)")
        }
        if stored == .date, !isJSON { rest = SyncedColumn.rest(of: property.name) }
    }

    /// Returns whether embedded objects of a class may lead to objects that are not embedded.
    private static func mayLink(
        _ type: ClassSchema, in all: Schema, _ seen: inout Set<ClassID>
    ) -> Bool {
        guard seen.insert(type.id).inserted else { return false }
        return type.properties.contains { property in
            guard property.type.base == .link else { return property.type.base == .any }
            guard let target = property.type.target.flatMap({ all[$0] }) else { return false }
            return !target.isEmbedded || mayLink(target, in: all, &seen)
        }
    }

    /// The type of the main column.
    var sqlType: String {
        if isJSON { return "jsonb" }
        let scalar = ScalarText.type(stored) ?? "text"
        return isCollection ? scalar + "[]" : scalar
    }

    /// The types of the columns, in the order of ``names``.
    var sqlTypes: [String] { [sqlType] + (rest == nil ? [] : ["smallint"]) }

    /// The definitions of the columns in `CREATE TABLE`.
    var definitions: [String] {
        zip(plainDefinitions, sqlTypes).map { $0 + constraint($1) }
    }

    /// The definitions without constraints.
    var plainDefinitions: [String] {
        zip(names, sqlTypes).map { name, type in
            let collation = type.hasPrefix("text") ? " COLLATE \"C\"" : ""
            return "\(SQLText.name(name)) \(type)\(collation)"
        }
    }

    /// Returns the constraint of a column, with a default so that a table with rows can get it.
    private func constraint(_ type: String) -> String {
        if type == "smallint" { return "" }
        return emptyText.map { " NOT NULL DEFAULT \(SQLText.literal($0))" } ?? ""
    }

    /// The value of the column in rows that existed before it; `nil` for NULL.
    private var emptyText: String? {
        if isJSON, isCollection { return type.container == .map ? "{}" : "[]" }
        if isCollection { return "{}" }
        if isNullable { return nil }
        switch stored {
        case .bool: return "false"
        case .int, .float, .double, .decimal128: return "0"
        case .string: return ""
        case .data: return "\\x"
        case .date: return "1970-01-01 00:00:00+00"
        case .uuid: return "00000000-0000-0000-0000-000000000000"
        default: return "\\x000000000000000000000000"
        }
    }

    /// The texts of the columns in rows that existed before them.
    var emptyTexts: [String?] { [emptyText] + (rest == nil ? [] : [nil]) }

    private var isNullable: Bool { type.isOptional || isLink || isJSON }
}
