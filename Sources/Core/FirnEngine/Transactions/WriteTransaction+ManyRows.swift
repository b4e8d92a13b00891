import FirnCodec
import FirnValues

/// Objects of one row group that a change to many objects reaches together.
struct RowsOfGroup {
    /// The first row id of the group.
    let group: RowID
    /// The number of rows of the group, including deleted ones.
    let rowCount: Int
    /// The indices of the objects in the group, ascending.
    let indices: [UInt32]
}

/// Changes to many objects, applied row group by row group.
///
/// A single change finds its row group, copies a path of the overlay and writes one entry. For many
/// rows of a group, one new column or one set of bits costs less and has the same meaning.
extension WriteTransaction {
    /// The minimum number of objects at which a change is made row group by row group.
    static let manyRowsMinimum = 64

    /// The share of the rows of a group, as a divisor, at which a change rewrites the column.
    ///
    /// An entry of the overlay takes about as long as eight rows of a new column.
    static let columnShare = 8

    /// The share of the objects of a class, as a divisor, at which a derived index is rebuilt when
    /// the overlay is folded.
    ///
    /// To build an entry from its row takes about a quarter of the time of changing one.
    static let indexShare = 4

    /// Returns the rows of a class by row group.
    ///
    /// - Parameter rows: Sealed objects, ascending, each once.
    /// - Throws: ``StoreError`` with `unknownObject` if one of them does not exist.
    func runs(of rows: [RowID], _ plan: ClassWriteCache) throws(StoreError) -> [RowsOfGroup] {
        let table = sealedTable(plan)
        var runs: [RowsOfGroup] = []
        var rest = rows[...]
        while let first = rest.first {
            guard let (view, _) = try table.locate(first) else {
                throw unknownObject(first, plan.schema)
            }
            let indices = try view.leadingIndices(of: rest)
            if let live = try view.liveRows() {
                for (row, index) in zip(rest, indices) where !live[Int(index)] {
                    throw unknownObject(row, plan.schema)
                }
            }
            runs.append(
                RowsOfGroup(group: view.firstRowID, rowCount: view.rowCount, indices: indices))
            rest = rest.dropFirst(indices.count)
        }
        return runs
    }

    /// Returns the view of the row group of a run.
    func view(of run: RowsOfGroup, _ plan: ClassWriteCache) throws(StoreError) -> RowGroupView {
        guard let view = try sealedTable(plan).group(startingAt: run.group) else {
            throw unknownObject(run.group, plan.schema)
        }
        return view
    }

    /// Sets a single property of the objects of a run in the overlay, without any check.
    ///
    /// - Parameter values: One value per object, or the value of all objects.
    func store(
        _ values: RunValues, _ property: PropertySchema, in run: RowsOfGroup,
        _ plan: ClassWriteCache
    ) throws(StoreError) {
        if let page = try column(values, property, in: run, plan) {
            return replace(property.id, of: run.group, in: plan.schema.id, with: page)
        }
        let entries = run.indices.enumerated().map { index, row in
            RowMap.Entry(row: row, element: values[index])
        }
        merge(entries, into: property.id, of: run.group, in: plan.schema.id)
    }

    /// Returns the column of a group with new values, or `nil` if too few of its rows change.
    private func column(
        _ values: RunValues, _ property: PropertySchema, in run: RowsOfGroup,
        _ plan: ClassWriteCache
    ) throws(StoreError) -> ColumnPage? {
        guard run.indices.count * WriteTransaction.columnShare >= run.rowCount else { return nil }
        if run.indices.count == run.rowCount {
            switch values {
            case .one(let value):
                return try store.pages.coding(
                    ColumnPage(
                        repeating: property.type.toColumn(value), kind: property.columnKind,
                        rowCount: run.rowCount))
            case .vector(let vector, let start):
                return try column(vector, rows: start..<start + run.rowCount)
            case .each: break
            }
        }
        let base = try view(of: run, plan).column(property)
        if case .vector(let vector, let start) = values, !vector.kind.isStoredAsBytes {
            var merged = ColumnVector(kind: vector.kind)
            base.decode(0..<run.rowCount, into: &merged)
            merged.replace(run.indices, by: vector, from: start)
            return try column(merged, rows: 0..<run.rowCount)
        }
        return try store.pages.whileCoding { () throws(CodecError) in
            let builder = ColumnBuilder(kind: property.columnKind)
            var source = PageRows(base)
            var next: UInt32 = 0
            for (index, row) in run.indices.enumerated() {
                if next < row { source.append(next..<row, to: builder) }
                if case .vector(let vector, let start) = values {
                    builder.append(vector, rows: start + index..<start + index + 1)
                } else {
                    try builder.append(property.type.toColumn(values[index]))
                }
                next = row + 1
            }
            source.append(next..<UInt32(run.rowCount), to: builder)
            return try builder.makePage()
        }
    }

    /// Returns a column with consecutive rows of a vector.
    private func column(
        _ vector: ColumnVector, rows: Range<Int>
    ) throws(StoreError) -> ColumnPage {
        try store.pages.whileCoding { () throws(CodecError) in
            let builder = ColumnBuilder(kind: vector.kind)
            builder.append(vector, rows: rows)
            return try builder.makePage()
        }
    }
}

/// The new values of the objects of a run; values of later objects may follow.
enum RunValues {
    case one(Value)
    case each(ArraySlice<Value>)
    /// Consecutive rows of a vector of the property's kind, starting at the given one.
    case vector(ColumnVector, Int)

    subscript(index: Int) -> Value {
        switch self {
        case .one(let value): value
        case .each(let values): values[values.startIndex + index]
        case .vector(let vector, let start): vector.value(at: start + index)
        }
    }

    /// Returns the values from an object onward.
    func rest(from index: Int) -> RunValues {
        switch self {
        case .one: self
        case .each(let values): .each(values.dropFirst(index))
        case .vector(let vector, let start): .vector(vector, start + index)
        }
    }
}

extension Table {
    /// Returns the row group with a given first row id, or `nil` if there is none.
    func group(startingAt first: RowID) throws(StoreError) -> RowGroupView? {
        let appended = overlay?.appended ?? []
        if let index = Bisection.lastIndex(in: appended, { $0.firstRowID <= first }) {
            return appended[index].firstRowID == first ? view(appended[index].source) : nil
        }
        guard let group = try directory.group(for: first), group.firstRowID == first else {
            return nil
        }
        return view(.stored(group))
    }
}

extension RowGroupView {
    /// Returns the indices of the leading rows that are in this group, deleted or not.
    ///
    /// - Parameter rows: Row ids, ascending.
    /// - Complexity: O(rows) while the row ids of the group have no gaps, otherwise O(rows of the
    ///   group)
    func leadingIndices(of rows: ArraySlice<RowID>) throws(StoreError) -> [UInt32] {
        var indices: [UInt32] = []
        let first = firstRowID.rawValue
        guard let offsets = try rowIDOffsets() else {
            for row in rows {
                guard row.rawValue >= first, row.rawValue - first < UInt64(rowCount) else { break }
                indices.append(UInt32(truncatingIfNeeded: row.rawValue - first))
            }
            return indices
        }
        var known = ColumnVector(kind: .int)
        offsets.decode(0..<rowCount, into: &known)
        var index = 0
        for row in rows {
            guard row.rawValue >= first else { break }
            let wanted = Int64(clamping: row.rawValue - first)
            while index < rowCount, known.ints[index] < wanted { index += 1 }
            guard index < rowCount, known.ints[index] == wanted else { break }
            indices.append(UInt32(truncatingIfNeeded: index))
        }
        return indices
    }
}
