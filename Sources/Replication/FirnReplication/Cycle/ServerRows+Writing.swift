import FirnValues

extension ServerRows {
    /// A row to write, with its key.
    private typealias Written = (key: String, row: ServerRow)

    /// The number of parameters of one statement, below the limit of the protocol.
    private static let parameterMaximum = 60_000

    /// Writes the rows that differ: one statement for many rows of a class.
    func write() throws(UpstreamError) {
        var created: TextMap<[Written]> = [:]
        var updated: TextMap<[Written]> = [:]
        var deleted: TextMap<[Written]> = [:]
        for object in order {
            guard let row = rows[object], row.isChanged else { continue }
            if row.texts == nil {
                deleted[object.className, default: []].append((object.key, row))
            } else if row.existed {
                updated[object.className, default: []].append((object.key, row))
            } else {
                created[object.className, default: []].append((object.key, row))
            }
        }
        // A unique value can pass from a deleted row to another one.
        try forEachChunk(of: deleted) { rows, type throws(UpstreamError) in
            try delete(rows, of: type)
        }
        try forEachChunk(of: updated) { rows, type throws(UpstreamError) in
            try update(rows, of: type)
        }
        try forEachChunk(of: created) { rows, type throws(UpstreamError) in
            try insert(rows, of: type)
        }
    }

    private func forEachChunk(
        of written: TextMap<[Written]>,
        _ body: ([Written], SyncedClass) throws(UpstreamError) -> Void
    ) throws(UpstreamError) {
        for (name, rows) in written.sorted(by: { $0.key < $1.key }) {
            guard let type = classes[name] else { continue }
            let width = type.columnNames.count + 3
            let chunk = max(1, min(500, ServerRows.parameterMaximum / width))
            var start = 0
            while start < rows.count {
                let end = min(start + chunk, rows.count)
                try body(Array(rows[start..<end]), type)
                start = end
            }
        }
    }

    private func delete(_ rows: [Written], of type: SyncedClass) throws(UpstreamError) {
        let existing = rows.filter(\.row.existed).map(\.key)
        if !existing.isEmpty {
            let deleted = try connection.query(
                """
                DELETE FROM \(type.table) t WHERE t.\(SQLText.name(type.key.main)) IN
                    (SELECT \(type.key(fromText: "k")) FROM unnest($1::text[]) k)
                RETURNING \(type.keyText(ofRow: "t"))
                """, [ArrayText.text(existing)])
            try check(deleted, existing, type, "delete")
        }
        try connection.query(
            "SELECT firn.bury($1, $2, $3)",
            [
                type.number.map { String($0) }, ArrayText.text(rows.map(\.key)),
                ArrayText.text(rows.map { String($0.row.deletedAt?.rawValue ?? 0) }),
            ])
    }

    private func update(_ rows: [Written], of type: SyncedClass) throws(UpstreamError) {
        let (tuples, parameters) = tuples(of: rows, type)
        let key = SQLText.name(type.key.main)
        let names = type.columnNames + ["_hlc", "_row_hlc"]
        let assignments = names.filter { $0 != key }.map { "\($0) = v.\($0)" }
        let updated = try connection.query(
            "UPDATE \(type.table) t SET \(assignments.joined(separator: ", ")) "
                + "FROM (VALUES \(tuples)) v (\(names.joined(separator: ", "))) "
                + "WHERE t.\(key) = v.\(key) RETURNING \(type.keyText(ofRow: "t"))", parameters)
        try check(updated, rows.map(\.key), type, "change")
    }

    /// Checks that a statement found all rows, which are locked.
    private func check(
        _ changed: PostgresRows, _ keys: [String], _ type: SyncedClass, _ verb: String
    ) throws(UpstreamError) {
        guard changed.count < keys.count else { return }
        let found = TextSet((0..<changed.count).compactMap { changed[$0, 0] })
        guard let missing = keys.first(where: { !found.contains($0) }) else { return }
        throw ServerRows.ignored(missing, type, verb)
    }

    /// Returns the error of a row that was locked, and that a statement did not find.
    private static func ignored(
        _ key: String, _ type: SyncedClass, _ verb: String
    ) -> UpstreamError {
        UpstreamError(
            .conflict,
            "the server did not \(verb) \(type.name) \(key): a trigger or a policy of the server left "
                + "it out")
    }

