import FirnCodec
import FirnEngine
import FirnValues

/// The values of rows in any order.
///
/// The values are fetched group by group, so that a page is decoded once for many rows.
struct ScatteredVectors {
    /// One vector per expression, in the order of the table.
    let vectors: [ColumnVector]
    /// The index of each row's values in the vectors, in the order of the rows.
    let indices: [UInt32]

    /// Returns the values of a range of rows, in the order of the rows.
    func ordered(_ range: Range<Int>) -> [ColumnVector] {
        vectors.map { source in
            var vector = source.emptied
            vector.append(source, rows: indices[range])
            return vector
        }
    }
}

/// Fetches expressions of scattered rows, in portions as large as memory allows.
///
/// The window is bounded by rows and by bytes, because strings can make a row as large as a page.
/// If a window turns out to be too large, half of it is tried.
struct ScatteredFetch {
    static let rowCountMax = 1 << 18
    /// The share of the memory of a statement that a window may take, as a divisor.
    private static let memoryShare = 8
    private static let byteCountMin = 4 << 20
    /// The initial number of rows if a value can be a collection of any size.
    private static let nestedRowCount = 64

    let expressions: [BoundExpression]
    let evaluator: ExpressionEvaluator
    let byteCountMax: Int
    private let isNested: Bool
    /// The number of rows to try next.
    private var rowCount: Int

    init(
        _ expressions: [BoundExpression], _ evaluator: ExpressionEvaluator, byteCountMax: Int? = nil
    ) {
        self.expressions = expressions
        self.evaluator = evaluator
        let share = evaluator.reader.snapshot.statementByteCount / Self.memoryShare
        self.byteCountMax = byteCountMax ?? max(Self.byteCountMin, share)
        isNested = expressions.contains { $0.kind.isCollection }
        let rowByteCount = 16 * max(1, expressions.count)
        let rowCountMax = isNested ? Self.nestedRowCount : Self.rowCountMax
        rowCount = max(1, min(rowCountMax, self.byteCountMax / rowByteCount))
    }

    /// Returns the values of as many leading rows as fit, but at least one.
    mutating func fetch(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors {
        while true {
            let wanted = references.prefix(rowCount)
            if let fetched = try fetchAll(wanted) { return fetched }
            rowCount = max(1, wanted.count / 2)
        }
    }

    /// Returns the values of all given rows, or `nil` if they are too large for one window.
    private func fetchAll(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors? {
        var groups: [GroupRows] = []
        try BatchRows.scattered(Array(references)).visitGroups { group, rows, positions in
            groups.append(GroupRows(group: group, rows: rows, positions: positions ?? []))
        }
        var fetched = try vectorsOnThreads(groups, rowCount: references.count)
        if fetched == nil { fetched = try vectors(of: groups, rowCount: references.count) }
        guard let fetched else { return nil }
        var indices = [UInt32](repeating: 0, count: references.count)
        var next: UInt32 = 0
        for group in groups {
            for position in group.positions {
                indices[Int(position)] = next
                next += 1
            }
        }
        return ScatteredVectors(vectors: fetched, indices: indices)
    }

    /// - Returns: `nil` if the values are too large for one window.
    private func vectors(
        of groups: [GroupRows], rowCount: Int
    ) throws(StoreError) -> [ColumnVector]? {
        var vectors = expressions.map { ColumnVector(of: $0.vectorType) }
        for group in groups {
            var byteCount = 0
            for index in expressions.indices {
                try evaluator.appendOnce(
                    expressions[index], of: group.group, rows: group.rows, into: &vectors[index])
                byteCount += isNested ? vectors[index].byteSize : vectors[index].bytes.count
            }
            if byteCount > byteCountMax, rowCount > 1 { return nil }
        }
        return vectors
    }
}
