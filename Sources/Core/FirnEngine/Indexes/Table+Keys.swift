import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// Looking up objects by primary key.
extension Table {
    /// Returns the object with a key, or `nil` if there is none or if the class has no key.
    ///
    /// - Complexity: O(log objects), O(objects) between a bulk load out of order and its commit
    package func row(forKey key: Value) throws(StoreError) -> RowID? {
        guard let property = schema.keyProperty, !key.isNull || property.type.isOptional else {
            return nil
        }
        let found: RowID?
        switch overlay?.keys ?? .ascending {
        case .unlisted: return try scan(for: key, property)
        case .listed(let changes):
            guard let listed = changes[key] else { return try baseRow(key, property) }
            found = listed
        case .ascending:
            guard case .ascending = record.keyIndex, let row = try appendedRow(key, property) else {
                return try baseRow(key, property)
            }
            found = row
        }
        guard let found, try locate(found) != nil else { return nil }
        return found
    }

    /// Returns an upper bound of ascending keys: the key of the last row.
    func greatestKey() throws(StoreError) -> Value? {
        guard let property = schema.keyProperty else { return nil }
        let last: RowGroupView?
        if let rows = overlay?.appended.last {
            last = unpatched(rows.source)
        } else {
            last = try directory.lastLeaf().last.map { unpatched(.stored($0)) }
        }
        guard let last else { return nil }
        return try last.value(of: property, at: last.rowCount - 1)
    }

    /// Returns a group without the changes to its rows, because the index of the root refers to the
    /// rows as they were.
    private func unpatched(_ source: RowGroupView.Source) -> RowGroupView {
        RowGroupView(source: source, patch: nil, record: record, pages: directory.pages)
    }

    /// Returns the row in the index of the root, unless it was deleted since then.
    private func baseRow(
        _ key: Value, _ property: PropertySchema
    ) throws(StoreError) -> RowID? {
        switch record.keyIndex {
        case .ascending: return try ascendingBaseRow(key, property)
        case .tree:
            guard let bytes = TreeKey.primary(key, mayBeNull: property.type.isOptional) else {
                return nil
            }
            let tree = tree(.keys)
            guard let value = try tree.value(forKey: bytes) else { return nil }
            guard let row = RowID(indexed: value) else {
                throw .corrupt(directory.pages.file.path, "the \(tree.name) names no row")
            }
            return try locate(row) == nil ? nil : row
        }
    }

    /// Searches the new rows, whose keys ascend, by bisection.
    private func appendedRow(
        _ key: Value, _ property: PropertySchema
    ) throws(StoreError) -> RowID? {
        let appended = overlay?.appended ?? []
        var low = 0
        var high = appended.count
        while low < high {
            let middle = (low + high) / 2
            let first = try unpatched(appended[middle].source).value(of: property, at: 0)
            if first.order(relativeTo: key) == .greater { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return nil }
        let group = unpatched(appended[low - 1].source)
        return try row(key, property, in: group).map { row throws(StoreError) in
            try group.rowID(at: row)
        }
    }

    /// Searches the groups of the root, whose keys ascend, by bisection.
    private func ascendingBaseRow(
        _ key: Value, _ property: PropertySchema
    ) throws(StoreError) -> RowID? {
        // The bisection runs over row ids, because leaves have no numbers: a probe gives the leaf
        // that contains the row id or the leaf before it.
        var low: UInt64 = 0
        var high = record.nextRowID.rawValue
        var best: RowGroup?
        while low < high {
            let middle = low + (high - low) / 2
            guard let groups = try directory.leaf(for: RowID(middle)), let first = groups.first
            else {
                low = middle + 1
                continue
            }
            guard let index = try lastGroup(groups, property, notAfter: key) else {
                // A damaged leaf may be out of order, but the search must end nevertheless.
                high = min(middle, first.firstRowID.rawValue)
                continue
            }
            best = groups[index]
            guard index == groups.count - 1 else { break }
            low = max(
                middle + 1, groups[index].firstRowID.rawValue &+ UInt64(groups[index].rowCount))
        }
        guard let best else { return nil }
        let group = unpatched(.stored(best))
        guard let row = try row(key, property, in: group), try group.isLive(row),
            overlay?.patches[best.firstRowID]?.deleted.contains(UInt32(row)) != true
        else { return nil }
        return try group.rowID(at: row)
    }

    /// Returns the last of some groups that contains a key that is not greater.
    private func lastGroup(
        _ groups: [RowGroup], _ property: PropertySchema, notAfter key: Value
    ) throws(StoreError) -> Int? {
        var low = 0
        var high = groups.count
        while low < high {
            let middle = (low + high) / 2
            if try begins(groups[middle], property, after: key) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low == 0 ? nil : low - 1
    }

    /// Returns whether all keys of a group are greater.
    private func begins(
        _ group: RowGroup, _ property: PropertySchema, after key: Value
    ) throws(StoreError) -> Bool {
        // A long text is truncated in the zone map, and a nil, which comes first, is not in it. In
        // these cases the page decides.
        if let minimum = group.minimum(of: property.id) {
            if case .string(let text) = minimum, text.utf8.count >= 24 {
            } else {
                return minimum.order(relativeTo: key) == .greater
            }
        }
        let first = try unpatched(.stored(group)).column(property).value(at: 0)
        return first.order(relativeTo: key) == .greater
    }

    /// Returns the index of a row in a group whose keys ascend.
    private func row(
        _ key: Value, _ property: PropertySchema, in group: RowGroupView
    ) throws(StoreError) -> Int? {
        // Rows that are not stored as pages are not converted to a column for one access.
        guard group.isValues else { return try group.column(property).firstRow(of: key) }
        var low = 0
        var high = group.rowCount
        while low < high {
            let middle = (low + high) / 2
            if try group.value(of: property, at: middle).order(relativeTo: key) == .less {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < group.rowCount, try group.value(of: property, at: low) == key else {
            return nil
        }
        return low
    }

    /// Examines every row that zone maps do not exclude.
    private func scan(for key: Value, _ property: PropertySchema) throws(StoreError) -> RowID? {
        let test = key.isNull ? ColumnTest.isNull : .compare(.equal, key)
        for group in try rowGroups() {
            if let zone = group.zone(of: property), zone.verdict(test) == .none { continue }
            var rows = Bitmap(count: group.rowCount)
            try group.column(property).filter(test, into: &rows)
            if let live = try group.liveRows() { rows.formIntersection(live) }
            var found: [UInt32] = []
            rows.appendRows(to: &found)
            if let row = found.first { return try group.rowID(at: Int(row)) }
        }
        return nil
    }
}

extension RowID {
    /// The encoding of a row id in a key index: 8 bytes, little endian.
    var indexBytes: [UInt8] { withUnsafeBytes(of: rawValue.littleEndian) { Array($0) } }

    init?(indexed bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        self.init(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}
