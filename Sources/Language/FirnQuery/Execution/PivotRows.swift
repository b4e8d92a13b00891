import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Delivers the groups of a pivot: a row for each combination of the other keys, and a column for each
/// value of the turned one.
///
/// The groups are read once, because no column is known before the last group is. They are kept in
/// pages, which can be on disk.
///
///     page      other keys   number of the value   cells
final class PivotRows: ResultRows {
    /// The maximum number of cells in a batch, unless a single row has more.
    private static let batchCellCount = 65_536

    let columns: [ResultColumn]
    private let execution: Execution
    private let groups: PagedRows
    private let rowKeyCount: Int
    private let cellCount: Int
    /// The index of the column of each value, by the number of the value.
    private let places: [Int]
    /// The value of each column for a combination without a group.
    private let missing: [Value]
    /// The next group.
    private var page = 0
    private var row = 0

    /// - Parameter groups: the columns before the pivot, sorted by the keys of the rows.
    /// - Throws: ``QueryFailure`` if the key has too many values, or the groups cannot be read.
    init(
        _ pivot: BoundPivot, _ groups: any ResultRows, _ evaluator: ExpressionEvaluator,
        _ execution: Execution
    ) throws(QueryFailure) {
        self.execution = execution
        rowKeyCount = pivot.rows.count
        cellCount = pivot.cells.count
        let turned = groups.columns[pivot.column]
        var values = PivotValues(pivot, kind: turned.type.columnKind)
        let kept = pivot.rows + pivot.cells.map(\.column)
        let kinds = [.int] + kept.map { groups.columns[$0].type.columnKind }
        let snapshot = evaluator.reader.snapshot
        let file = snapshot.makeSpillFile(memoryByteCount: snapshot.statementByteCount / 2)
        var writer = PagedRows.Writer(kinds, to: file)
        while let batch = try groups.next() {
            let numbers = try QueryFailure.binding(values.numbers(of: batch.vectors[pivot.column]))
            let rows = [numbers] + kept.map { batch.vectors[$0] }
            try QueryFailure.converting { () throws(StoreError) in try writer.append(rows) }
        }
        self.groups = try QueryFailure.converting { () throws(StoreError) in
            try writer.rows()
        }
        let order = values.order
        places = values.places(in: order)
        var ofCells: [Value] = []
        for cell in pivot.cells {
            ofCells.append(try QueryFailure.converting(Self.missing(cell, evaluator)))
        }
        missing = order.flatMap { _ in ofCells }
        let cells = zip(pivot.cells, ofCells).map { cell, missing in
            groups.columns[cell.column].with(isOptional: missing == .null)
        }
        var taken = TextSet(pivot.rows.map { groups.columns[$0].name })
        columns =
            pivot.rows.map { groups.columns[$0] }
            + order.flatMap { number in
                let text = PivotNames.text(of: values.values[number], turned.display)
                return cells.map { cell in
                    let name = cells.count == 1 ? text : "\(text) \(cell.name)"
                    return cell.renamed(taken.insertNumbered(name) { "\(name) (\($0))" })
                }
            }
    }

    var statistics: QueryStatistics { execution.statistics }

    var progress: QueryProgress? { execution.progress }

    func next() throws(QueryFailure) -> ResultBatch? {
        try QueryFailure.converting { () throws(StoreError) in
            var vectors = columns.map { ColumnVector(kind: $0.type.columnKind) }
            var rowCount = 0
            while page < groups.pages.count,
                rowCount == 0 || rowCount * missing.count < Self.batchCellCount,
                rowCount < ProjectionRows.batchRowCount
            {
                try appendRow(to: &vectors)
                rowCount += 1
            }
            return rowCount > 0 ? ResultBatch(rowCount: rowCount, vectors: vectors) : nil
        }
    }

