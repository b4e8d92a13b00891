import FirnValues

/// A table of another program, as the catalog of the server describes it.
struct SourceTable: Sendable {
    struct Column: Sendable {
        let number: Int
        let name: String
        /// The complete type, without the limits of its values; for a domain, the underlying type.
        let type: String
        /// The type as assignments name it.
        let declaredType: String
        let isEnumeration: Bool
        let isRequired: Bool
        /// Whether the server computes the value.
        let isGenerated: Bool
    }

    let id: UInt32
    let schema: String
    let name: String
    /// `r` for a table, `p` partitioned, `f` foreign, `v` and `m` views.
    let kind: String
    let isPartition: Bool
    fileprivate(set) var columns: [Column] = []
    /// The numbers of the columns of the primary key.
    fileprivate(set) var key: [Int] = []
    /// The foreign keys of one column: the tables to which they lead, and the numbers of their columns.
    fileprivate(set) var links: [Int: (table: UInt32, column: Int)] = [:]

    /// The indexes of whole columns other than the index of the primary key, by the numbers of the
    /// columns.
    fileprivate(set) var indexes: [[Int]] = []

    /// The table, quoted and with its schema.
    var quotedName: String { SQLText.name(schema) + "." + SQLText.name(name) }
    var displayName: String { schema == "public" ? name : "\(schema).\(name)" }

    var keyColumn: Column? {
        key.count == 1 ? columns.first { $0.number == key[0] } : nil
    }

    // MARK: Reading

    /// Reads all tables and views that belong to no part of the server itself.
    static func all(_ connection: PostgresConnection) throws(UpstreamError) -> [SourceTable] {
        // Types are written with their schemas, so that functions with another path find them.
        try connection.execute("SET LOCAL search_path = pg_catalog")
        var tables = try columns(connection)
        let keys = try connection.query(
            "SELECT i.indrelid::bigint, i.indkey::text FROM pg_index i WHERE i.indisprimary")
        for row in 0..<keys.count {
            guard let id = keys[row, 0].flatMap(UInt32.init) else { continue }
            tables[id]?.key = (keys[row, 1] ?? "").split(separator: " ").compactMap { Int($0) }
        }
        let links = try connection.query(
            """
            SELECT conrelid::bigint, conkey[1], confrelid::bigint, confkey[1] FROM pg_constraint
            WHERE contype = 'f' AND cardinality(conkey) = 1
            """)
        for row in 0..<links.count {
            guard let id = links[row, 0].flatMap(UInt32.init),
                let column = links[row, 1].flatMap(Int.init),
                let target = links[row, 2].flatMap(UInt32.init),
                let targetColumn = links[row, 3].flatMap(Int.init)
            else { continue }
            tables[id]?.links[column] = (target, targetColumn)
        }
        // The access method has an order; an index of expressions or of some rows has no counterpart.
        let indexes = try connection.query(
            """
            SELECT i.indrelid::bigint, i.indkey::text, i.indnkeyatts FROM pg_index i
                JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
            WHERE NOT i.indisprimary AND i.indisvalid AND i.indpred IS NULL
                AND i.indexprs IS NULL AND m.amname = 'btree'
            ORDER BY i.indexrelid
            """)
        for row in 0..<indexes.count {
            guard let id = indexes[row, 0].flatMap(UInt32.init),
                let count = indexes[row, 2].flatMap(Int.init)
            else { continue }
            let columns = (indexes[row, 1] ?? "").split(separator: " ").compactMap { Int($0) }
            tables[id]?.indexes.append(Array(columns.prefix(count)))
        }
        return tables.values.sorted { ($0.schema, $0.name) < ($1.schema, $1.name) }
    }

    private static func columns(
        _ connection: PostgresConnection
    ) throws(UpstreamError) -> [UInt32: SourceTable] {
        let found = try connection.query(
            """
            SELECT c.oid::bigint, n.nspname, c.relname, c.relkind, c.relispartition,
                a.attnum, a.attname, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), NULL),
                format_type(a.atttypid, a.atttypmod), coalesce(b.typtype, t.typtype) = 'e',
                a.attnotnull OR t.typnotnull, a.attgenerated <> ''
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                JOIN pg_type t ON t.oid = a.atttypid
                LEFT JOIN pg_type b ON b.oid = t.typbasetype
            WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND n.nspname <> 'information_schema'
                AND n.nspname <> 'firn' AND n.nspname NOT LIKE 'pg\\_%'
            ORDER BY c.oid, a.attnum
            """)
        var tables: [UInt32: SourceTable] = [:]
        for row in 0..<found.count {
            guard let id = found[row, 0].flatMap(UInt32.init), let schema = found[row, 1],
                let name = found[row, 2], let number = found[row, 5].flatMap(Int.init),
                let column = found[row, 6], let type = found[row, 7]
            else { continue }
            tables[
                id,
                default: SourceTable(
                    id: id, schema: schema, name: name, kind: found[row, 3] ?? "",
                    isPartition: found[row, 4] == "t")
            ].columns.append(
                Column(
                    number: number, name: column, type: type, declaredType: found[row, 8] ?? type,
                    isEnumeration: found[row, 9] == "t", isRequired: found[row, 10] == "t",
                    isGenerated: found[row, 11] == "t"))
        }
        return tables
    }
}
