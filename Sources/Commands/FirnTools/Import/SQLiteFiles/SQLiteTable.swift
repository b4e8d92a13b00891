import FirnFormats
import FirnText
import FirnValues

/// A table of an SQLite database.
struct SQLiteTable {
    struct Column {
        let name: String
        /// The declared type in upper case, which decides only about columns of several types.
        let declaredType: String
        let isRequired: Bool
        /// The position in the primary key, from 1; 0 if it is not part of it.
        let keyPosition: Int
    }

    struct ForeignKey {
        var columns: [String]
        let table: String
        /// The columns of the other table; empty for its primary key.
        var targets: [String]
    }

    struct Index {
        let columns: [String]
        let isUnique: Bool
        /// Whether all texts are compared without case.
        let ignoresCase: Bool
    }

    let name: String
    let columns: [Column]
    let foreignKeys: [ForeignKey]
    /// The indexes of whole columns; indexes of expressions and partial indexes are left out.
    var indexes: [Index] = []

    /// The only column of the primary key.
    var key: Column? {
        let key = columns.filter { $0.keyPosition > 0 }
        return key.count == 1 ? key.first : nil
    }

    /// The statement that reads all rows.
    var query: String {
        "SELECT \(columns.map { SQLNames.quoted($0.name) }.joined(separator: ", ")) FROM "
            + SQLNames.quoted(name)
    }

    /// The statement that reads all rows in the order in which they were inserted.
    var queryInOrder: String {
        let taken = TextSet(columns.map { $0.name.lowercased() })
        let name = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
        return name.map { "\(query) ORDER BY \($0)" } ?? query
    }

    /// Returns the tables in the order of their creation, without virtual tables and the tables of
    /// SQLite itself.
    static func all(in database: SQLiteDatabase) throws(InputError) -> [SQLiteTable] {
        let names = try SQLiteStatement(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%'
                ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY rowid
            """, in: database)
        var tables: [SQLiteTable] = []
        while try names.step() {
            let name = names.string(0)
            let columns = try columns(of: name, in: database)
            guard !columns.isEmpty else { continue }
            tables.append(
                SQLiteTable(
                    name: name, columns: columns,
                    foreignKeys: try foreignKeys(of: name, in: database),
                    indexes: try indexes(of: name, in: database)))
        }
        return tables
    }

    /// Returns the names of the views and virtual tables.
    static func leftOut(of database: SQLiteDatabase) throws(InputError) -> [String] {
        let rows = try SQLiteStatement(
            """
            SELECT name FROM sqlite_schema WHERE type = 'view' OR sql LIKE 'CREATE VIRTUAL %'
                ORDER BY rowid
            """, in: database)
        var names: [String] = []
        while try rows.step() { names.append(rows.string(0)) }
        return names
    }

    private static func columns(
        of table: String, in database: SQLiteDatabase
    ) throws(InputError) -> [Column] {
        // The last column of the pragma says whether a column is hidden; generated ones are not.
        let rows = try SQLiteStatement(
            "PRAGMA table_xinfo(\(SQLNames.quoted(table)))", in: database, table: table)
        var columns: [Column] = []
        while try rows.step() {
            guard rows.int(6) != 1 else { continue }
            columns.append(
                Column(
                    name: rows.string(1), declaredType: rows.string(2).uppercased(),
                    isRequired: rows.int(3) != 0, keyPosition: Int(clamping: rows.int(5))))
        }
        return columns
    }

    private static func indexes(
        of table: String, in database: SQLiteDatabase
    ) throws(InputError) -> [Index] {
        let rows = try SQLiteStatement(
            "PRAGMA index_list(\(SQLNames.quoted(table)))", in: database, table: table)
        var names: [(name: String, isUnique: Bool)] = []
        while try rows.step() {
            let isPrimary = rows.string(3) == "pk"
            let isPartial = rows.int(4) != 0
            if !isPrimary, !isPartial { names.append((rows.string(1), rows.int(2) != 0)) }
        }
        var indexes: [Index] = []
        // SQLite lists the last one first.
        for (name, isUnique) in names.reversed() {
            let parts = try SQLiteStatement(
                "PRAGMA index_xinfo(\(SQLNames.quoted(name)))", in: database, table: table)
            var columns: [String] = []
            var collations: [String] = []
            var hasExpression = false
            while try parts.step() {
                // The last column of the pragma says whether it is a column that was named.
                guard parts.int(5) != 0 else { continue }
                if parts.int(1) < 0 { hasExpression = true }
                columns.append(parts.string(2))
                collations.append(parts.string(4).uppercased())
            }
            let ignoresCase = collations.allSatisfy { $0 == "NOCASE" }
            let isKnown = ignoresCase || collations.allSatisfy { $0 == "BINARY" }
            guard !columns.isEmpty, !hasExpression, isKnown else { continue }
            indexes.append(
                Index(columns: columns, isUnique: isUnique, ignoresCase: ignoresCase))
        }
        return indexes
    }

    private static func foreignKeys(
        of table: String, in database: SQLiteDatabase
    ) throws(InputError) -> [ForeignKey] {
        let rows = try SQLiteStatement(
            "PRAGMA foreign_key_list(\(SQLNames.quoted(table)))", in: database, table: table)
        var keys: [Int64: ForeignKey] = [:]
        while try rows.step() {
            var key =
                keys[rows.int(0)] ?? ForeignKey(columns: [], table: rows.string(2), targets: [])
            key.columns.append(rows.string(3))
            let target = rows.string(4)
            if !target.isEmpty { key.targets.append(target) }
            keys[rows.int(0)] = key
        }
        // SQLite lists the last one first.
        return keys.sorted { $0.key > $1.key }.map(\.value)
    }
}
