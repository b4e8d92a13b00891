import FirnCodec
import FirnEngine
import FirnValues

/// Numbers the values of an expression, reading as few of them as possible.
///
/// The values of a page with codes are numbered once per code. An expression of columns with codes
/// is computed once per combination of their values.
final class KeyReader {
    /// The number of rows after which a combination must have occurred twice on average.
    private static let trialRowCount = 8_192
    private static let inputCountMax = 3
    /// The number of combinations that are kept: more would take as much memory as the values
    /// themselves.
    private static let combinationCountMax = 1 << 16

    private let expression: BoundExpression
    let values: ValueNumbers
    private let adding: Bool
    /// The numbers by the codes of the latest page.
    private var page: ColumnPage?
    private var numbersByCode: [UInt32] = []
    /// The number of codes of the page whose numbers are unknown.
    private var unknownCount = 0
    /// The numbers of the values of the columns that the expression depends on.
    private var inputs: [KeyReader]
    private var combinations: CombinationNumbers
    private var numbersByCombination: [UInt32] = []
    private var rowCount = 0

    /// The mark of a code whose number is unknown.
    private static let unknown = ValueNumbers.none - 1

    /// - Parameter adding: whether new values get a number.
    init(_ expression: BoundExpression, _ values: ValueNumbers, adding: Bool) {
        self.expression = expression
        self.values = values
        self.adding = adding
        var columns: Set<BoundColumn> = []
        if expression.column == nil, expression.collectInputs(&columns),
            (1...Self.inputCountMax).contains(columns.count)
        {
            inputs = columns.map {
                KeyReader(.column($0), ValueNumbers(kind: $0.type.columnKind), adding: true)
            }
        } else {
            inputs = []
        }
        combinations = CombinationNumbers(inputs.count)
    }

    /// Returns the number of each row's value, or ``ValueNumbers/none``.
    func numbers(
        of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [UInt32] {
        if case .group(let group, let list) = rows {
            if let column = expression.column {
                if let numbers = try byCode(column, group, list, evaluator.source) {
                    return numbers
                }
            } else if let numbers = try byInputs(rows, group, list, evaluator) {
                return numbers
            }
        }
        return values.numbers(of: try evaluated(rows, evaluator), adding: adding)
    }

    private func evaluated(
        _ rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> ColumnVector {
        let vector = try evaluator.values(expression, of: rows)
        return vector.kind == values.kind ? vector : vector.converted(to: values.kind)
    }

    // MARK: Codes

    private func byCode(
        _ column: BoundColumn, _ group: Int, _ rows: [UInt32], _ source: any RowSource
    ) throws(StoreError) -> [UInt32]? {
        guard let page = try source.codedPage(column, of: group), page.kind == values.kind,
            let codeCount = page.codeCount
        else { return nil }
        if self.page !== page {
            self.page = page
            numbersByCode = [UInt32](repeating: Self.unknown, count: codeCount)
            unknownCount = codeCount
        }
        var numbers = rows.withUnsafeBufferPointer { page.codes(of: $0) }
        if unknownCount > 0 { numberNewCodes(numbers, rows, page) }
        numbersByCode.withUnsafeBufferPointer { byCode in
            numbers.withUnsafeMutableBufferPointer { numbers in
                for index in numbers.indices { numbers[index] = byCode[Int(numbers[index])] }
            }
        }
        return numbers
    }

    /// Numbers the values of codes that occur for the first time.
    private func numberNewCodes(_ codes: [UInt32], _ rows: [UInt32], _ page: ColumnPage) {
        var newRows: [UInt32] = []
        var newCodes: [UInt32] = []
        rows.withUnsafeBufferPointer { rows in
            numbersByCode.withUnsafeMutableBufferPointer { numbersByCode in
                for (index, code) in codes.enumerated()
                where numbersByCode[Int(code)] == Self.unknown {
                    numbersByCode[Int(code)] = ValueNumbers.none
                    newRows.append(rows[index])
                    newCodes.append(code)
                }
            }
        }
        guard !newRows.isEmpty else { return }
        unknownCount -= newRows.count
        // The last code is that of null.
        if page.nullCount == 0, numbersByCode.last == Self.unknown {
            numbersByCode[numbersByCode.count - 1] = ValueNumbers.none
            unknownCount -= 1
        }
        var vector = ColumnVector(kind: page.kind)
        newRows.withUnsafeBufferPointer { page.gather($0, into: &vector) }
        let found = values.numbers(of: vector, adding: adding)
        for (code, number) in zip(newCodes, found) { numbersByCode[Int(code)] = number }
    }

    // MARK: Inputs

    private func byInputs(
        _ rows: BatchRows, _ group: Int, _ list: [UInt32],
        _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [UInt32]? {
        guard !inputs.isEmpty else { return nil }
        var columns: [[UInt32]] = []
        for input in inputs {
            guard let column = input.expression.column,
                let numbers = try input.byCode(column, group, list, evaluator.source)
            else { return nil }
            columns.append(numbers)
        }
        var numbers = combinations.numbers(columns, adding: true)
        var newRows: [UInt32] = []
        for (row, number) in zip(list, numbers)
        where Int(number) == numbersByCombination.count + newRows.count {
            newRows.append(row)
        }
        if !newRows.isEmpty {
            let vector = try evaluated(.group(group, newRows), evaluator)
            numbersByCombination += values.numbers(of: vector, adding: adding)
        }
        numbersByCombination.withUnsafeBufferPointer { known in
            numbers.withUnsafeMutableBufferPointer { numbers in
                for index in numbers.indices { numbers[index] = known[Int(numbers[index])] }
            }
        }
        rowCount += list.count
        if rowCount >= Self.trialRowCount && numbersByCombination.count * 2 > rowCount
            || numbersByCombination.count > Self.combinationCountMax
        {
            (inputs, numbersByCombination) = ([], [])
            combinations = CombinationNumbers(0)
        }
        return numbers
    }
}

/// Numbers the combinations of the values of several expressions.
final class KeyReaders {
    private let readers: [KeyReader]
    private let combinations: CombinationNumbers
    private let adding: Bool

    /// - Parameters:
    ///   - values: one per expression; readers that share them give equal values equal numbers.
    ///   - combinations: shared in the same way.
    init(
        _ expressions: [BoundExpression], _ values: [ValueNumbers],
        _ combinations: CombinationNumbers, adding: Bool
    ) {
        readers = zip(expressions, values).map { KeyReader($0, $1, adding: adding) }
        self.combinations = combinations
        self.adding = adding
    }

    /// Returns the memory that the combinations take after more are added, all of which may be new.
    func byteCount(afterAdding added: Int) -> Int {
        readers.reduce(combinations.byteCount(afterAdding: added)) {
            $0 + $1.values.byteCount(afterAdding: added)
        }
    }

    /// Returns the number of each row's combination, or ``ValueNumbers/none``.
    func numbers(
        of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [UInt32] {
        var columns: [[UInt32]] = []
        for reader in readers { columns.append(try reader.numbers(of: rows, evaluator)) }
        return combinations.numbers(columns, adding: adding)
    }
}
