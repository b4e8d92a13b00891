package import FirnValues

/// The objects of a class by the values of some properties, read from the key or from an index.
///
/// An index that begins with these properties, in whatever order, serves as well:
///
///     properties    dest, origin
///     index         (origin, dest, day)
package struct ValueLookup {
    private enum Source {
        case key
        case index(IndexReader, IndexEncoder)
    }

    private let table: Table
    private let source: Source
    /// The position of the value of each leading property of the index.
    private let positions: [Int]
    /// Whether the entries of the same values ascend: no other property follows.
    package let ascends: Bool

    /// `key id` or `index Person.name`.
    package var name: String {
        switch source {
        case .key: "key \(table.schema.keyProperty?.name ?? "")"
        case .index(let reader, _): "index \(table.schema.name(of: reader.index))"
        }
    }

    /// - Returns: `nil` if no index begins with the properties.
    /// - Complexity: As that of ``Table/reader(of:)``
    package init?(_ table: Table, on properties: [PropertyID]) throws(StoreError) {
        self.table = table
        let schema = table.schema
        if properties.count == 1, properties[0] == schema.key {
            source = .key
            positions = [0]
            ascends = true
            return
        }
        // An index of no more than these properties comes first.
        let indexes = schema.indexes.sorted { $0.properties.count < $1.properties.count }
        for index in indexes where !index.options.contains(.caseInsensitive) {
            let leading = index.properties.prefix(properties.count)
            let positions = leading.compactMap { properties.firstIndex(of: $0) }
            guard positions.count == properties.count,
                leading.allSatisfy({ schema[$0]?.type.container == .single }),
                let reader = try table.reader(of: index)
            else { continue }
            source = .index(reader, IndexEncoder(index, of: schema))
            self.positions = positions
            ascends = index.properties.count == positions.count
            return
        }
        return nil
    }

    /// Returns the number of entries that a lookup of values reads, which is at least the number of
    /// objects.
    ///
    /// - Complexity: O(log objects)
    package func entryCount(with values: [Value]) throws(StoreError) -> Int {
        guard case .index(let reader, let encoder) = source else { return 1 }
        guard let key = encoder.uniqueKey(of: positions.map { values[$0] }) else { return 0 }
        return try reader.count(in: IndexRange(prefix: key))
    }

    /// Returns the objects with the given values, ascending.
    ///
    /// - Parameters:
    ///   - values: One value for each property, in the order of the properties. No object is found
    ///     by nil.
    ///   - limit: The number of objects that are enough, at least 1; `nil` for all. More may be
    ///     returned.
    /// - Complexity: O(log objects + found objects)
    package func rows(
        with values: [Value], limit: Int? = nil
    ) throws(StoreError) -> [RowID] {
        guard case .index(let reader, let encoder) = source else {
            guard let key = values.first, !key.isNull else { return [] }
            return try table.row(forKey: key).map { [$0] } ?? []
        }
        let sought = positions.map { values[$0] }
        guard let key = encoder.uniqueKey(of: sought),
            let whole = encoder.uniqueKey(of: sought, textByteCountMax: .max)
        else { return [] }
        let span = try reader.span(of: IndexRange(prefix: key))
        guard whole != key else {
            let rows = try reader.rows(of: span, limit: ascends ? limit : nil)
            return ascends ? rows : rows.sorted()
        }
        var rows: [RowID] = []
        for row in try reader.rows(of: span) {
            let present = try encoder.values(of: row, in: table) ?? []
            let leading = Array(present.prefix(sought.count))
            if encoder.uniqueKey(of: leading, textByteCountMax: .max) == whole { rows.append(row) }
        }
        return ascends ? rows : rows.sorted()
    }
}
