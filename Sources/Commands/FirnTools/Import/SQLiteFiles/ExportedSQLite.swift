import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// The classes of an SQLite database written by an export, as described by its table `firn_schema`.
struct ExportedSQLite {
    /// The classes in the order of the schema; classes of embedded objects have no table.
    let definitions: [ClassDefinition]
    /// The tables of the classes, by the names of the classes.
    private let tables: TextMap<SQLiteTable>

    /// - Parameter prefix: the text before each name of a class.
    /// - Returns: `nil` if the tables are not those of the document.
    init?(
        _ all: [SQLiteTable], in database: SQLiteDatabase, prefix: String
    ) throws(InputError) {
        guard let found = try ExportedSQLite.document(all, in: database) else { return nil }
        let named = found.filter { !$0.isEmbedded }
        var tables: TextMap<SQLiteTable> = [:]
        for (definition, name) in zip(named, SQLNames.distinct(named.map(\.name))) {
            guard let table = all.first(where: { $0.name == name }),
                table.columns.map(\.name) == ExportedSQLite.columnNames(of: definition)
            else { return nil }
            tables[prefix + definition.name] = table
        }
        self.tables = tables
        definitions = found.map { $0.prefixed(prefix) }
    }

    /// Returns the table of a class; `nil` for embedded objects.
    func table(of className: String) -> SQLiteTable? { tables[className] }

    /// Returns whether a table has the objects of a class.
    func has(_ table: SQLiteTable) -> Bool { tables.values.contains { $0.name == table.name } }

    private static func document(
        _ all: [SQLiteTable], in database: SQLiteDatabase
    ) throws(InputError) -> [ClassDefinition]? {
        guard let table = all.first(where: { $0.name == SQLiteSchemaTable.name }),
            table.columns.map(\.name) == [SQLiteSchemaTable.column]
        else { return nil }
        let rows = try SQLiteStatement(table.query, in: database, table: table.name)
        guard try rows.step() else { return nil }
        let name = "\(database.name), \(table.name)"
        return try SchemaDocument.read(MemorySource(Array(rows.text(0)), name: name))
    }

    /// Returns the columns of an export: the number of an object of a class without a key, and
    /// the properties.
    private static func columnNames(of definition: ClassDefinition) -> [String] {
        SQLNames.distinct(
            (definition.keyName == nil ? ["$id"] : []) + definition.properties.map(\.name))
    }
}

extension ClassDefinition {
    /// Returns the same class with a text before the names of all classes.
    fileprivate func prefixed(_ prefix: String) -> ClassDefinition {
        guard !prefix.isEmpty else { return self }
        return ClassDefinition(
            name: prefix + name,
            properties: properties.map { property in
                Property(
                    name: property.name, type: property.type, display: property.display,
                    targetName: property.targetName.map { prefix + $0 },
                    isIndexed: property.isIndexed, columnName: property.columnName)
            }, keyName: keyName, isEmbedded: isEmbedded,
            inverses: inverses.map { inverse in
                Inverse(
                    name: inverse.name, sourceClassName: prefix + inverse.sourceClassName,
                    sourcePropertyName: inverse.sourcePropertyName)
            }, indexes: indexes)
    }
}
