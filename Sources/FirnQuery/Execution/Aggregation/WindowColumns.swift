import FirnCodec
import FirnEngine
import FirnValues

/// Computes columns of rows that depend on other rows, from all rows of a stream in their order.
struct WindowColumns {
    /// The rows that belong together, by the columns of their keys.
    private struct Partition {
        let keys: [Int]
        let readers: KeyReaders
        /// The number of each row's part.
        var owners: [UInt32] = []

        /// The number of parts.
        func count() -> Int { owners.max().map { Int($0) + 1 } ?? 0 }
    }

    private let columns: [BoundWindowColumn]
    private let evaluator: ExpressionEvaluator

    init(_ columns: [BoundWindowColumn], _ evaluator: ExpressionEvaluator) {
        self.columns = columns
        self.evaluator = evaluator
    }

    /// Returns one vector per column, which is empty for a key.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func vectors(of stream: any RowStream) throws(StoreError) -> [ColumnVector] {
        var vectors = columns.map { column in
            switch column {
            case .input(let input), .key(let input): ColumnVector(of: input.expression.vectorType)
            case .window(let window): ColumnVector(kind: window.type.columnKind)
            }
        }
        var partitions = partitions()
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
            for index in partitions.indices where !partitions[index].keys.isEmpty {
                let numbers = try partitions[index].readers.numbers(of: rows, evaluator)
                partitions[index].owners += numbers
            }
        }
        for index in partitions.indices where partitions[index].keys.isEmpty {
            partitions[index].owners = [UInt32](repeating: 0, count: count)
        }
        for (index, column) in columns.enumerated() {
            guard case .window(let window) = column,
                let partition = partitions.first(where: { $0.keys == window.keys })
            else { continue }
            vectors[index] = try values(window, vectors, partition)
        }
        return vectors
    }

    /// Returns the partitions of all windows, one for each set of keys.
    private func partitions() -> [Partition] {
        var partitions: [Partition] = []
        for case .window(let window) in columns
        where !partitions.contains(where: { $0.keys == window.keys }) {
            let expressions = window.keys.compactMap { columns[$0].projection?.expression }
            partitions.append(
                Partition(
                    keys: window.keys,
                    readers: KeyReaders(
                        expressions, expressions.map { ValueNumbers(kind: $0.kind) },
                        CombinationNumbers(expressions.count), adding: true)))
        }
        return partitions
    }

    private func values(
        _ window: BoundWindow, _ vectors: [ColumnVector], _ partition: Partition
    ) throws(StoreError) -> ColumnVector {
        let (owners, ownerCount) = (partition.owners, partition.count())
        let operand = window.operand.map { vectors[$0] }
        switch (window.function, operand) {
        case (.row, _): return Self.rowNumbers(owners, ownerCount)
        case (.rank, let operand?):
            let values = ValueNumbers(kind: operand.kind).numbers(of: operand, adding: true)
            return Self.ranks(owners, ownerCount, values)
        case (.previous, let operand?): return Self.previous(operand, owners, ownerCount)
        case (.running, let operand?): return try running(operand, owners, ownerCount, window)
        case (.aggregate(let function, let fraction), let operand):
            return try aggregate(function, fraction, operand, owners, ownerCount, window)
        default: preconditionFailure("a function without its operand")
        }
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
