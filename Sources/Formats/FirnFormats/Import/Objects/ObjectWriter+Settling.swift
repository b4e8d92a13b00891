import FirnCodec
package import FirnEngine
import FirnValues

extension ObjectWriter {
    /// A property with pending links.
    private struct Column: Hashable {
        let classID: ClassID
        let property: PropertySchema
    }

    /// The links without a target.
    private struct Missing {
        var count: UInt64 = 0
        var first: (mistake: RecordMistake, input: String, order: UInt64)?

        /// Adds links.
        mutating func add(
            _ count: Int, at order: UInt64, in input: String, _ mistake: () -> RecordMistake
        ) {
            self.count += UInt64(count)
            if first.map({ order < $0.order }) ?? true { first = (mistake(), input, order) }
        }
    }

    /// Up to this fraction of its objects, the links of a property are set individually.
    private static let singlesShare = 8

    /// Sets the pending links.
    ///
    /// - Returns: the number of links without a target, and the error of the first.
    package func settle() throws(StoreError) -> (count: UInt64, first: (RecordMistake, String))? {
        var missing = Missing()
        let filled = try settleValues(&missing)
        let keyed = try keyed.columns.map { column throws(StoreError) in
            (column, try targets(of: column, &missing))
        }
        pending.removeAll()
        self.keyed.removeAll()
        if let first = missing.first { return (missing.count, (first.mistake, first.input)) }
        for (column, values) in filled { try fill(column) { values[$0] } }
        for (column, targets) in keyed { try fill(column, targets) }
        return nil
    }

    /// Sets the pending links of one property of an object, before it is changed in another way.
    func settle(_ property: PropertyID, of object: ObjectReference) throws(RecordError) {
        guard !pending.isEmpty else { return }
        for item in pending.take(of: object, where: { $0 == property }) {
            let value = try item.value.mapped { object throws(RecordError) in
                .object(object)
            } _: { name throws(RecordError) in
                let row: RowID?
                do throws(StoreError) { row = try find(name.name) } catch { throw .store(error) }
                guard let row else { throw .rejected(dangling(name, item.property)) }
                return .value(.link(ObjectReference(classID: name.name.classID, rowID: row)))
            }
            guard let value = value.value else { continue }
            do throws(StoreError) {
                try transaction.set(property, of: object.rowID, in: object.classID, to: value)
            } catch { throw .store(error) }
        }
    }

    // MARK: Values

    /// Sets the links of values; returns the values of properties whose whole column is filled.
    private func settleValues(
        _ missing: inout Missing
    ) throws(StoreError) -> [Column: [RowID: Value]] {
        let columns = try bulkColumns()
        var filled: [Column: [RowID: Value]] = [:]
        // Many objects link to the same ones, and no step below changes a key.
        var known: [ObjectName: RowID] = [:]
        for item in pending.items {
            let (row, classID) = (item.object.rowID, item.object.classID)
            // An operation may have deleted the object in the meantime.
            guard try transaction.exists(row, in: classID) else { continue }
            let value = try item.value.mapped { object throws(StoreError) in
                .object(object)
            } _: { name throws(StoreError) in
                if let row = try find(name.name, &known) {
                    return .value(
                        .link(ObjectReference(classID: name.name.classID, rowID: row)))
                }
                missing.add(1, at: item.order, in: item.input) { dangling(name, item.property) }
                return .pending(name)
            }
            guard let value = value.value else { continue }
            let column = Column(classID: classID, property: item.property)
            if columns.contains(column) {
                filled[column, default: [:]][row] = value
            } else {
                try transaction.set(item.property.id, of: row, in: classID, to: value)
            }
        }
        return filled
    }

    /// Returns an object, and adds it to the known objects.
    private func find(
        _ name: ObjectName, _ known: inout [ObjectName: RowID]
    ) throws(StoreError) -> RowID? {
        if let row = known[name] { return row }
        let row = try find(name)
        known[name] = row
        return row
    }

    /// Returns the properties with enough pending links to make filling the whole column faster.
    private func bulkColumns() throws(StoreError) -> Set<Column> {
        var counts: [Column: Int] = [:]
        for item in pending.items {
            let type = item.property.type
            guard type.base == .link, type.container == .single else { continue }
            let column = Column(classID: item.object.classID, property: item.property)
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

    // MARK: Columns

    /// Returns the objects with the keys that links have.
    private func targets(
        of column: KeyedLinks.Column, _ missing: inout Missing
    ) throws(StoreError) -> [RowID?] {
        let targets = try column.keys.map { key, _ throws(StoreError) in
            try transaction.row(forKey: key, in: column.target.id)
        }
        guard targets.contains(nil) else { return targets }
        var counts = Array(repeating: 0, count: targets.count)
        for index in column.keyIndices { counts[Int(index)] += 1 }
        for (index, row) in targets.enumerated() where row == nil {
            let (key, first) = column.keys[index]
            missing.add(counts[index], at: first.order, in: first.input) {
                let name = ObjectName(classID: column.target.id, identity: .key(key))
                return dangling(PendingName(name: name, position: first.position), column.property)
            }
        }
        return targets
    }

    private func fill(
        _ column: KeyedLinks.Column, _ targets: [RowID?]
    ) throws(StoreError) {
        func link(_ index: Int) -> Value {
            let target = targets[Int(column.keyIndices[index])]
            return target.map {
                .link(ObjectReference(classID: column.target.id, rowID: $0))
            } ?? .null
        }
        let objects = try transaction.snapshot().table(column.classID)?.liveRowCount ?? 0
        guard column.rows.count > objects / ObjectWriter.singlesShare else {
            for (index, row) in column.rows.enumerated() {
                try transaction.set(
                    column.property.id, of: row, in: column.classID, to: link(index))
            }
            return
        }
        // Both the links and the rows of the groups ascend.
        var next = 0
        let property = Column(classID: column.classID, property: column.property)
        try fill(property) { row in
            while next < column.rows.count, column.rows[next] < row { next += 1 }
            guard next < column.rows.count, column.rows[next] == row else { return nil }
            return link(next)
        }
    }

    /// Sets the links of a property.
    ///
    /// - Parameter link: returns the new link of an object, which are asked for in ascending order;
    ///   `nil` if it keeps its link.
    private func fill(_ column: Column, _ link: (RowID) -> Value?) throws(StoreError) {
        guard let target = column.property.type.target else { return }
        try transaction.fill(column.property.id, of: column.classID) { group throws(StoreError) in
            let old = try group.column(column.property)
            let live = try group.liveRows()
            var links: [Value] = []
            links.reserveCapacity(group.rowCount)
            for row in 0..<group.rowCount {
                if !(live?[row] ?? true) {
                    links.append(.null)
                } else if let value = link(try group.rowID(at: row)) {
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
