import FirnEngine
import FirnValues

/// The statements that bring the table of a class from what the server has to what the file needs.
///
/// A change that may lose data is left to a person, with the SQL that makes it.
struct ServerMigration {
    private(set) var statements: [String] = []
    /// The effects of the statements, for people.
    private(set) var notes: [String] = []
    /// Whether changes may have been missed, so that files have to read everything again.
    private(set) var isGap = false
    /// The class with the names that the server has afterwards.
    private(set) var type: SyncedClass
    private let table: ServerLayout.Table

    /// Plans the changes to an existing table.
    ///
    /// - Parameter initial: Returns the texts that all objects of the file have in a property; `nil` if
    ///   they differ.
    /// - Throws: ``UpstreamError`` with `schema` if a person has to decide.
    init(
        _ match: ColumnMap.Match, _ table: ServerLayout.Table, _ layout: ServerLayout,
        _ columns: ColumnMap, initial: (SyncedColumn) throws(UpstreamError) -> [String?]?
    ) throws(UpstreamError) {
        self.table = table
        type = match.type
        let known = columns.tables[match.type.schema.id]
        renameTable(known, layout)
        renameColumns(match, known)
        try checkKey(match)
        for (index, column) in type.columns.enumerated() {
            if let found = match.columns[column.property.id] {
                try convert(column, found)
            } else {
                type.columns[index].main = column.name
                type.columns[index].rest = column.rest.map { _ in SyncedColumn.rest(of: column.name)
                }
                add(type.columns[index], try initial(column))
            }
        }
        if let key = type.column(of: type.key.property.id) { type.key = key }
        addStamps()
    }

    // MARK: Names

    /// Renames the table, unless the server uses the name for something else: the file knows the
    /// table by its number.
    private mutating func renameTable(_ known: ColumnMap.Table?, _ layout: ServerLayout) {
        let (old, new) = (table.className, type.name)
        guard let known, known.entry.hadName(old), old != new else { return }
        guard layout.table(named: new) == nil else {
            notes.append("kept the name \(old) for \(new): the server has another class \(new)")
            return
        }
        statements.append(
            "UPDATE firn.class SET name = \(SQLText.literal(new)) WHERE number = \(table.number)")
        notes.append("renamed the class \(old) to \(new)")
        type.serverName = new
        // The table of another program keeps its name.
        guard table.name == "firn." + SQLText.name(old) || table.name == "firn.\(old)" else {
            return
        }
        statements.append("ALTER TABLE \(table.name) RENAME TO \(SQLText.name(new))")
        type.table = "firn." + SQLText.name(new)
        for verb in ServerScript.verbs where table.isRecorded {
            let name = "firn." + SQLText.name("\(old) \(verb)")
            statements.append("ALTER ROUTINE \(name)() RENAME TO \(SQLText.name("\(new) \(verb)"))")
        }
        for column in type.columns where column.isLink {
            statements.append(
                "ALTER INDEX IF EXISTS firn.\(SQLText.name("\(old).\(column.name)")) RENAME TO "
                    + SQLText.name("\(new).\(column.name)"))
        }
    }

    private mutating func renameColumns(_ match: ColumnMap.Match, _ known: ColumnMap.Table?) {
        var wanted: [(index: Int, old: String)] = []
        for (index, column) in type.columns.enumerated() {
            guard let entry = known?.columns[column.property.id],
                let found = match.columns[column.property.id], entry.hadName(found.name),
                column.name != found.name
            else { continue }
            wanted.append((index, found.name))
        }
        // A column that keeps its name may be in the way of another one.
        while let taken = wanted.firstIndex(where: { item in
            let new = type.columns[item.index].name
            return table.column(named: new) != nil && !wanted.contains { $0.old == new }
        }) {
            let (index, old) = wanted.remove(at: taken)
            let new = type.columns[index].name
            notes.append(
                "kept the name \(old) for \(type.name).\(new): the table has another column \(new)")
        }
        guard !wanted.isEmpty else { return }
        var renamed: [(old: String, new: String)] = []
        for (index, old) in wanted {
            let new = type.columns[index].name
            renamed.append((old, new))
            type.columns[index].main = new
            if let rest = type.columns[index].rest {
                renamed.append((rest, SyncedColumn.rest(of: new)))
                type.columns[index].rest = SyncedColumn.rest(of: new)
            }
            notes.append("renamed \(type.name).\(old) to \(new)")
        }
        // In two steps, because names may be swapped.
        for (number, name) in renamed.enumerated() {
            statements.append(rename(SQLText.name(name.old), SQLText.name("firn#\(number)")))
        }
        for (number, name) in renamed.enumerated() {
            statements.append(rename(SQLText.name("firn#\(number)"), SQLText.name(name.new)))
        }
        renameStamps(renamed)
    }

    private func rename(_ old: String, _ new: String) -> String {
        "ALTER TABLE \(type.table) RENAME COLUMN \(old) TO \(new)"
    }

