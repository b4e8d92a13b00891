import FirnCodec
import FirnEngine
import FirnValues

/// One condition of a predicate without AND, OR and NOT, evaluated group by group.
protocol RowFilter: AnyObject {
    /// Returns what is known about a group without reading its pages.
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict

    /// Overwrites `rows` with the rows of a group that pass.
    ///
    /// - Parameter candidates: the only rows whose result matters. The result for other rows is
    ///   undefined. `nil` requests all rows.
    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError)
}

extension RowFilter {
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict { .some }
}

/// Compares a column with constants on its encoded page.
final class ColumnFilter: RowFilter {
    private let column: BoundColumn
    private let test: ColumnTest
    private let source: any RowSource

    init(_ column: BoundColumn, _ test: ColumnTest, _ source: any RowSource) {
        self.column = column
        self.test = test.onColumn(of: column.type)
        self.source = source
    }

    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict {
        try source.zone(column, of: group)?.verdict(test) ?? .some
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        if let page = try source.page(column, of: group) {
            guard let candidates else { return page.filter(test, into: &rows) }
            return page.filter(test, among: candidates, into: &rows)
        }
        var ids = ColumnVector(kind: .int)
        try source.decode(column, of: group, rows: 0..<rows.count, into: &ids)
        rows = VectorTest(test).rows(ids)
    }
}

extension ColumnTest {
    /// Returns the test for columns and vectors of a type.
    ///
    /// Columns of links contain row ids.
    func onColumn(of type: PropertyType) -> ColumnTest {
        guard type.base == .link else { return self }
        switch self {
        case .isNull, .isNotNull, .text: return self
        case .compare(let comparison, let value):
            return .compare(comparison, value.rowID(in: type.target))
        case .between(let low, let high):
            return .between(low.rowID(in: type.target), high.rowID(in: type.target))
        case .oneOf(let values): return .oneOf(values.map { $0.rowID(in: type.target) })
        }
    }
}

extension Value {
    /// Returns the integer that represents a link in a column.
    ///
    /// If the link leads to another class, the result is -1, which represents no object.
    func rowID(in target: ClassID?) -> Value {
        guard case .link(let reference) = self else { return self }
        if let target, target != reference.classID { return .int(-1) }
        return .int(Int64(clamping: reference.rowID.rawValue))
    }
}

/// Compares two columns with each other.
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
