import FirnEngine
import FirnQuery
import FirnValues

/// Reads the changes to the subset from the server, in one snapshot of it.
///
/// All rows whose changes may be missing are read: those changed by transactions that the last pull
/// could not see, because they were running or had not begun.
///
/// A class whose subscriptions changed is read completely.
struct Pull {
    private let connection: PostgresConnection
    private let store: Store
    private var subset: Subset
    private let record: UpstreamRecord
    private let memoryMaximum: Int
    /// The numbers of the classes with changes, if conditions of other classes read any.
    private var changedTargets: Set<Int> = []

    /// The number of rows of a page.
    static let pageRowCount = 5000
    private static let keyMaximum = 5000

    init(
        _ connection: PostgresConnection, _ store: Store, _ subset: Subset,
        _ record: UpstreamRecord, memoryMaximum: Int
    ) {
        self.memoryMaximum = memoryMaximum
        self.connection = connection
        self.store = store
        self.subset = subset
        self.record = record
    }

    /// The result of reading: the rows, and the state of the server in the same snapshot.
    struct Result {
        var rows: PulledRows
        let state: ServerState
        /// The classes with the names and columns that the server has.
        let classes: [SyncedClass]
        /// The classes that were read completely.
        let complete: TextSet
        /// The objects that the file had before, and that were deleted on the server.
        let deleted: Set<ObjectName>
    }

    /// Reads the subset or its changes.
    ///
    /// - Parameter changes: The changes that the server got from this file; what became of their
    ///   objects is read even if nothing changed.
    mutating func read(
        sent changes: [Outgoing], _ progress: ((String, Int, Int) -> Void)?
    ) throws(UpstreamError) -> Result {
        let sent = Set(changes.map(\.object))
        let created = Set(changes.filter(\.kind.isCreation).map(\.object))
        let states = Set(changes.filter { $0.kind == .existing }.map(\.object))
        return try read(sent, created: created, states, progress)
    }

