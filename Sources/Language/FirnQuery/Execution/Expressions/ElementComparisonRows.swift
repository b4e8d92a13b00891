import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Evaluates a comparison whose sides can both have several values, row by row.
///
/// Only a few rows are processed together, because all of their values are kept in memory.
struct ElementComparisonRows {
    private static let rowCountMax = 256

    let left: BoundComparison.Side
    let relation: BoundComparison.Relation
    let right: BoundComparison.Side
    let evaluator: ExpressionEvaluator

    /// Returns the positions of the rows that pass.
    func passing(_ rows: BatchRows) throws(StoreError) -> Bitmap {
        var passing = Bitmap(count: rows.count)
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + Self.rowCountMax)
            let part = rows.part(start..<end)
            let outer = try groups(left.value, part)
            let inner = try groups(right.value, part)
            for row in 0..<(end - start) where holds(outer[row], inner[row]) {
                passing[start + row] = true
            }
            start = end
        }
        return passing
    }

    // MARK: Comparing

    private func holds(_ outer: [[Value]], _ inner: [[Value]]) -> Bool {
        inner.contains { operands in
            if relation == .wholes { return outer.contains { areEqual($0, operands) } }
            let tests = tests(operands)
            return outer.contains { group in
                left.quantifier.holds(group) { value in
                    right.quantifier.holds(tests) { $0(value) }
                }
            }
        }
    }

    private func tests(_ operands: [Value]) -> [(Value) -> Bool] {
        switch relation {
        case .compare(let operation):
            operands.map { operand in { compare($0, operation, operand) } }
        case .match(let kind, let options):
            operands.map { TextMatch(kind, options).test($0) }
        case .between:
            [
                { value in
                    guard let low = operands.first, let high = operands.last else { return false }
                    return compare(value, .greaterOrEqual, low)
                        && compare(value, .lessOrEqual, high)
                }
            ]
        case .wholes: []
        }
    }

    /// Compares two values as `VectorComparison` does.
    ///
    /// A Double in an Any is compared with the nearest Double of a constant.
    private func compare(
        _ left: Value, _ operation: ComparisonOperator, _ right: Value
    ) -> Bool {
        switch (left.isNull, right.isNull) {
        case (true, true): return operation.accepts(.equal)
        case (true, false), (false, true): return operation == .notEqual
        case (false, false):
            let (left, right) = isOfConstants ? Self.rounded(left, right) : (left, right)
            guard left.isComparable(to: right) else { return operation == .notEqual }
            return operation.accepts(left.order(relativeTo: right))
        }
    }

    private static func rounded(_ left: Value, _ right: Value) -> (Value, Value) {
        switch (left, right) {
        case (.double, .decimal128(let number)), (.float, .decimal128(let number)):
            (left, .double(number.nearestDouble))
        case (.decimal128(let number), .double), (.decimal128(let number), .float):
            (.double(number.nearestDouble), right)
        default: (left, right)
        }
    }

    /// Whether one side is constant and the other consists of the values of an Any.
    private var isOfConstants: Bool {
        func isConstant(_ side: BoundComparison.Side) -> Bool {
            if case .constant = side.value { true } else { false }
        }
        func isAny(_ side: BoundComparison.Side) -> Bool {
            side.value.elementPath?.type.base == .any
        }
        return isConstant(left) && isAny(right) || isConstant(right) && isAny(left)
    }

    private func areEqual(_ left: [Value], _ right: [Value]) -> Bool {
        guard left.count == right.count else { return false }
        guard isOrdered else {
            let left = left.sorted { $0.order(relativeTo: $1) == .less }
            let right = right.sorted { $0.order(relativeTo: $1) == .less }
            return zip(left, right).allSatisfy { compare($0, .equal, $1) }
        }
        return zip(left, right).allSatisfy { compare($0, .equal, $1) }
    }

    /// Whether the order of the elements matters, which is not the case for sets and maps.
    private var isOrdered: Bool {
        [left, right].allSatisfy { side in
            guard let path = side.value.elementPath, case .elements(let property) = path.terminal
            else { return true }
            return property.type.container == .list
        }
    }

    // MARK: Values

    /// Returns the groups of values of each row.
    private func groups(
        _ expression: BoundExpression, _ rows: BatchRows
    ) throws(StoreError) -> [[[Value]]] {
        if case .constant(.list(let values)) = expression {
            return Array(repeating: [values], count: rows.count)
        }
        guard let path = expression.elementPath else {
            let values = try evaluator.values(expression, of: rows)
            return (0..<rows.count).map { [[values.value(at: $0)]] }
        }
        var elements = Elements(rowCount: rows.count)
        if let (collections, inner) = path.innerCollections {
            try evaluator.visit(collections, rows) { owners, values throws(StoreError) in
                for row in 0..<values.count {
                    guard values.value(at: row).isCollection else { continue }
                    var outer = ColumnVector(kind: .any)
                    outer.append(values.value(at: row))
                    let nested = try NestedValues(
                        outer, inner, kind: path.type.columnKind, evaluator.reader.classes)
                    elements.append(nested.values, group: elements.addGroup(of: owners[row]))
                }
            }
            // Without any collection, a quantifier applies to no value.
            if relation != .wholes, !expression.isReduction { elements.addMissingGroups() }
        } else if path.isWholeCollection, relation == .wholes {
            try addWholes(path, rows, &elements)
        } else {
            for row in 0..<rows.count { _ = elements.addGroup(of: UInt32(row)) }
            try evaluator.visit(path, rows) { owners, values in elements.append(values, owners) }
        }
        return try elements.split(by: expression, of: rows, evaluator)
    }

    /// Adds each collection at the end of a path as a group.
    private func addWholes(
        _ path: BoundPath, _ rows: BatchRows, _ elements: inout Elements
    ) throws(StoreError) {
        guard case .elements(let property) = path.terminal else { return }
        let walk = PathEvaluator(path: path, classes: evaluator.reader.classes)
        try walk.visitObjects(evaluator.source, rows) { batch throws(StoreError) in
            let first = elements.groupCount
            for owner in batch.owners { _ = elements.addGroup(of: owner) }
            let numbered = PathBatch(
                source: batch.source,
                owners: batch.owners.indices.map { UInt32(truncatingIfNeeded: first + $0) },
                rows: batch.rows)
            try ElementIterator(property, numbered).visit { groups, values in
                elements.append(values, groups)
            }
        }
    }
}

