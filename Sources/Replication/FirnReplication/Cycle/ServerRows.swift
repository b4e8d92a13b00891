import FirnValues

/// The rows of the server that a batch changes, locked until the end of the transaction.
struct ServerRows {
    let connection: PostgresConnection
    let classes: TextMap<SyncedClass>
    private let layout: ServerLayout
    private let serverMilliseconds: Int64
    private(set) var rows: [ObjectName: ServerRow] = [:]
    /// The objects in the order of their first change.
    private(set) var order: [ObjectName] = []

    private static let keyMaximum = 1000

    /// Reads and locks the rows, in the order of classes and keys, so that two batches cannot wait
    /// for each other.
    init(
        _ connection: PostgresConnection, _ batch: [Outgoing], _ classes: TextMap<SyncedClass>,
        _ layout: ServerLayout
    ) throws(UpstreamError) {
        self.connection = connection
        self.classes = classes
        self.layout = layout
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
            guard let type = classes[name], let number = type.number else {
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

    /// The creations of objects that others had created with other values.
    var collisions: [Outgoing] { order.flatMap { rows[$0]?.collisions ?? [] } }

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
            FROM \(type.table) t WHERE t.\(SQLText.name(type.key.main)) IN
                (SELECT \(type.key(fromText: "k")) FROM unnest($1::text[]) k)
            ORDER BY t.\(SQLText.name(type.key.main)) FOR UPDATE
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
        guard let type = classes[change.className], let number = type.number else { return }
        try rows[change.object]?.apply(
            change, at: change.time.limited(toServer: serverMilliseconds), in: type,
            layout.table(number: number)?.rules ?? ConflictRules())
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
