import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues

extension Upstream {
    /// A comparison of one class on both sides.
    package struct Comparison: Hashable, Sendable {
        package let className: String
        package let localCount: Int
        package let serverCount: Int
        /// Hashes of all objects, independent of their order.
        package let localHash: UInt64
        package let serverHash: UInt64
        /// Some keys of objects that differ.
        package let differences: [String]

        package var isEqual: Bool { localCount == serverCount && localHash == serverHash }
    }

    /// Compares the subset with the server, in one snapshot of each.
    ///
    /// Changes that are still under way are differences.
    ///
    /// - Complexity: O(objects of the subset)
    package func verify() throws(UpstreamError) -> [Comparison] {
        let newest = try snapshot()
        let chosen = try Subset(newest)
        let columns = try record().columns
        let connection = try connected()
        return try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            () throws(UpstreamError) in
            let subset = try chosen.resolved(columns, in: try ServerLayout(connection))
            var result: [Comparison] = []
            for part in subset.parts {
                let local = try RowHashes(part.type, in: newest.snapshot)
                let server = try RowHashes(part, of: subset, connection, newest.snapshot)
                result.append(local.compared(with: server, part.type.name))
            }
            return result
        }
    }
}

/// The hashes of the objects of a class by key.
private struct RowHashes {
    private var hashes: TextMap<UInt64> = [:]

    /// Hashes the objects of the file.
    init(_ type: SyncedClass, in snapshot: Snapshot) throws(UpstreamError) {
        let texts = ValueTexts(snapshot)
        guard let table = snapshot.table(type.schema.id) else { return }
        let rows = try UpstreamError.converting { () throws(StoreError) in
            try table.liveRowIDs()
        }
        for row in rows {
            let values = try UpstreamError.converting { () throws(StoreError) in
                try table.values(of: row)
            }
            if let values { try add(values, of: type, texts) }
        }
    }

    /// Hashes the rows of the server, with links as the file can have them.
    init(
        _ part: Subset.Part, of subset: Subset, _ connection: PostgresConnection,
        _ snapshot: Snapshot
    ) throws(UpstreamError) {
        let type = part.type
        let scratch = ScratchObjects()
        let texts = ValueTexts(snapshot, scratch: scratch)
        let values = TextValues(
            snapshot.schema,
            find: { target, key throws(StoreError) in
                try snapshot.table(target.id)?.row(forKey: key)
            }, create: { classID, values in scratch.create(classID, values) })
        let condition = try subset.condition(of: part)
        try connection.query(
            "DECLARE firn_rows NO SCROLL CURSOR FOR SELECT \(type.keyText(ofRow: "t")), "
                + type.columnNames.map { "t.\($0)" }.joined(separator: ", ")
                + " FROM \(type.table) t WHERE \(condition.sql)", condition.parameters)
        while true {
            let page = try connection.query("FETCH \(Pull.pageRowCount) FROM firn_rows")
            for row in 0..<page.count {
                do throws(UpstreamError) {
                    try add(
                        try values.row(page.texts(ofRow: row, from: 1), of: type), of: type, texts)
                } catch {
                    guard error.code == .unsupported else { throw error }
                    // The file cannot have the row: the object differs from any that it may have.
                    hashes[page[row, 0] ?? ""] = 0
                }
                scratch.removeAll()
            }
            if page.count < Pull.pageRowCount { break }
        }
        try connection.execute("CLOSE firn_rows")
    }

    private mutating func add(
        _ values: [Value], of type: SyncedClass, _ texts: ValueTexts
    ) throws(UpstreamError) {
        var key = ""
        var properties: [PropertyText] = []
        for (column, value) in zip(type.columns, values) {
            properties.append(
                PropertyText(
                    name: column.name, texts: try texts.texts(RowHashes.ordered(value), column)))
            if column.name == type.key.name { key = try SyncedClass.keyText(value) ?? "" }
        }
        hashes[key] = PropertyCoding.bytes(properties).withUnsafeBytes {
            Checksum.xxh64($0, seed: 0)
        }
    }

    /// Sets have no order of their own.
    private static func ordered(_ value: Value) -> Value {
        guard case .set(let elements) = value else { return value }
        return .set(elements.sorted { $0.order(relativeTo: $1) == .less })
    }

    func compared(with server: RowHashes, _ name: String) -> Upstream.Comparison {
        let differing = TextSet(hashes.keys).union(TextSet(server.hashes.keys))
            .filter { hashes[$0] != server.hashes[$0] }.sorted()
        return Upstream.Comparison(
            className: name, localCount: hashes.count, serverCount: server.hashes.count,
            localHash: hashes.values.reduce(0, &+), serverHash: server.hashes.values.reduce(0, &+),
            differences: Array(differing.prefix(10)))
    }
}
