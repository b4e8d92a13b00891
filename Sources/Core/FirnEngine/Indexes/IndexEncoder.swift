import FirnCodec
import FirnValues

/// An encoder of the entries of an index from the rows of row groups.
struct IndexEncoder {
    let index: IndexSchema
    let properties: [PropertySchema]
    let ignoresCase: Bool
    private let hasElements: Bool

    /// The share of the rows of a group, as a divisor, at which whole columns are decoded.
    private static let columnShare = 16

    init(_ index: IndexSchema, of schema: ClassSchema) {
        self.index = index
        properties = index.properties.compactMap { schema[$0] }
        ignoresCase = index.options.contains(.caseInsensitive)
        hasElements = properties.contains { $0.type.container != .single }
    }

    /// Whether the changes of a row group may change entries.
    func isAffected(by patch: GroupPatch) -> Bool {
        !patch.deleted.isEmpty || properties.contains { patch.changes($0.id) }
    }

    /// Passes the entries of rows to a closure.
    ///
    /// - Parameters:
    ///   - rows: The indices of rows, ascending; `nil` for all rows.
    ///   - body: Receives the row and a key, which is valid only during the call. The keys of a row
    ///     are distinct, and follow each other.
    func forEachEntry(
        of view: RowGroupView, rows: [UInt32]? = nil,
        _ body: (UInt32, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let offsets = try rowIDs(of: view, rows)
        func row(_ position: Int) -> UInt32 { rows?[position] ?? UInt32(position) }
        var key: [UInt8] = []
        if hasElements {
            try forEachElement(of: view, rows) { position, elements, range throws(StoreError) in
                var seen: Set<[UInt8]> = []
                for element in range {
                    key.removeAll(keepingCapacity: true)
                    IndexKey.append(elements, element, folding: ignoresCase, to: &key)
                    IndexKey.append(bigEndian: offsets[position], to: &key)
                    guard range.count == 1 || seen.insert(key).inserted else { continue }
                    try key.withBytes { key throws(StoreError) in try body(row(position), key) }
                }
            }
            return
        }
        let columns = try properties.map { property throws(StoreError) in
            try vector(of: property, in: view, rows)
        }
        for position in 0..<offsets.count {
            key.removeAll(keepingCapacity: true)
            for column in columns {
                IndexKey.append(column, position, folding: ignoresCase, to: &key)
            }
            IndexKey.append(bigEndian: offsets[position], to: &key)
            try key.withBytes { key throws(StoreError) in try body(row(position), key) }
        }
    }

    /// Returns the key of the given values without the row id; `nil` if one of them is nil.
    ///
    /// - Parameters:
    ///   - values: One value for each property.
    ///   - textByteCountMax: The bytes after which a text is cut.
    func uniqueKey(
        of values: [Value], textByteCountMax: Int = IndexKey.textByteCountMaximum
    ) -> [UInt8]? {
        var key: [UInt8] = []
        for (property, value) in zip(properties, values) {
            guard !value.isNull else { return nil }
            var vector = ColumnVector(kind: property.columnKind)
            vector.append(property.type.toColumn(value))
            IndexKey.append(
                vector, 0, folding: ignoresCase, textByteCountMax: textByteCountMax, to: &key)
        }
        return key
    }

    /// Whether one of the values of an entry is nil.
    func hasNil(_ key: UnsafeRawBufferPointer) -> Bool {
        var rest = key.dropLast(IndexKey.rowByteCount)
        for property in properties {
            guard rest.popFirst() == 1 else { return true }
            IndexKey.skip(property.columnKind, &rest)
        }
        return false
    }

    // MARK: Columns

    /// Returns the ids of rows as numbers.
    private func rowIDs(
        of view: RowGroupView, _ rows: [UInt32]?
    ) throws(StoreError) -> [UInt64] {
        let first = view.firstRowID.rawValue
        if let rows, rows.count <= view.rowCount / IndexEncoder.columnShare || view.isValues {
            return try rows.map { row throws(StoreError) in
                try view.rowID(at: Int(row)).rawValue
            }
        }
        guard let page = try view.rowIDOffsets() else {
            if let rows { return rows.map { first &+ UInt64($0) } }
            return (0..<UInt64(view.rowCount)).map { first &+ $0 }
        }
        var offsets = ColumnVector(kind: .int)
        page.decode(0..<view.rowCount, into: &offsets)
        let ids = offsets.ints.map { first &+ UInt64(bitPattern: $0) }
        return rows?.map { ids[Int($0)] } ?? ids
    }

    /// Returns the values of rows.
    private func vector(
        of property: PropertySchema, in view: RowGroupView, _ rows: [UInt32]?
    ) throws(StoreError) -> ColumnVector {
        var vector = ColumnVector(kind: property.columnKind)
        guard let rows else {
            try view.column(property).decode(0..<view.rowCount, into: &vector)
            return vector
        }
        guard rows.count > view.rowCount / IndexEncoder.columnShare, !view.isValues else {
            for row in rows {
                vector.append(property.type.toColumn(try view.value(of: property, at: Int(row))))
            }
            return vector
        }
        let page = try view.column(property)
        rows.withUnsafeBufferPointer { page.gather($0, into: &vector) }
        return vector
    }

    /// Passes to a closure the elements of rows: the position of the row, a vector, and the range
    /// of its elements there.
    private func forEachElement(
        of view: RowGroupView, _ rows: [UInt32]?,
        _ body: (Int, ColumnVector, Range<Int>) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let property = properties.first else { return }
        if let rows, rows.count <= view.rowCount / IndexEncoder.columnShare {
            for (position, row) in rows.enumerated() {
                var vector = ColumnVector(collectionsOf: property.type)
                vector.append(try view.value(of: property, at: Int(row)))
                try body(position, vector.children[0], 0..<vector.children[0].count)
            }
            return
        }
        let column = try view.collection(property)
        let wanted = rows ?? Array(0..<UInt32(view.rowCount))
        var position = 0
        while position < wanted.count {
            // Elements of few rows at a time are in memory, because collections may be large.
            let end = min(wanted.count, position + IndexEncoder.rowsPerVector)
            var vector = ColumnVector(collectionsOf: property.type)
            try column.append(Array(wanted[position..<end]), into: &vector)
            for index in 0..<(end - position) {
                let range = Int(vector.offsets[index])..<Int(vector.offsets[index + 1])
                try body(position + index, vector.children[0], range)
            }
            position = end
        }
    }

    private static let rowsPerVector = 1_024
}
