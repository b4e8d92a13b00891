import FirnValues

/// The rows of the server that a batch changes, locked until the end of the transaction.
struct ServerRows {
    private let connection: PostgresConnection
    private let classes: TextMap<SyncedClass>
    private let numbers: TextMap<Int>
    private let rules: TextMap<ConflictRules>
    private let serverMilliseconds: Int64
    private var rows: [ObjectName: ServerRow] = [:]
    /// The objects in the order of their first change.
    private var order: [ObjectName] = []

    /// The number of parameters of one statement, below the limit of the protocol.
    private static let parameterMaximum = 60_000
    private static let keyMaximum = 1000

    /// Reads and locks the rows, in the order of classes and keys, so that two batches cannot wait
    /// for each other.
    init(
        _ connection: PostgresConnection, _ batch: [Outgoing], _ classes: TextMap<SyncedClass>,
        _ state: ServerState
    ) throws(UpstreamError) {
        self.connection = connection
        self.classes = classes
        numbers = state.classes
        rules = state.rules
        let time = try connection.query(
            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        serverMilliseconds = time[0, 0].flatMap(Int64.init) ?? 0
        var keys: TextMap<TextSet> = [:]
        for change in batch {
            if keys[change.className, default: []].insert(change.key).inserted {
                order.append(change.object)
            }
        }
        for (name, keys) in keys.sorted(by: { $0.key < $1.key }) {
            guard let type = classes[name], let number = numbers[name] else {
                throw UpstreamError(
                    .notPrepared, "the server has no table for the class \(name)",
                    remedy: "run: firn sync init FILE URL")
            }
            let sorted = keys.sorted()
            var start = 0
            while start < sorted.count {
                let end = min(start + ServerRows.keyMaximum, sorted.count)
                try read(Array(sorted[start..<end]), of: type, number)
                start = end
            }
        }
    }

    private mutating func read(
        _ keys: [String], of type: SyncedClass, _ number: Int
    ) throws(UpstreamError) {
        let parameter = ArrayText.text(keys)
        let tombs = try connection.query(
            "SELECT pk, hlc FROM firn.tomb WHERE class = $1 AND pk = ANY ($2::text[])",
            [String(number), parameter])
        var deleted: TextMap<HybridTime> = [:]
        for row in 0..<tombs.count {
            guard let key = tombs[row, 0] else { continue }
            deleted[key] = time(tombs[row, 1])
        }
        let found = try connection.query(
            """
            SELECT \(type.keyText(ofRow: "t")), t._row_hlc,
                ARRAY(SELECT key FROM jsonb_each_text(t._hlc) ORDER BY key)::text[],
                ARRAY(SELECT value FROM jsonb_each_text(t._hlc) ORDER BY key)::text[],
                \(type.columnNames.map { "t.\($0)" }.joined(separator: ", "))
            FROM \(type.table) t WHERE t.\(SQLText.name(type.key.name)) IN
                (SELECT \(type.key(fromText: "k")) FROM unnest($1::text[]) k)
            ORDER BY t.\(SQLText.name(type.key.name)) FOR UPDATE
            """, [parameter])
        for key in keys {
            rows[ObjectName(className: type.name, key: key)] = ServerRow(
                texts: nil, times: [:], rowTime: HybridTime(0), deletedAt: deleted[key])
        }
        for row in 0..<found.count {
            guard let key = found[row, 0] else { continue }
            rows[ObjectName(className: type.name, key: key)] = ServerRow(
                texts: type.texts(of: found.texts(ofRow: row, from: 4)),
                times: times(found[row, 2], found[row, 3]), rowTime: time(found[row, 1]),
                deletedAt: deleted[key])
        }
    }

    private func time(_ text: String?) -> HybridTime {
        HybridTime(text.flatMap(Int64.init) ?? 0).plausible(toServer: serverMilliseconds)
    }

    private func times(_ names: String?, _ values: String?) -> TextMap<HybridTime> {
        let names = names.flatMap(ArrayText.elements) ?? []
        let values = values.flatMap(ArrayText.elements) ?? []
        var times: TextMap<HybridTime> = [:]
        for (name, value) in zip(names, values) {
            if let name { times[name] = time(value) }
        }
        return times
    }

    mutating func apply(_ change: Outgoing) throws(UpstreamError) {
        guard let type = classes[change.className] else { return }
        try rows[change.object]?.apply(
            change, at: change.time.limited(toServer: serverMilliseconds), in: type,
            rules[change.className] ?? ConflictRules())
    }

    // MARK: Writing

    /// Writes the rows that differ.
    func write() throws(UpstreamError) {
        var created: TextMap<[(key: String, row: ServerRow)]> = [:]
        for object in order {
            guard let row = rows[object], row.isChanged, let type = classes[object.className]
            else { continue }
            if row.texts == nil {
                try delete(object.key, row, of: type)
            } else if row.existed {
                try update(object.key, row, of: type)
            } else {
                created[object.className, default: []].append((object.key, row))
            }
        }
        for (name, rows) in created.sorted(by: { $0.key < $1.key }) {
            guard let type = classes[name] else { continue }
            let width = type.columnNames.count + 3
            let chunk = max(1, min(500, ServerRows.parameterMaximum / width))
            var start = 0
            while start < rows.count {
                let end = min(start + chunk, rows.count)
                try insert(Array(rows[start..<end]), of: type)
                start = end
            }
        }
    }

    private func delete(
        _ key: String, _ row: ServerRow, of type: SyncedClass
    ) throws(UpstreamError) {
        if row.existed {
            let deleted = try connection.query(
                "DELETE FROM \(type.table) WHERE \(SQLText.name(type.key.name)) = "
                    + type.key(fromText: "$1"), [key])
            guard deleted.changedCount == 1 else { throw ServerRows.ignored(key, type, "delete") }
        }
        try connection.query(
            """
            INSERT INTO firn.tomb (class, pk, hlc) VALUES ($1, $2, $3)
            ON CONFLICT (class, pk) DO UPDATE
            SET hlc = greatest(firn.tomb.hlc, excluded.hlc), at = now()
            """,
            [
                numbers[type.name].map { String($0) }, key,
                String(row.deletedAt?.rawValue ?? 0),
            ])
    }

    private func update(
        _ key: String, _ row: ServerRow, of type: SyncedClass
    ) throws(UpstreamError) {
        var parameters: [String?] = [key]
        let texts = row.texts ?? [:]
        var assignments: [String] = []
        for column in type.columns where column.name != type.key.name {
            let values = texts[column.name] ?? column.names.map { _ in nil }
            for (name, value) in zip(column.names, values) {
                parameters.append(value)
                assignments.append("\(SQLText.name(name)) = $\(parameters.count)")
            }
        }
        parameters += row.stampTexts
        let first = parameters.count - 2
        assignments.append("_hlc = jsonb_object($\(first)::text[], $\(first + 1)::text[])")
        assignments.append("_row_hlc = $\(first + 2)")
        let updated = try connection.query(
            "UPDATE \(type.table) SET \(assignments.joined(separator: ", ")) WHERE "
                + "\(SQLText.name(type.key.name)) = \(type.key(fromText: "$1"))", parameters)
        guard updated.changedCount == 1 else { throw ServerRows.ignored(key, type, "change") }
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

    private func insert(
        _ rows: [(key: String, row: ServerRow)], of type: SyncedClass
    ) throws(UpstreamError) {
        let count = try insert(rows, of: type, " ON CONFLICT DO NOTHING")
        if count != rows.count { throw try conflict(rows, of: type) }
    }

    /// - Returns: The number of inserted rows.
    private func insert(
        _ rows: [(key: String, row: ServerRow)], of type: SyncedClass, _ clause: String
    ) throws(UpstreamError) -> Int {
        var parameters: [String?] = []
        var tuples: [String] = []
        for (_, row) in rows {
            var places: [String] = []
            for column in type.columns {
                let values = row.texts?[column.name] ?? column.names.map { _ in nil }
                for value in values {
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
        return try connection.query(
            "INSERT INTO \(type.table) (\(type.columnNames.joined(separator: ", ")), _hlc, _row_hlc) "
                + "VALUES \(tuples.joined(separator: ", "))\(clause)", parameters
        ).changedCount
    }

    /// Returns why some of new rows were not inserted, although their keys were not found before.
    ///
    /// A row that another client created meanwhile is found now. One that the policies of the server
    /// hide from this user is not, and neither is one that a constraint or a trigger kept out: trying
    /// again would never end.
    private func conflict(
        _ rows: [(key: String, row: ServerRow)], of type: SyncedClass
    ) throws(UpstreamError) -> UpstreamError {
        let keys = rows.map(\.key)
        let found = try connection.query(
            """
            SELECT \(type.keyText(ofRow: "t")), t.xmin = pg_current_xact_id()::xid
            FROM \(type.table) t WHERE t.\(SQLText.name(type.key.name)) IN
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

extension SyncedClass {
    /// Returns the texts of a row by property.
    func texts(of row: [String?]) -> TextMap<[String?]> {
        var texts: TextMap<[String?]> = [:]
        var index = 0
        for column in columns {
            let end = min(index + column.names.count, row.count)
            texts[column.name] = Array(row[min(index, end)..<end])
            index = end
        }
        return texts
    }
}
