package import FirnEngine
import FirnValues

/// An SQL table into which rows are written.
package struct SQLTable: Hashable, Sendable {
    /// The parts of the output.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The statement that creates the table.
        package static let definition = Parts(rawValue: 1)
        /// The column names in each INSERT statement.
        package static let columnNames = Parts(rawValue: 2)
        /// A transaction around everything.
        package static let transaction = Parts(rawValue: 4)
    }

    /// The target of a foreign key: a table and its column, by their SQL names.
    package struct Reference: Hashable, Sendable {
        let table: String
        let column: String

        package init(table: String, column: String) {
            self.table = table
            self.column = column
        }
    }

    package let name: String
    var parts: Parts
    /// The index of the primary key column.
    package var key: Int?
    /// Whether the values of an Int key ascend, so that they can number the rows of SQLite.
    package var isKeyAscending = true
    /// The index of a key column that can be null, which is unique in SQL.
    var uniqueColumn: Int?
    /// The foreign keys, by the indices of their columns.
    package var references: [Int: Reference] = [:]
    /// An index of columns.
    package struct Index: Hashable, Sendable {
        let columns: [Int]
        var isUnique = false
        var ignoresCase = false
    }

    /// The indexes, each of different columns.
    private(set) var indexes: [Index] = []

    /// - Parameter name: the name in the database; the SQL name may differ.
    package init(name: String, parts: Parts) {
        self.name = SQLNames.distinct([name])[0]
        self.parts = parts
    }
}

/// The names in SQL.
package enum SQLNames {
    /// Returns a name in quotes.
    package static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// Returns names that remain distinct if case is ignored, in the same order.
    package static func distinct(_ names: [String]) -> [String] {
        var taken: TextSet = []
        return names.map { name in
            var safe = SafeText.escaping(name)
            // SQLite reserves these names.
            if safe.lowercased().hasPrefix("sqlite_") { safe = "_" + safe }
            return taken.insertNumbered(safe, by: { $0.lowercased() }, { "\(safe)_\($0)" })
        }
    }
}

extension SQLTable {
    /// Creates a table with a column for each property of a class, after a column for the object
    /// number if there is no primary key.
    ///
    /// - Parameters:
    ///   - exported: the exported classes; a link to any other class is a plain value.
    ///   - refersToTargets: whether links are keys; they are not if whole objects are written.
    package init(
        of schema: ClassSchema, in whole: Schema, exported: [ClassSchema], refersToTargets: Bool,
        parts: Parts
    ) {
        let tables = SQLNames.distinct(whole.classes.map(\.name))
        func table(_ item: ClassSchema) -> String {
            whole.classes.firstIndex { $0.id == item.id }.map { tables[$0] } ?? item.name
        }
        self.init(name: table(schema), parts: parts)
        key = SQLTable.keyColumn(of: schema)
        let shift = SQLTable.hasNumber(schema) ? 1 : 0
        for index in schema.indexes where index.properties != [schema.key] {
            let columns = index.properties.compactMap { schema.index(of: $0) }
            // A collection is a text, which has no elements.
            guard columns.allSatisfy({ schema.properties[$0].type.container == .single }) else {
                continue
            }
            add(
                Index(
                    columns: columns.map { $0 + shift }, isUnique: index.isUnique,
                    ignoresCase: index.options.contains(.caseInsensitive)))
        }
        if key == nil { uniqueColumn = schema.key.flatMap { schema.index(of: $0) } }
        guard refersToTargets else { return }
        for (index, property) in schema.properties.enumerated() {
            guard property.type.container == .single, property.type.base == .link,
                let target = property.type.target.flatMap({ whole[$0] }),
                exported.contains(where: { $0.id == target.id }),
                let key = SQLTable.keyColumn(of: target)
            else { continue }
            references[index + shift] = Reference(
                table: table(target), column: SQLTable.columnNames(of: target)[key])
            add(Index(columns: [index + shift]))
        }
    }

    /// Adds an index, unless there is one that does the same.
    private mutating func add(_ index: Index) {
        let isThere = indexes.contains {
            $0.columns == index.columns && $0.ignoresCase == index.ignoresCase
                && ($0.isUnique || !index.isUnique)
        }
        if !isThere { indexes.append(index) }
    }

    /// Returns whether the first column is the number of the object.
    private static func hasNumber(_ schema: ClassSchema) -> Bool {
        schema.key == nil && !schema.isEmbedded
    }

    private static func columnNames(of schema: ClassSchema) -> [String] {
        SQLNames.distinct((hasNumber(schema) ? ["$id"] : []) + schema.properties.map(\.name))
    }

    /// Returns the index of the primary key; `nil` if there is none, or it can be null.
    private static func keyColumn(of schema: ClassSchema) -> Int? {
        guard let key = schema.keyProperty else { return hasNumber(schema) ? 0 : nil }
        return key.type.isOptional ? nil : schema.index(of: key.id)
    }
}