/// The values of the rows of a batch, each with its group.
private struct Elements {
    private let rowCount: Int
    /// The row of each group.
    private var owners: [UInt32] = []
    /// The group of each value, parallel to `values`.
    private var groups: [UInt32] = []
    private var values: ColumnVector?

    init(rowCount: Int) { self.rowCount = rowCount }

    var groupCount: Int { owners.count }

    mutating func addGroup(of row: UInt32) -> UInt32 {
        owners.append(row)
        return UInt32(truncatingIfNeeded: owners.count - 1)
    }

    /// Adds an empty group to each row that has none.
    mutating func addMissingGroups() {
        let known = Set(owners)
        for row in 0..<UInt32(truncatingIfNeeded: rowCount) where !known.contains(row) {
            owners.append(row)
        }
    }

    mutating func append(_ added: ColumnVector, group: UInt32) {
        append(added, Array(repeating: group, count: added.count))
    }

    mutating func append(_ added: ColumnVector, _ owners: [UInt32]) {
        groups += owners
        if values == nil { values = added } else { values?.append(added) }
    }

    /// Returns the groups of each row, with the values of an expression over the elements.
    func split(
        by expression: BoundExpression, of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [[[Value]]] {
        var lists = [[Value]](repeating: [], count: owners.count)
        if case .reduction(let reduction, let path) = expression {
            var result = PathReduction.Groups(reduction, path, count: owners.count)
            if let values { result.add(values, groups) }
            lists = result.values().map { [$0] }
        } else if let values {
            let rowOfEach = groups.map { owners[Int($0)] }
            let computed = try evaluator.values(
                expression, of: rows, elements: values, owners: rowOfEach)
            for index in 0..<computed.count {
                lists[Int(groups[index])].append(computed.value(at: index))
            }
        }
        var result = [[[Value]]](repeating: [], count: rowCount)
        for (owner, list) in zip(owners, lists) { result[Int(owner)].append(list) }
        guard case .reduction = expression else { return result }
        // The quantifier applies to the results of all inner collections together.
        return result.map { [$0.flatMap { $0 }] }
    }
}

extension BoundPath {
    /// Whether the values are the elements of collections that can be compared as a whole.
    var isWholeCollection: Bool {
        if case .elements = terminal, measure == nil { true } else { false }
    }
}

extension BoundExpression {
    fileprivate var isReduction: Bool {
        if case .reduction = self { true } else { false }
    }
}

extension Quantifier {
    /// Returns whether enough elements pass a test.
    fileprivate func holds<Element>(_ elements: [Element], _ passes: (Element) -> Bool) -> Bool {
        switch self {
        case .any: elements.contains(where: passes)
        case .all: elements.allSatisfy(passes)
        case .none: !elements.contains(where: passes)
        }
    }
}

extension Value {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .set, .map: true
        default: false
        }
    }
}
