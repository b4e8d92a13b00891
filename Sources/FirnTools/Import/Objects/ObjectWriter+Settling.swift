import FirnCodec
import FirnEngine
import FirnValues

extension ObjectWriter {
    /// A property with pending links.
    private struct Column: Hashable {
        let classID: ClassID
        let property: PropertySchema
    }

    /// Up to this fraction of its objects, the links of a property are set individually.
    private static let singlesShare = 8

    /// Sets the pending links.
    ///
    /// - Returns: the number of links without a target, and the error of the first.
    func settle() throws(StoreError) -> (count: UInt64, first: (RecordMistake, String))? {
        let columns = try bulkColumns()
        var filled: [Column: [RowID: Value]] = [:]
        var missing: UInt64 = 0
        var first: (RecordMistake, String)?
        // Many objects link to the same ones, and no step below changes a key.
        var known: [ObjectName: RowID] = [:]
        for item in pending {
            let value = try item.value.mapped { object throws(StoreError) in
                .object(object)
            } _: { name throws(StoreError) in
                if let row = try find(name.name, &known) {
                    return .value(
                        .link(ObjectReference(classID: name.name.classID, rowID: row)))
                }
                missing += 1
                if first == nil { first = (dangling(name, item.property), item.input) }
                return .pending(name)
            }
            let (row, classID) = (item.reference.rowID, item.reference.classID)
            let column = Column(classID: classID, property: item.property)
            // An operation may have deleted the object in the meantime.
            guard let value = value.value, try transaction.exists(row, in: classID) else {
                continue
            }
            if columns.contains(column) {
                filled[column, default: [:]][row] = value
            } else {
                try transaction.set(item.property.id, of: row, in: classID, to: value)
            }
        }
        pending.removeAll()
        if first == nil {
            for (column, values) in filled { try fill(column, values) }
        }
        return first.map { (missing, $0) }
    }

    /// Returns an object, and adds it to those that are known.
    private func find(
        _ name: ObjectName, _ known: inout [ObjectName: RowID]
    ) throws(StoreError) -> RowID? {
        if let row = known[name] { return row }
        let row = try find(name)
        known[name] = row
        return row
    }

    /// Returns the properties with so many pending links that filling the whole column is faster.
    private func bulkColumns() throws(StoreError) -> Set<Column> {
        var counts: [Column: Int] = [:]
        for item in pending {
            let type = item.property.type
            guard type.base == .link, type.container == .single else { continue }
            let column = Column(classID: item.reference.classID, property: item.property)
            counts[column, default: 0] += 1
        }
        guard !counts.isEmpty else { return [] }
        let snapshot = try transaction.snapshot()
        return Set(
            counts.filter { column, count in
                let objects = snapshot.table(column.classID)?.liveRowCount ?? 0
                return count > objects / ObjectWriter.singlesShare
            }.keys)
    }

    private func fill(_ column: Column, _ values: [RowID: Value]) throws(StoreError) {
        guard let target = column.property.type.target else { return }
        try transaction.fill(column.property.id, of: column.classID) { group throws(StoreError) in
            let old = try group.column(column.property)
            let live = try group.liveRows()
            var links: [Value] = []
            links.reserveCapacity(group.rowCount)
            for row in 0..<group.rowCount {
                if !(live?[row] ?? true) {
                    links.append(.null)
                } else if let value = values[try group.rowID(at: row)] {
                    links.append(value)
                } else if case .int(let number) = old.value(at: row) {
                    let row = RowID(UInt64(bitPattern: number))
                    links.append(.link(ObjectReference(classID: target, rowID: row)))
                } else {
                    links.append(.null)
                }
            }
            return links
        }
    }
}