    /// Renames the times of columns and the counters, which are stored under the names of columns.
    private mutating func renameStamps(_ renamed: [(old: String, new: String)]) {
        let names = ArrayText.text(renamed.map(\.old))
        let cases = renamed.map {
            "WHEN \(SQLText.literal($0.old)) THEN \(SQLText.literal($0.new))"
        }.joined(separator: " ")
        if table.column(named: "_hlc") != nil {
            // The rows do not change for files. The triggers are enabled again when they are replaced.
            if table.isRecorded {
                statements += ServerScript.names.map {
                    "ALTER TABLE \(type.table) DISABLE TRIGGER \($0)"
                }
            }
            statements.append(
                """
                UPDATE \(type.table) t SET _hlc = (
                    SELECT jsonb_object_agg(CASE e.key \(cases) ELSE e.key END, e.value)
                    FROM jsonb_each(t._hlc) e)
                WHERE t._hlc ?| \(SQLText.literal(names))::text[]
                """)
        }
        statements.append(
            """
            UPDATE firn.class c SET counters = ARRAY(
                SELECT CASE e \(cases) ELSE e END FROM unnest(c.counters) e)
            WHERE c.number = \(table.number)
            """)
    }

    // MARK: Columns

    private mutating func add(_ column: SyncedColumn, _ initial: [String?]?) {
        for (index, definition) in column.definitions.enumerated() {
            let name = SQLText.name(column.names[index])
            guard let initial, index < initial.count, let text = initial[index] else {
                statements.append(
                    "ALTER TABLE \(type.table) ADD COLUMN IF NOT EXISTS \(definition)")
                continue
            }
            // The rows get the value of the file, and later ones the empty value.
            let plain = column.plainDefinitions[index]
            statements += [
                "ALTER TABLE \(type.table) ADD COLUMN \(plain) DEFAULT \(SQLText.literal(text))",
                "ALTER TABLE \(type.table) ALTER COLUMN \(name) DROP DEFAULT",
            ]
            if let empty = column.emptyTexts[index] {
                let literal = SQLText.literal(empty)
                statements += [
                    "ALTER TABLE \(type.table) ALTER COLUMN \(name) SET DEFAULT \(literal)",
                    "ALTER TABLE \(type.table) ALTER COLUMN \(name) SET NOT NULL",
                ]
            }
        }
        notes.append("added \(type.name).\(column.name)")
    }

    /// The conversions that keep every value, by the type of the column.
    private static let conversions: TextMap<TextSet> = [
        "bigint": ["numeric", "text"], "real": ["double precision"], "uuid": ["text"],
        "smallint": ["bigint", "double precision", "numeric", "text"],
        "integer": ["bigint", "double precision", "numeric", "text"],
    ]

    private mutating func convert(
        _ column: SyncedColumn, _ found: ServerLayout.Column
    ) throws(UpstreamError) {
        let name = SQLText.name(column.main)
        let alter = "ALTER TABLE \(type.table) ALTER COLUMN \(name)"
        let former = SyncedColumn.short(found.type)
        if !column.canHave(found.type) {
            let change = "\(alter) TYPE \(column.sqlType) USING \(name)::\(column.sqlType)"
            guard
                ServerMigration.conversions[former]?.contains(column.sqlType) == true
            else {
                throw refusal(
                    "\(type.name).\(column.name) is \(former) on the server and needs "
                        + "\(column.sqlType), and not every value can be converted",
                    "convert the column, such as by: \(change)")
            }
            let collated = column.sqlType == "text" ? " COLLATE \"C\"" : ""
            statements += [
                "\(alter) DROP DEFAULT",
                "\(alter) TYPE \(column.sqlType)\(collated) USING \(name)::\(column.sqlType)",
            ]
            if let empty = column.emptyTexts[0] {
                statements.append("\(alter) SET DEFAULT \(SQLText.literal(empty))")
            }
            notes.append("converted \(type.name).\(column.name) to \(column.sqlType)")
        }
        guard !found.isKey else { return }
        if column.emptyTexts[0] == nil, found.isRequired {
            statements.append("\(alter) DROP NOT NULL")
            notes.append("let \(type.name).\(column.name) be nil")
        }
    }

    private func checkKey(_ match: ColumnMap.Match) throws(UpstreamError) {
        let key = table.columns.filter(\.isKey).map(\.number)
        guard let own = match.columns[type.key.property.id], key == [own.number] else {
            let names = table.columns.filter(\.isKey).map(\.name).joined(separator: ", ")
            throw refusal(
                "the key of \(type.name) is \(type.key.name) in the file, and "
                    + "\(names.isEmpty ? "the table has none" : "\(names) on the server")",
                "set the key of the file back, or rename its class: the objects are then replicated as "
                    + "new ones")
        }
    }

    // MARK: Times

    private mutating func addStamps() {
        let alter = "ALTER TABLE \(type.table)"
        isGap = !table.isRecorded
        statements += [
            "\(alter) ADD COLUMN IF NOT EXISTS _hlc jsonb NOT NULL DEFAULT '{}'",
            "\(alter) ADD COLUMN IF NOT EXISTS _row_hlc bigint NOT NULL DEFAULT 0",
            "\(alter) ALTER COLUMN _row_hlc SET DEFAULT \(ServerScript.serverTime)",
        ]
    }

    private func refusal(_ reason: String, _ remedy: String) -> UpstreamError {
        UpstreamError(.schema, "the server was not changed: \(reason)", remedy: remedy)
    }
}
