import FirnCodec
import FirnEngine
import FirnValues

/// Values of rows that are in no order, fetched group by group so that a page is decoded once for
/// many rows.
struct ScatteredVectors {
    /// One per expression, in the order of the table.
    let vectors: [ColumnVector]
    /// Where in the vectors the values of each row are, in the order of the rows.
    let places: [UInt32]

    /// The values of some rows in the order of the rows.
    func ordered(_ range: Range<Int>) -> [ColumnVector] {
        vectors.map { source in
            var vector = source.emptied
            vector.append(source, rows: places[range])
            return vector
        }
    }
}

/// Fetches expressions of scattered rows, as many rows at once as memory allows.
///
/// The window is bounded by rows and by bytes: strings can make a row as large as a page. Where
/// a window turns out too large, half of it is tried.
struct ScatteredFetch {
    static let rowCountMax = 65_536
    static let byteCountMax = 64 << 20
    /// Rows to begin with where a value can be a collection of any size.
    private static let nestedRowCount = 64

    private let expressions: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    private let byteCountMax: Int
    private let isNested: Bool
    /// How many rows to try next.
    private var rowCount: Int

    init(
        _ expressions: [BoundExpression], _ evaluator: ExpressionEvaluator,
        byteCountMax: Int = ScatteredFetch.byteCountMax
    ) {
        self.expressions = expressions
        self.evaluator = evaluator
        self.byteCountMax = byteCountMax
        isNested = expressions.contains { $0.kind.isCollection }
        let rowByteCount = 16 * max(1, expressions.count)
        let rowCountMax = isNested ? Self.nestedRowCount : Self.rowCountMax
        rowCount = max(1, min(rowCountMax, byteCountMax / rowByteCount))
    }

    /// The values of the first of some rows, of at least one.
    mutating func fetch(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors {
        while true {
            let wanted = references.prefix(rowCount)
            if let fetched = try fetchAll(wanted) { return fetched }
            rowCount = max(1, wanted.count / 2)
        }
    }

    /// The values of all of the rows, or `nil` if they are too large for one window.
    private func fetchAll(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors? {
        var vectors = expressions.map { ColumnVector(of: $0.vectorType) }
        var places = [UInt32](repeating: 0, count: references.count)
        var next: UInt32 = 0
        var isTooLarge = false
        let batch = BatchRows.scattered(Array(references))
        try batch.visitGroups { group, rows, positions throws(StoreError) in
            guard !isTooLarge else { return }
            for position in positions ?? [] {
                places[Int(position)] = next
                next += 1
            }
            var byteCount = 0
            for index in expressions.indices {
                try evaluator.append(
                    expressions[index], of: .group(group, rows), into: &vectors[index])
                byteCount += isNested ? vectors[index].byteSize : vectors[index].bytes.count
            }
            isTooLarge = byteCount > byteCountMax && references.count > 1
        }
        return isTooLarge ? nil : ScatteredVectors(vectors: vectors, places: places)
    }
}