    private mutating func read(
        _ sent: Set<ObjectName>, created: Set<ObjectName>, _ states: Set<ObjectName>,
        _ progress: ((String, Int, Int) -> Void)?
    ) throws(UpstreamError) -> Result {
        try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            () throws(UpstreamError) in
            let state = try ServerState(connection, client: record.client)
            try state.check(record)
            subset = try subset.resolved(record.columns, in: state.layout)
            guard record.columns.isCurrent(subset.readClasses, in: state.layout) else {
                throw UpstreamError.columnsChanged
            }
            let newest = try UpstreamError.converting { () throws(StoreError) in
                try UpstreamRecord(try store.snapshot())
            }
            if let newest, newest.client == record.client { try state.checkCopies(newest) }
            var rows = PulledRows(
                store, serverMilliseconds: state.milliseconds, memoryMaximum: memoryMaximum)
            do throws(UpstreamError) {
                try findChangedTargets()
                let complete = try readParts(sent, into: &rows, progress)
                try readOwners(besides: complete, created: created, into: &rows)
                return Result(
                    rows: rows, state: state, classes: subset.classes, complete: complete,
                    deleted: try deleted(among: states))
            } catch {
                // The staged pages need not wait for the next cycle: the disk may be full.
                if rows.hasStaged { try? PulledRows.discardStaged(in: store) }
                throw error
            }
        }
    }

    /// Reads the classes of the subset.
    ///
    /// - Returns: The classes that were read completely.
    private func readParts(
        _ sent: Set<ObjectName>, into rows: inout PulledRows,
        _ progress: ((String, Int, Int) -> Void)?
    ) throws(UpstreamError) -> TextSet {
        var complete: TextSet = []
        for part in subset.parts {
            let name = part.type.name
            guard let number = part.type.number else { continue }
            guard
                record.token.isEmpty
                    || record.queries.classes[name] != subset.queries.classes[name]
            else {
                let keys = sent.filter { $0.className == name }.map(\.key)
                try readChanges(part, number, keys, into: &rows)
                continue
            }
            if complete.isEmpty { try beginStaging() }
            complete.insert(name)
            try readAll(part, into: &rows, progress)
            let deleted = try connection.query(
                "SELECT max(hlc) FROM firn.tomb WHERE class = $1", [String(number)])
            rows.see(HybridTime(deleted[0, 0].flatMap(Int64.init) ?? 0))
        }
        return complete
    }

    /// Returns the objects that were deleted on the server.
    private func deleted(
        among objects: Set<ObjectName>
    ) throws(UpstreamError) -> Set<ObjectName> {
        var deleted: Set<ObjectName> = []
        var keys: TextMap<[String]> = [:]
        for object in objects { keys[object.className, default: []].append(object.key) }
        for (className, keys) in keys {
            guard let number = subset.classes.first(where: { $0.name == className })?.number
            else { continue }
            let found = try connection.query(
                "SELECT pk FROM firn.tomb WHERE class = $1 AND pk = ANY ($2::text[])",
                [String(number), ArrayText.text(keys)])
            for row in 0..<found.count {
                if let key = found[row, 0] {
                    deleted.insert(ObjectName(className: className, key: key))
                }
            }
        }
        return deleted
    }

    /// Removes what an interrupted bootstrap staged, unless another process reads the subset of
    /// this file at the same time.
    private func beginStaging() throws(UpstreamError) {
        let isFree = try connection.query(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))",
            [record.client.description])
        guard isFree[0, 0] == "t" else { throw PulledRows.isShared }
        try PulledRows.discardStaged(in: store)
    }

    // MARK: Statements

    private func readAll(
        _ part: Subset.Part, into rows: inout PulledRows, _ progress: ((String, Int, Int) -> Void)?
    ) throws(UpstreamError) {
        let type = part.type
        let condition = try subset.condition(of: part)
        var total = 0
        if progress != nil {
            let counted = try connection.query(
                "SELECT count(*) FROM \(type.table) t WHERE \(condition.sql)",
                condition.parameters)
            total = counted[0, 0].flatMap { Int($0) } ?? 0
        }
        try connection.query(
            "DECLARE firn_rows NO SCROLL CURSOR FOR SELECT \(type.keyText(ofRow: "t")), "
                + Pull.time(ofRow: "t") + ", "
                + type.columnNames.map { "t.\($0)" }.joined(separator: ", ")
                + " FROM \(type.table) t WHERE \(condition.sql)", condition.parameters)
        var count = 0
        while true {
            let page = Pull.rows(
                try connection.query("FETCH \(Pull.pageRowCount) FROM firn_rows"))
            count += page.count
            progress?(type.name, count, max(total, count))
            for row in page { try rows.add(row, of: type) }
            if page.count < Pull.pageRowCount { break }
        }
        try connection.execute("CLOSE firn_rows")
    }

    private static func rows(_ found: PostgresRows) -> [PulledRow] {
        (0..<found.count).compactMap { row in
            found[row, 0].map {
                PulledRow(
                    key: $0, texts: found.texts(ofRow: row, from: 2), time: time(found[row, 1]))
            }
        }
    }

    /// Returns an expression for the time of the last change to a row.
    private static func time(ofRow row: String) -> String {
        "greatest(\(row)._row_hlc, (SELECT max(value::bigint) FROM jsonb_each_text(\(row)._hlc)))"
    }

    private static func time(_ text: String?) -> HybridTime {
        HybridTime(text.flatMap(Int64.init) ?? 0)
    }

    /// The condition of changes that the last pull could not see; its token has the parameters 2
    /// and 3.
    private static let isUnseen =
        "xid >= $2::xid8 AND NOT pg_visible_in_snapshot(xid, $3::pg_snapshot)"

    private var tokenParameters: [String?] {
        let last = TransactionSnapshot(record.token)
        return [last.map { String($0.oldest) }, last?.literal]
    }

    /// Finds the classes whose changes can move objects of other classes into or out of the subset.
    private mutating func findChangedTargets() throws(UpstreamError) {
        guard !subset.targets.isEmpty, !record.token.isEmpty else { return }
        let numbers = subset.targets.values.compactMap(\.number).map(String.init)
        let found = try connection.query(
            """
            SELECT DISTINCT class FROM firn.change
            WHERE class = ANY ($1::smallint[]) AND \(Pull.isUnseen)
            """, [ArrayText.text(numbers)] + tokenParameters)
        changedTargets = Set((0..<found.count).compactMap { found[$0, 0].flatMap { Int($0) } })
    }

    private func readChanges(
        _ part: Subset.Part, _ number: Int, _ sent: [String], into rows: inout PulledRows
    ) throws(UpstreamError) {
        let type = part.type
        let condition = try subset.condition(
            of: part, after: [String(number)] + tokenParameters + [ArrayText.text(sent)])
        let owners = subset.owners(of: part, linkingTo: changedTargets) { target in
            "SELECT \(target.key(fromText: "pk")) FROM firn.change WHERE \(Pull.isUnseen) "
                + "AND class = \(target.number ?? 0)"
        }
        try connection.query(
            """
            DECLARE firn_changes NO SCROLL CURSOR FOR
            SELECT k.pk, r.\(SQLText.name(type.key.main)) IS NOT NULL,
                greatest(\(Pull.time(ofRow: "r")), (SELECT hlc FROM firn.tomb d
                    WHERE d.class = $1::smallint AND d.pk = k.pk)),
                \(type.columnNames.map { "r.\($0)" }.joined(separator: ", "))
            FROM (SELECT pk FROM firn.change WHERE class = $1::smallint AND \(Pull.isUnseen)
                UNION SELECT unnest($4::text[])
                \(owners.map { "UNION \($0)" }.joined(separator: "\n"))) k
            LEFT JOIN (SELECT * FROM \(type.table) t WHERE \(condition.sql)) r
                ON r.\(SQLText.name(type.key.main)) = \(type.key(fromText: "k.pk"))
            """, condition.parameters)
        while true {
            let found = try connection.query("FETCH \(Pull.pageRowCount) FROM firn_changes")
            for row in 0..<found.count {
                guard let key = found[row, 0] else { continue }
                let isInside = found[row, 1] == "t"
                try rows.add(
                    PulledRow(
                        key: key, texts: isInside ? found.texts(ofRow: row, from: 3) : nil,
                        time: Pull.time(found[row, 2])), of: type)
            }
            if found.count < Pull.pageRowCount { break }
        }
        try connection.execute("CLOSE firn_changes")
    }

    /// Reads the objects that link to new objects of the subset.
    ///
    /// Their links were nil in the file, because their targets were not in it. An object that this
    /// file created is new as well: before, others may have linked to a deleted object of its key.
    private func readOwners(
        besides complete: TextSet, created: Set<ObjectName>, into rows: inout PulledRows
    ) throws(UpstreamError) {
        let snapshot = try UpstreamError.converting { () throws(StoreError) in try store.snapshot()
        }
        for owner in subset.parts where !complete.contains(owner.type.name) {
            for (column, part) in linkColumns(of: owner.type) {
                var keys: [String] = []
                let found = rows
                try found.forEach(of: part.type, in: snapshot) { row throws(UpstreamError) in
                    guard row.texts != nil else { return }
                    let name = ObjectName(className: part.type.name, key: row.key)
                    var isTarget = created.contains(name)
                    if !isTarget { isTarget = try isNew(row.key, part.type, snapshot) }
                    if isTarget { keys.append(row.key) }
                }
                var start = 0
                while start < keys.count {
                    let end = min(start + Pull.keyMaximum, keys.count)
                    try readOwners(
                        owner, column, linkingTo: Array(keys[start..<end]), part.type, into: &rows)
                    start = end
                }
            }
        }
    }

    /// Returns the columns that may lead to objects of the subset, each with a class of these.
    private func linkColumns(of type: SyncedClass) -> [(SyncedColumn, Subset.Part)] {
        type.columns.filter(\.mayLink).flatMap { column in
            subset.parts
                .filter { column.target == nil || column.target?.id == $0.type.schema.id }
                .map { (column, $0) }
        }
    }

    private func isNew(
        _ key: String, _ type: SyncedClass, _ snapshot: Snapshot
    ) throws(UpstreamError) -> Bool {
        guard let value = type.keyValue(key), let table = snapshot.table(type.schema.id) else {
            return false
        }
        return try UpstreamError.converting { () throws(StoreError) in
            try table.row(forKey: value) == nil
        }
    }

    private func readOwners(
        _ owner: Subset.Part, _ column: SyncedColumn, linkingTo keys: [String],
        _ target: SyncedClass, into rows: inout PulledRows
    ) throws(UpstreamError) {
        let type = owner.type
        let condition = try subset.condition(of: owner, after: [ArrayText.text(keys)])
        let name = "t." + SQLText.name(column.main)
        let list = "FROM unnest($1::text[]) k)"
        let key = target.key(fromText: "k")
        // No index finds keys at any depth: the rows of the class are read.
        let inside =
            "EXISTS (SELECT FROM jsonb_path_query(\(name), 'strict $.**') e WHERE e IN "
            + "(SELECT \(target.jsonKey(fromText: "k")) \(list))"
        let test =
            column.isJSON
            ? inside
            : column.isCollection
                ? "\(name) && (SELECT array_agg(\(key)) \(list)"
                : "\(name) IN (SELECT \(key) \(list)"
        let found = try connection.query(
            "SELECT \(type.keyText(ofRow: "t")), \(Pull.time(ofRow: "t")), "
                + type.columnNames.map { "t.\($0)" }.joined(separator: ", ")
                + " FROM \(type.table) t WHERE \(test) AND \(condition.sql)", condition.parameters)
        for row in Pull.rows(found) { try rows.add(row, of: type) }
    }
}
