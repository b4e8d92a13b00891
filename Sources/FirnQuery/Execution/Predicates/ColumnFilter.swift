import FirnCodec
import FirnEngine
import FirnValues

/// A column against constants: on its encoded page.
final class ColumnFilter: RowFilter {
    private let column: BoundColumn
    private let test: ColumnTest
    private let source: any RowSource

    init(_ column: BoundColumn, _ test: ColumnTest, _ source: any RowSource) {
        self.column = column
        self.test = column.type.base == .link ? test.onRowIDs : test
        self.source = source
    }

    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict {
        try source.zone(column, of: group)?.verdict(test) ?? .some
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        if let page = try source.page(column, of: group) {
            return page.filter(test, into: &rows)
        }
        var ids = ColumnVector(kind: .int)
        try source.decode(column, of: group, rows: 0..<rows.count, into: &ids)
        rows = VectorTest(test).rows(ids)
    }
}

extension ColumnTest {
    /// The test for a column of links, which holds row ids.
    var onRowIDs: ColumnTest {
        switch self {
        case .isNull, .isNotNull, .text: self
        case .compare(let comparison, let value): .compare(comparison, value.asRowID)
        case .between(let low, let high): .between(low.asRowID, high.asRowID)
        case .oneOf(let values): .oneOf(values.map(\.asRowID))
        }
    }
}

extension Value {
    /// A link as the integer that stands for it in a column.
    fileprivate var asRowID: Value {
        guard case .link(let reference) = self else { return self }
        return .int(Int64(clamping: reference.rowID.rawValue))
    }
}

/// Two columns against each other.
final class ColumnsFilter: RowFilter {
    private let left: BoundColumn
    private let comparison: ComparisonOperator
    private let right: BoundColumn
    private let source: any RowSource

    init(
        _ left: BoundColumn, _ comparison: ComparisonOperator, _ right: BoundColumn,
        _ source: any RowSource
    ) {
        self.left = left
        self.comparison = comparison
        self.right = right
        self.source = source
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        let left = try values(left, group)
        let right = try values(right, group)
        rows = VectorComparison(left, comparison, right).rows()
    }

    private func values(_ column: BoundColumn, _ group: Int) throws(StoreError) -> ColumnVector {
        var vector = ColumnVector(kind: column.type.columnKind)
        try source.decode(column, of: group, rows: 0..<source.rowCount(of: group), into: &vector)
        return vector
    }
}
