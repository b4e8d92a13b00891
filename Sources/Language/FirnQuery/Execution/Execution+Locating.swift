import FirnCodec
import FirnEngine
import FirnValues

extension Execution {
    /// Locates the objects of a lookup.
    ///
    /// Opens only the row groups that contain them.
    static func find(
        _ rows: [RowID], _ table: Table, path: String
    ) throws(StoreError) -> (TableScanner, [RowRun]) {
        let found = try table.locate(rows)
        let runs = found.enumerated().map { RowRun(group: $0, selection: .listed($1.indices)) }
        return (TableScanner(table.schema, found.map(\.group), path: path), runs)
    }

    /// Locates objects in any order.
    ///
    /// Opens only the row groups that contain them.
    static func references(
        to rows: [RowID], _ table: Table, path: String
    ) throws(StoreError) -> (TableScanner, [RowReference]) {
        let found = try table.locate(rows.sorted())
        let scanner = TableScanner(table.schema, found.map(\.group), path: path)
        return (scanner, try references(to: rows, in: scanner))
    }

    /// Returns the locations of the objects that exist.
    static func references(
        to rows: [RowID], in scanner: TableScanner
    ) throws(StoreError) -> [RowReference] {
        let groups = scanner.groups
        var references: [RowReference] = []
        references.reserveCapacity(rows.count)
        var group = 0
        for row in rows {
            // Consecutive ids are usually in the same group.
            if !scanner.mayHold(row, group) { group = scanner.group(of: row) }
            guard groups.indices.contains(group),
                let index = try groups[group].liveIndex(of: row)
            else { continue }
            references.append(
                RowReference(
                    group: UInt32(truncatingIfNeeded: group),
                    row: UInt32(truncatingIfNeeded: index)))
        }
        return references
    }

    /// Returns the values of the aggregates, if indexes have all of them.
    func extremes() throws(StoreError) -> [Value]? {
        guard candidates == nil, case .aggregates(let aggregates) = plan.output else { return nil }
        return try OrderedAccess.extremes(
            aggregates, of: plan, try reader.table(query.classSchema))
    }
}
