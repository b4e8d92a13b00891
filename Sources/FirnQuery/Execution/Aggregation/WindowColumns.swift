import FirnCodec
import FirnEngine
import FirnValues

/// Computes columns of rows that depend on other rows, from all rows of a stream in their order.
struct WindowColumns {
    private let columns: [BoundWindowColumn]
    private let evaluator: ExpressionEvaluator

    init(_ columns: [BoundWindowColumn], _ evaluator: ExpressionEvaluator) {
        self.columns = columns
        self.evaluator = evaluator
    }

    /// Returns one vector per column.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func vectors(of stream: any RowStream) throws(StoreError) -> [ColumnVector] {
        var vectors = columns.map { column in
            switch column {
            case .input(let input): ColumnVector(of: input.expression.vectorType)
            case .window(let window): ColumnVector(kind: window.type.columnKind)
            }
        }
        var count = 0
        while let batch = try stream.next() {
            let rows: BatchRows =
                switch batch {
                case .run(let run): .group(run.group, run.rows)
                case .scattered(let references): BatchRows(references)
                }
            count += rows.count
            for (index, column) in columns.enumerated() {
                guard case .input(let input) = column else { continue }
                try evaluator.append(input.expression, of: rows, into: &vectors[index])
            }
        }
        for (index, column) in columns.enumerated() {
            guard case .window(let window) = column else { continue }
            vectors[index] = try values(window, vectors, count)
        }
        return vectors
    }

    private func values(
        _ window: BoundWindow, _ vectors: [ColumnVector], _ count: Int
    ) throws(StoreError) -> ColumnVector {
        let (owners, ownerCount) = Self.numbers(window.keys.map { vectors[$0] }, count)
        let operand = window.operand.map { vectors[$0] }
        switch (window.function, operand) {
        case (.row, _): return Self.rowNumbers(owners, ownerCount)
        case (.rank, let operand?):
            return Self.ranks(owners, ownerCount, Self.numbers([operand], count).numbers)
        case (.previous, let operand?): return Self.previous(operand, owners, ownerCount)
        case (.running, let operand?): return try running(operand, owners, ownerCount, window)
        case (.aggregate(let function, let fraction), let operand):
            return try aggregate(function, fraction, operand, owners, ownerCount, window)
        default: preconditionFailure("a function without its operand")
        }
    }

    /// Numbers the combinations of values in the order of their first occurrence.
    private static func numbers(
        _ vectors: [ColumnVector], _ count: Int
    ) -> (numbers: [UInt32], count: Int) {
        var numbers = [UInt32](repeating: 0, count: count)
        guard !vectors.isEmpty else { return (numbers, 1) }
        var known = ByteKeySet()
        ByteKeys(vectors, rowCount: count).visit { row, key in
            numbers[row] = UInt32(truncatingIfNeeded: known.number(of: key).number)
        }
        return (numbers, known.count)
    }

    private static func rowNumbers(_ owners: [UInt32], _ ownerCount: Int) -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: owners.count, nullsOf: [])
        var counts = [Int64](repeating: 0, count: ownerCount)
        for (row, owner) in owners.enumerated() {
            counts[Int(owner)] += 1
            result.ints[row] = counts[Int(owner)]
        }
        return result
    }

    private static func ranks(
        _ owners: [UInt32], _ ownerCount: Int, _ values: [UInt32]
    ) -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: owners.count, nullsOf: [])
        var counts = [Int64](repeating: 0, count: ownerCount)
        var ranks = counts
        var last = [UInt32](repeating: 0, count: ownerCount)
        for row in owners.indices {
            let owner = Int(owners[row])
            counts[owner] += 1
            if counts[owner] == 1 || values[row] != last[owner] { ranks[owner] = counts[owner] }
            last[owner] = values[row]
            result.ints[row] = ranks[owner]
        }
        return result
    }

    private static func previous(
        _ operand: ColumnVector, _ owners: [UInt32], _ ownerCount: Int
    ) -> ColumnVector {
        var padded = operand
        padded.appendNull()
        let none = UInt32(truncatingIfNeeded: operand.count)
        var last = [UInt32](repeating: none, count: ownerCount)
        var rows = [UInt32](repeating: none, count: owners.count)
        for row in owners.indices {
            rows[row] = last[Int(owners[row])]
            last[Int(owners[row])] = UInt32(truncatingIfNeeded: row)
        }
        return padded.picking(rows)
    }

    private func running(
        _ operand: ColumnVector, _ owners: [UInt32], _ ownerCount: Int, _ window: BoundWindow
    ) throws(StoreError) -> ColumnVector {
        switch operand.kind {
        case .int:
            var result = ColumnVector(zeros: .int, count: owners.count, nullsOf: [])
            var sums = [Int64](repeating: 0, count: ownerCount)
            for row in owners.indices {
                let owner = Int(owners[row])
                // A null is stored as 0.
                let (sum, overflow) = sums[owner].addingReportingOverflow(operand.ints[row])
                guard !overflow else { throw self.overflow(window) }
                sums[owner] = sum
                result.ints[row] = sum
            }
            return result
        case .double, .float:
            var result = ColumnVector(zeros: .double, count: owners.count, nullsOf: [])
            var sums = [Double](repeating: 0, count: ownerCount)
            for row in owners.indices {
                sums[Int(owners[row])] += operand.doubles[row]
                result.doubles[row] = sums[Int(owners[row])]
            }
            return result
        default:
            var result = ColumnVector(kind: .decimal128)
            var sums = [Decimal128](repeating: Decimal128(0), count: ownerCount)
            for row in owners.indices {
                let owner = Int(owners[row])
                if case .decimal128(let number) = operand.value(at: row) {
                    sums[owner] = sums[owner].adding(number)
                }
                result.append(.decimal128(sums[owner]))
            }
            return result
        }
    }

    private func aggregate(
        _ function: BoundAggregate.Function, _ fraction: Double?, _ operand: ColumnVector?,
        _ owners: [UInt32], _ ownerCount: Int, _ window: BoundWindow
    ) throws(StoreError) -> ColumnVector {
        var accumulators = Accumulators(
            function, kind: operand?.kind ?? .int, fraction: fraction, count: ownerCount)
        if let operand {
            accumulators.add(operand, owners: owners)
        } else {
            accumulators.addCounts(owners)
        }
        accumulators.finish()
        var values = ColumnVector(kind: window.type.columnKind)
        for owner in 0..<ownerCount {
            guard !accumulators.overflows(owner) else { throw overflow(window) }
            values.append(accumulators.value(owner))
        }
        return values.picking(owners)
    }

    private func overflow(_ window: BoundWindow) -> StoreError {
        StoreError(
            .limitExceeded, path: evaluator.source.path,
            detail: "\(window.name) leaves the range of a 64-bit integer",
            remedy: "compute it of double(...)")
    }
}