    /// Appends a row made of the next groups with the same keys.
    private func appendRow(to vectors: inout [ColumnVector]) throws(StoreError) {
        var keys: [Value] = []
        for index in 0..<rowKeyCount { keys.append(try value(1 + index)) }
        for (index, key) in keys.enumerated() { vectors[index].append(key) }
        var cells = missing
        repeat {
            if case .int(let number) = try value(0), number >= 0 {
                let place = places[Int(number)] * cellCount
                for index in 0..<cellCount {
                    cells[place + index] = try value(1 + rowKeyCount + index)
                }
            }
            advance()
        } while try isNext(keys)
        for (index, cell) in cells.enumerated() { vectors[rowKeyCount + index].append(cell) }
    }

    /// Returns a value of the next group.
    private func value(_ column: Int) throws(StoreError) -> Value {
        try groups.vector(column, of: page).value(at: row)
    }

    /// Returns whether there is another group with these keys.
    private func isNext(_ keys: [Value]) throws(StoreError) -> Bool {
        guard page < groups.pages.count else { return false }
        for (index, key) in keys.enumerated()
        where try value(1 + index).order(relativeTo: key) != .equal { return false }
        return true
    }

    private func advance() {
        row += 1
        guard row == groups.pages[page].rowCount else { return }
        row = 0
        page += 1
    }

    /// Returns the value of an aggregate of no rows.
    private static func missing(
        _ cell: BoundPivot.Cell, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> Value {
        guard let aggregate = cell.aggregate else { return .null }
        return try Aggregation([aggregate], evaluator).values()[0]
    }
}

/// The values of the turned key, numbered in the order of their first occurrence.
private struct PivotValues {
    private let pivot: BoundPivot
    private let numbers: ValueNumbers
    private(set) var values: [Value]

    init(_ pivot: BoundPivot, kind: ValueTag) {
        self.pivot = pivot
        numbers = ValueNumbers(kind: kind)
        values = pivot.values ?? []
        var listed = ColumnVector(kind: kind)
        for value in values { listed.append(value) }
        _ = numbers.numbers(of: listed, adding: true)
    }

    /// Returns the number of each value; a negative number for a value that does not become a
    /// column.
    ///
    /// - Throws: ``QueryError`` if too many values become columns.
    mutating func numbers(of vector: ColumnVector) throws(QueryError) -> ColumnVector {
        let found = numbers.numbers(of: vector, adding: pivot.values == nil)
        var result = ColumnVector(kind: .int)
        for (row, number) in found.enumerated() {
            if number == UInt32(values.count), pivot.values == nil {
                guard (values.count + 1) * pivot.cells.count <= BoundPivot.columnCountMax else {
                    throw QueryError(
                        .limit,
                        "\"\(pivot.name.shortened)\" has too many values for "
                            + "\(BoundPivot.columnCountMax) columns", at: pivot.range.bytes,
                        hint: "name those to show, such as \(pivot.name.shortened) IN {...}")
                }
                values.append(vector.value(at: row))
            }
            result.append(.int(number == ValueNumbers.none ? -1 : Int64(number)))
        }
        return result
    }

    /// The numbers of the values in the order of their columns.
    var order: [Int] {
        guard pivot.values == nil else { return Array(values.indices) }
        return values.indices.sorted { values[$0].order(relativeTo: values[$1]) == .less }
    }

    /// Returns the index of the column of each value, by the number of the value.
    func places(in order: [Int]) -> [Int] {
        var places = values.map { _ in 0 }
        for (place, number) in order.enumerated() { places[number] = place }
        return places
    }
}

/// The names of the columns that values become.
private enum PivotNames {
    static func text(of value: Value, _ display: DisplayForm?) -> String {
        switch value {
        case .null: return "null"
        case .string(let text): return text.shortened
        case .date(let date):
            var text: [UInt8] = []
            guard display == .dateOnly, date.appendDateOnly(to: &text) else {
                return date.description
            }
            return String(decoding: text, as: UTF8.self)
        default: return value.description.shortened
        }
    }
}

extension ResultColumn {
    fileprivate func renamed(_ name: String) -> ResultColumn {
        ResultColumn(name: name, type: type, display: display, target: target)
    }

    fileprivate func with(isOptional: Bool) -> ResultColumn {
        let optional = PropertyType(
            type.base, isOptional: type.isOptional || isOptional, target: type.target,
            integerWidth: type.integerWidth)
        return ResultColumn(name: name, type: optional, display: display, target: target)
    }
}