    private func insert(_ rows: [Written], of type: SyncedClass) throws(UpstreamError) {
        let count = try insert(rows, of: type, " ON CONFLICT DO NOTHING")
        if count != rows.count { throw try conflict(rows, of: type) }
    }

    /// - Returns: The number of inserted rows.
    private func insert(
        _ rows: [Written], of type: SyncedClass, _ clause: String
    ) throws(UpstreamError) -> Int {
        let (tuples, parameters) = tuples(of: rows, type)
        return try connection.query(
            "INSERT INTO \(type.table) (\(type.columnNames.joined(separator: ", ")), _hlc, _row_hlc) "
                + "VALUES \(tuples)\(clause)", parameters
        ).changedCount
    }

    /// Returns rows as they follow `VALUES`, and their parameters.
    private func tuples(
        of rows: [Written], _ type: SyncedClass
    ) -> (text: String, parameters: [String?]) {
        var parameters: [String?] = []
        var tuples: [String] = []
        for (_, row) in rows {
            var places: [String] = []
            for column in type.columns {
                // A change has the nanoseconds of a date, for which an adopted table has no column.
                let values = row.texts?[column.name] ?? column.emptyTexts
                for value in values.prefix(column.names.count) {
                    parameters.append(value)
                    places.append("$\(parameters.count)")
                }
            }
            parameters += row.stampTexts
            let first = parameters.count - 2
            places.append("jsonb_object($\(first)::text[], $\(first + 1)::text[])")
            places.append("$\(first + 2)::bigint")
            tuples.append("(" + typed(places, of: type).joined(separator: ", ") + ")")
        }
        return (tuples.joined(separator: ", "), parameters)
    }

    /// Returns the reason why some new rows were not inserted, although their keys had not been
    /// found.
    ///
    /// A row that another client created meanwhile is found now. One that the policies of the server
    /// hide from this user is not, and neither is one that a constraint or a trigger kept out: trying
    /// again would never end.
    private func conflict(
        _ rows: [Written], of type: SyncedClass
    ) throws(UpstreamError) -> UpstreamError {
        let keys = rows.map(\.key)
        let found = try connection.query(
            """
            SELECT \(type.keyText(ofRow: "t")), t.xmin = pg_current_xact_id()::xid
            FROM \(type.table) t WHERE t.\(SQLText.name(type.key.main)) IN
                (SELECT \(type.key(fromText: "k")) FROM unnest($1::text[]) k)
            """, [ArrayText.text(keys)])
        let isLimited = try connection.query("SELECT row_security_active($1)", [type.table])
        let visible = (0..<found.count).compactMap { found[$0, 0] }
        let areOwn = (0..<found.count).allSatisfy { found[$0, 1] == "t" }
        guard areOwn, let missing = rows.first(where: { !visible.contains($0.key) }) else {
            return UpstreamError(
                .server, "another client created an object of \(type.name) at the same time",
                state: "40001")
        }
        if isLimited[0, 0] == "t" {
            return UpstreamError(
                .conflict,
                "\(type.name) \(missing.key) exists already, where the policies of the server hide it "
                    + "from this user")
        }
        // Without the clause, a constraint tells its name.
        _ = try insert([missing], of: type, "")
        return ServerRows.ignored(missing.key, type, "insert")
    }

    /// Adds the types of the columns: in several tuples, the server does not infer them.
    private func typed(_ places: [String], of type: SyncedClass) -> [String] {
        let types = type.columns.flatMap(\.sqlTypes)
        return places.enumerated().map { index, place in
            index < types.count ? "\(place)::\(types[index])" : place
        }
    }
}

extension ServerRow {
    /// The times as parameters: the names of properties, their times, and the time of the row.
    fileprivate var stampTexts: [String?] {
        let sorted = times.sorted { $0.key < $1.key }
        return [
            ArrayText.text(sorted.map(\.key)),
            ArrayText.text(sorted.map { String($0.value.rawValue) }), String(rowTime.rawValue),
        ]
    }
}
