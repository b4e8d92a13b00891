import FirnValues

/// The tables of the classes as the server has them.
struct ServerLayout: Sendable {
    /// A column as the catalog of the server describes it.
    struct Column: Hashable, Sendable {
        /// The number of the column in its table, which stays if the column is renamed.
        let number: Int
        let name: String
        let type: String
        let isRequired: Bool
        let isKey: Bool
    }

    /// The table of a class.
    struct Table: Sendable {
        /// The number of the class, which stays if the class is renamed.
        let number: Int
        let className: String
        /// The identity of the table; `nil` if it was dropped.
        let relation: UInt32?
        /// The table, quoted and with its schema.
        let name: String
        /// The number of triggers that fire.
        let triggerCount: Int
        let rules: ConflictRules
        /// The columns for which the triggers were created.
        let triggerColumns: [String]
        /// The table of another program that the class shows, and its columns; `nil` if the class
        /// has its own table.
        let base: (name: String, columns: [String])?
        var columns: [Column] = []

        func column(number: Int) -> Column? { columns.first { $0.number == number } }
        func column(named name: String) -> Column? { columns.first { $0.name == name } }

        /// Whether changes to the table are recorded.
        var isRecorded: Bool {
            triggerCount == ServerScript.names.count - (base == nil ? 0 : 1)
                && ["_hlc", "_row_hlc"].allSatisfy { column(named: $0) != nil }
        }

        /// Whether the triggers can run: none of the columns that they name was renamed or dropped.
        var isComplete: Bool {
            guard let base else {
                return isRecorded && triggerColumns.allSatisfy { column(named: $0) != nil }
            }
            let names = TextSet(base.columns)
            return isRecorded && triggerColumns.allSatisfy(names.contains)
        }

        /// The columns of properties, including the columns for nanoseconds.
        var dataColumns: [(main: String, rest: String?)] {
            let names = columns.map(\.name).filter { !["_hlc", "_row_hlc"].contains($0) }
            let rests = TextSet(names.map(SyncedColumn.rest(of:))).intersection(TextSet(names))
            return names.filter { !rests.contains($0) }.map { name in
                let rest = SyncedColumn.rest(of: name)
                return (name, rests.contains(rest) ? rest : nil)
            }
        }
    }

    private(set) var tables: [Table] = []

    func table(named name: String) -> Table? { tables.first { $0.className == name } }
    func table(number: Int) -> Table? { tables.first { $0.number == number } }

    /// Reads the tables of all classes from the catalog of the server.
    init(_ connection: PostgresConnection) throws(UpstreamError) {
        let names = ServerScript.names.map(SQLText.literal).joined(separator: ", ")
        let found = try connection.query(
            """
            SELECT c.number, c.name, r.oid::bigint,
                CASE WHEN r.oid IS NOT NULL THEN format('%I.%I', n.nspname, r.relname) END,
                (SELECT count(*) FROM pg_trigger g
                    WHERE g.tgrelid = coalesce(c.base, c.relation) AND g.tgenabled = 'A'
                    AND g.tgname IN (\(names))),
                a.attnum, a.attname, format_type(a.atttypid, NULL), a.attnotnull,
                coalesce(a.attnum = ANY (i.indkey), a.attname = c.key, false), c.conflicts,
                c.counters, c.columns, c.base IS NOT NULL, c.base::text,
                ARRAY(SELECT b.attname FROM pg_attribute b WHERE b.attrelid = c.base
                    AND b.attnum > 0 AND NOT b.attisdropped)::text[]
            FROM firn.class c LEFT JOIN pg_class r ON r.oid = c.relation
                LEFT JOIN pg_namespace n ON n.oid = r.relnamespace
                LEFT JOIN pg_attribute a
                    ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
                LEFT JOIN pg_index i ON i.indrelid = r.oid AND i.indisprimary
            ORDER BY c.number, a.attnum
            """)
        for row in 0..<found.count {
            guard let number = found[row, 0].flatMap(Int.init), let className = found[row, 1]
            else { continue }
            if tables.last?.number != number {
                tables.append(
                    Table(
                        number: number, className: className,
                        relation: found[row, 2].flatMap(UInt32.init), name: found[row, 3] ?? "",
                        triggerCount: found[row, 4].flatMap(Int.init) ?? 0,
                        rules: ServerLayout.rules(found[row, 10], found[row, 11]),
                        triggerColumns: ServerLayout.names(found[row, 12]),
                        base: found[row, 13] == "t"
                            ? (found[row, 14] ?? "", ServerLayout.names(found[row, 15])) : nil))
            }
            guard let column = found[row, 5].flatMap(Int.init), let name = found[row, 6],
                let type = found[row, 7]
            else { continue }
            tables[tables.count - 1].columns.append(
                Column(
                    number: column, name: name, type: type, isRequired: found[row, 8] == "t",
                    isKey: found[row, 9] == "t"))
        }
    }

    private static func rules(_ mode: String?, _ counters: String?) -> ConflictRules {
        ConflictRules(
            mode.flatMap(ConflictRules.Mode.init), counters: TextSet(names(counters)))
    }

    private static func names(_ array: String?) -> [String] {
        (array.flatMap(ArrayText.elements) ?? []).compactMap(\.self)
    }
}
