import FirnEngine
import FirnValues

extension ServerScript {
    /// The number of times that the script is run again after interference by another client.
    private static let retriesMax = 10

    /// Prepares a server, or brings it up to date with the classes, in one transaction.
    ///
    /// Programs that replicate meanwhile lock the same tables in another order: the server then ends
    /// one of the transactions, and the script is run again.
    ///
    /// - Parameter file: The file whose classes they are.
    /// - Returns: What was changed in tables that existed, for people.
    /// - Throws: ``UpstreamError``, with `schema` if a person has to decide. The server is then
    ///   unchanged.
    @discardableResult
    func run(on address: String, for file: PreparedFile) throws(UpstreamError) -> [String] {
        let connection = try PostgresConnection(address)
        var retries = 0
        while true {
            do throws(UpstreamError) {
                return try connection.transaction { () throws(UpstreamError) in
                    try run(in: connection, file)
                }
            } catch {
                guard error.isTransient, error.code == .server, retries < Self.retriesMax else {
                    throw error
                }
                retries += 1
            }
        }
    }

    private func run(
        in connection: PostgresConnection, _ file: PreparedFile
    ) throws(UpstreamError) -> [String] {
        let former = try ServerScript.prepareBooks(connection)
        let new = try registerTables(connection)
        let layout = try ServerLayout(connection)
        let columns = try file.columns(connection)
        var notes: [String] = []
        var isGap = false
        var prepared: [SyncedClass] = []
        for type in classes {
            let match = columns.match(type, in: layout)
            guard let table = match.table else {
                try create(type, connection)
                prepared.append(type)
                continue
            }
            guard table.relation != nil else {
                try create(type, replacing: table, connection)
                notes.append("made the table of \(type.name) again")
                isGap = true
                prepared.append(type)
                continue
            }
            guard table.base == nil else {
                try match.check()
                prepared.append(match.type)
                continue
            }
            let plan = try ServerMigration(match, table, layout, columns) {
                column throws(UpstreamError) in
                try file.common(column, type)
            }
            for statement in plan.statements { try connection.execute(statement) }
            let changed = try ServerLayout(connection).table(number: table.number)
            try connection.execute(
                ServerScript.indexes(of: plan.type)
                    + ServerScript.triggers(of: plan.type, changed?.dataColumns ?? [])
                    + (hasChecks ? ServerScript.checks(of: plan.type) : ""))
            notes += plan.notes
            prepared.append(plan.type)
            isGap = isGap || plan.isGap && former == ServerScript.format && !new.contains(type.name)
        }
        if isGap {
            try ServerScript.beginHistory(connection)
            notes.append("began a new history, because changes may have been missed")
        }
        try connection.execute(ServerScript.statements(rules, of: prepared))
        return notes
    }

    /// Creates the bookkeeping, or brings it up to date.
    ///
    /// - Returns: The format that it had; `nil` if there was none.
    @discardableResult
    static func prepareBooks(_ connection: PostgresConnection) throws(UpstreamError) -> Int? {
        // Two programs that create the same objects would fail at each other.
        try connection.execute("SELECT pg_advisory_xact_lock(7308895166)")
        let former = try format(connection)
        guard former ?? 0 <= ServerScript.format else {
            throw UpstreamError(
                .notPrepared,
                "the tables on the server have format \(former ?? 0), and this firn knows "
                    + "\(ServerScript.format)", remedy: "use a newer firn")
        }
        try connection.execute(ServerScript.bookkeeping)
        try connection.query("SELECT firn.settle()")
        return former
    }

    /// Starts a new history; files notice it and read everything again.
    static func beginHistory(_ connection: PostgresConnection) throws(UpstreamError) {
        try connection.execute("UPDATE firn.meta SET epoch = gen_random_uuid()")
    }

    /// Returns the format of the tables; `nil` if there are none.
    private static func format(_ connection: PostgresConnection) throws(UpstreamError) -> Int? {
        let found = try connection.query("SELECT to_regclass('firn.meta')")[0, 0]
        guard found != nil else { return nil }
        return try connection.query("SELECT format FROM firn.meta")[0, 0].flatMap(Int.init)
    }

    /// Assigns tables of the schema that do not belong to a class yet to the classes with their
    /// names.
    ///
    /// - Returns: The names of these classes.
    private func registerTables(_ connection: PostgresConnection) throws(UpstreamError) -> TextSet {
        var registered: TextSet = []
        for type in classes {
            let found = try connection.query(
                """
                INSERT INTO firn.class (name, relation) SELECT $1, to_regclass($2)
                WHERE to_regclass($2) IS NOT NULL
                    AND NOT EXISTS (SELECT FROM firn.class c
                        WHERE c.name = $1 OR c.relation = to_regclass($2))
                RETURNING name
                """, [type.name, "firn." + SQLText.name(type.name)])
            if found.count > 0 { registered.insert(type.name) }
        }
        return registered
    }

    /// Creates the table of a class.
    ///
    /// - Parameter former: The one that was dropped.
    private func create(
        _ type: SyncedClass, replacing former: ServerLayout.Table? = nil,
        _ connection: PostgresConnection
    ) throws(UpstreamError) {
        var statements = ServerScript.creation(of: type)
        if let former {
            statements +=
                "UPDATE firn.class SET name = \(SQLText.literal(type.name)), "
                + "relation = \(SQLText.literal(type.table)) WHERE number = \(former.number);\n"
        }
        try connection.execute(
            statements + ServerScript.triggers(of: type, type.columns.map { ($0.main, $0.rest) })
                + (hasChecks ? ServerScript.checks(of: type) : ""))
    }
}

/// A file for whose classes a server is prepared.
struct PreparedFile {
    private let snapshot: Snapshot
    /// The state of the file, if it is attached.
    private let record: UpstreamRecord?

    init(_ snapshot: Snapshot) throws(StoreError) {
        self.snapshot = snapshot
        record = try UpstreamRecord(snapshot)
    }

    /// Returns the columns of the classes, if the file is attached to this server.
    fileprivate func columns(_ connection: PostgresConnection) throws(UpstreamError) -> ColumnMap {
        guard let record else { return ColumnMap() }
        let found = try connection.query(
            "SELECT count(*) FROM firn.client WHERE client_id = $1", [record.client.description])
        return found[0, 0] == "1" ? record.columns : ColumnMap()
    }

    /// Returns the texts that all objects of a class have in a property; `nil` if they differ.
    ///
    /// - Complexity: O(objects)
    func common(
        _ column: SyncedColumn, _ type: SyncedClass
    ) throws(UpstreamError) -> [String?]? {
        guard let cursor = ObjectCursor(snapshot, type.schema.id, [column.property]) else {
            return nil
        }
        let rows = try UpstreamError.converting { () throws(StoreError) in
            try snapshot.table(type.schema.id)?.liveRowIDs() ?? []
        }
        var common: Value?
        for row in rows {
            let value = try UpstreamError.converting { () throws(StoreError) in
                try cursor.move(to: row) ? try cursor.value(0) : .null
            }
            if let common, common != value { return nil }
            common = value
        }
        guard let common, !common.isNull else { return nil }
        // A value that the server cannot store is none that it can have.
        return try? ValueTexts(snapshot).texts(common, column)
    }
}
