import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Finds the group of each row by the numbers of its keys, and keeps running values per group.
struct Grouping: ScanConsumer {
    /// What an aggregate needs of the rows.
    private enum Operand {
        /// The number of rows.
        case rows
        /// The number of rows for which a condition holds.
        case condition(BoundPredicate)
        /// The number of distinct values of the expression at an index.
        case distinct(KeyReader, Int)
        /// The value of the expression at an index.
        case values(Int)
    }

    private let keys: [BoundExpression]
    private let items: [BoundGroupItem]
    private let evaluator: ExpressionEvaluator
    private var fetch: ScatteredFetch
    private let keyNumbers: [ValueNumbers]
    private let combinations: CombinationNumbers
    private var keyReaders: KeyReaders
    /// Whether the rows of a scan have numbers.
    private let numbersRows: Bool
    private(set) var groups: GroupStates
    private let operands: [Operand?]
    /// The memory for the groups of all threads; `nil` if it is not limited.
    private let memory: RowMemory?
    /// The bytes that were taken from this memory.
    private var takenByteCount = 0

    init(
        keys: [BoundExpression], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator,
        memory: RowMemory? = nil, numbersRows: Bool = false
    ) {
        self.memory = memory
        self.numbersRows = numbersRows
        self.keys = keys
        self.items = items
        self.evaluator = evaluator
        fetch = ScatteredFetch(Self.expressions(keys, items), evaluator)
        keyNumbers = keys.map { ValueNumbers(kind: $0.kind) }
        combinations = CombinationNumbers(keys.count)
        keyReaders = KeyReaders(keys, keyNumbers, combinations, adding: true)
        let spill = AggregateSpill(
            of: evaluator.reader.snapshot, for: items.compactMap { $0.aggregate?.function })
        let groups = GroupStates(keys: keys, items: items, spill)
        self.groups = groups
        var next = keys.count
        operands = zip(items, groups.accumulators).map { item, accumulators in
            guard let aggregate = item.aggregate else { return nil }
            guard let expression = aggregate.expression else { return .rows }
            defer { next += 1 }
            if aggregate.function == .count, let condition = expression.countedCondition {
                return .condition(condition)
            }
            if let distinct = accumulators?.distinct {
                return .distinct(KeyReader(expression, distinct.values, adding: true), next)
            }
            return .values(next)
        }
        // Aggregates over no rows have values, too.
        if keys.isEmpty { self.groups.grow(to: 1) }
    }

    /// A grouping without rows that keeps the memory already taken.
    var emptied: Grouping {
        var empty = Grouping(
            keys: keys, items: items, evaluator, memory: memory, numbersRows: numbersRows)
        empty.takenByteCount = takenByteCount
        return empty
    }

    /// Returns the key expressions, followed by the operands of the aggregates.
    static func expressions(
        _ keys: [BoundExpression], _ items: [BoundGroupItem]
    ) -> [BoundExpression] {
        keys
            + items.compactMap { item in
                guard case .aggregate(let aggregate) = item else { return nil }
                return aggregate.expression
            }
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        switch batch {
        case .run(let run):
            let rows = run.rows
            var start = 0
            while start < rows.count {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                try add(.group(run.group, Array(rows[start..<end])))
                start = end
            }
        case .scattered(var references):
            while !references.isEmpty {
                let fetched = try fetch.fetch(references)
                let count = fetched.indices.count
                try add(fetched.ordered(0..<count), rowCount: count)
                references = references.dropFirst(count)
            }
        }
        takeMemory()
    }

    /// Adds rows of one group of the table.
    private mutating func add(_ rows: BatchRows) throws(StoreError) {
        let owners =
            keys.isEmpty
            ? [UInt32](repeating: 0, count: rows.count)
            : try keyReaders.numbers(of: rows, evaluator)
        let firsts = newGroups(owners)
        if !firsts.isEmpty {
            let newRows = rows.picking(firsts)
            for (index, key) in keys.enumerated() {
                groups.keyValues[index].append(try evaluator.values(key, of: newRows))
            }
            if numbersRows { groups.firstRows.append(newRows.numbers) }
        }
        try accumulate(rows, owners)
    }

    /// Adds rows to their groups, which exist.
    private mutating func accumulate(
        _ rows: BatchRows, _ owners: [UInt32]
    ) throws(StoreError) {
        let expressions = Self.expressions(keys, items)
        for (index, operand) in operands.enumerated() {
            switch operand {
            case nil: continue
            case .rows?: groups.accumulators[index]?.addCounts(owners)
            case .condition(let condition)?:
                let passing = try evaluator.passing(condition, of: rows)
                groups.accumulators[index]?.addCounts(owners, where: passing)
            case .distinct(let reader, _)? where groups.accumulators[index]?.numbersAll == true:
                let numbers = try reader.numbers(of: rows, evaluator)
                groups.accumulators[index]?.addDistinct(numbers, owners: owners)
                try groups.accumulators[index]?.makeRoom()
            case .distinct(_, let number)?, .values(let number)?:
                let values = try evaluator.values(expressions[number], of: rows)
                groups.accumulators[index]?.add(values, owners: owners)
                try groups.accumulators[index]?.makeRoom()
            }
        }
    }

    /// Adds the values of the keys and of the operands of rows.
    ///
    /// - Parameter rowNumbers: the numbers of the rows, for ``firstRows``.
    mutating func add(
        _ vectors: [ColumnVector], rowCount: Int, rowNumbers: ColumnVector? = nil
    ) throws(StoreError) {
        let keyVectors = vectors.prefix(keys.count)
        let owners =
            keys.isEmpty
            ? [UInt32](repeating: 0, count: rowCount)
            : combinations.numbers(
                zip(keyNumbers, keyVectors).map { $0.numbers(of: $1, adding: true) }, adding: true)
        let firsts = newGroups(owners)
        for (index, vector) in keyVectors.enumerated() {
            groups.keyValues[index].append(vector, rows: firsts[...])
        }
        if let rowNumbers { groups.firstRows.append(rowNumbers, rows: firsts[...]) }
        try accumulate(vectors, owners)
    }

    /// Adds the values of rows to their groups, which must exist.
    private mutating func accumulate(
        _ vectors: [ColumnVector], _ owners: [UInt32]
    ) throws(StoreError) {
        var next = keys.count
        for (index, operand) in operands.enumerated() {
            switch operand {
            case nil: continue
            case .rows?: groups.accumulators[index]?.addCounts(owners)
            case .condition?, .distinct?, .values?:
                groups.accumulators[index]?.add(vectors[next], owners: owners)
                try groups.accumulators[index]?.makeRoom()
                next += 1
            }
        }
    }

    /// Ends the creation of groups; from now on, ``addKnown(_:)`` is the only way to add rows.
    mutating func freeze() {
        keyReaders = KeyReaders(keys, keyNumbers, combinations, adding: false)
    }

    /// Adds the rows of a batch whose groups exist.
    ///
    /// - Returns: all other rows, in their order; `nil` if there are none.
    mutating func addKnown(_ batch: RowBatch) throws(StoreError) -> RowBatch? {
        switch batch {
        case .run(let run):
            var rest: [UInt32] = []
            for rows in run.slices(of: ExpressionEvaluator.batchRowCountMax) {
                guard case .group(let group, let list) = rows else { continue }
                let owners = try keyReaders.numbers(of: rows, evaluator)
                let (known, unknown) = Self.divided(owners)
                rest += unknown.map { list[Int($0)] }
                guard !known.isEmpty else { continue }
                try accumulate(
                    .group(group, known.map { list[Int($0)] }), known.map { owners[Int($0)] })
            }
            return rest.isEmpty ? nil : .run(RowRun(group: run.group, selection: .listed(rest)))
        case .scattered(var references):
            var rest: [RowReference] = []
            while !references.isEmpty {
                let fetched = try fetch.fetch(references)
                let count = fetched.indices.count
                let vectors = fetched.ordered(0..<count)
                let numbers = zip(keyNumbers, vectors).map { $0.numbers(of: $1, adding: false) }
                let owners = combinations.numbers(numbers, adding: false)
                let (known, unknown) = Self.divided(owners)
                rest += unknown.map { references[references.startIndex + Int($0)] }
                if !known.isEmpty {
                    try accumulate(
                        vectors.map { $0.picking(known) }, known.map { owners[Int($0)] })
                }
                references = references.dropFirst(count)
            }
            return rest.isEmpty ? nil : .scattered(rest[...])
        }
    }

    /// Returns the positions of the rows with a group, and the positions of the rows without one.
    private static func divided(_ owners: [UInt32]) -> (known: [UInt32], unknown: [UInt32]) {
        var (known, unknown): ([UInt32], [UInt32]) = ([], [])
        for (row, owner) in owners.enumerated() {
            let row = UInt32(truncatingIfNeeded: row)
            if owner == ValueNumbers.none { unknown.append(row) } else { known.append(row) }
        }
        return (known, unknown)
    }

    /// Returns whether the groups of two parts of the rows determine the groups of all rows.
    static func canMerge(_ items: [BoundGroupItem]) -> Bool {
        items.allSatisfy { item in
            guard case .aggregate(let aggregate) = item else { return true }
            return Accumulators.canMerge(aggregate.function)
        }
    }

    mutating func merge(_ later: Grouping) throws(StoreError) {
        guard later.groups.count > 0 else { return }
        takenByteCount += later.takenByteCount
        try merge(later.groups)
    }

    /// Adds the groups of rows that come after the rows of this instance.
    mutating func merge(_ later: GroupStates) throws(StoreError) {
        let owners =
            keys.isEmpty
            ? [0]
            : combinations.numbers(
                zip(keyNumbers, later.keyValues).map { $0.numbers(of: $1, adding: true) },
                adding: true)
        let firsts = newGroups(owners)
        for (index, values) in later.keyValues.enumerated() {
            groups.keyValues[index].append(values, rows: firsts[...])
        }
        if later.firstRows.count > 0 {
            // A thread may have read other rows before and after those of another thread.
            for (group, owner) in owners.enumerated() where Int(owner) < groups.firstRows.count {
                groups.firstRows.ints[Int(owner)] = min(
                    groups.firstRows.ints[Int(owner)], later.firstRows.ints[group])
            }
            groups.firstRows.append(later.firstRows, rows: firsts[...])
        }
        for (index, values) in later.accumulators.enumerated() {
            guard let values else { continue }
            try groups.accumulators[index]?.merge(values, owners: owners)
        }
        takeMemory()
    }

    /// The memory of the groups in bytes.
    private var byteCount: Int {
        keyNumbers.reduce(combinations.byteCount) { $0 + $1.byteCount } + groups.byteCount
    }

    /// Takes the memory of new groups.
    private mutating func takeMemory() {
        guard let memory else { return }
        let needed = byteCount
        guard needed != takenByteCount else { return }
        memory.take(needed - takenByteCount)
        takenByteCount = needed
    }

    /// The number of combinations of key values so far.
    private var knownCount: Int {
        guard let first = keyNumbers.first else { return 1 }
        return combinations.count ?? Int(first.count)
    }

    /// Adds the groups that occur for the first time, and returns the position of each one's first
    /// row.
    private mutating func newGroups(_ owners: [UInt32]) -> [UInt32] {
        var firsts: [UInt32] = []
        guard knownCount != groups.count else { return [] }
        var count = UInt32(truncatingIfNeeded: groups.count)
        for (row, owner) in owners.enumerated() where owner == count {
            firsts.append(UInt32(truncatingIfNeeded: row))
            count += 1
        }
        if !firsts.isEmpty { groups.grow(to: Int(count)) }
        return firsts
    }

    /// Returns the items of all groups, ordered by first occurrence.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func columns() throws(StoreError) -> [ColumnVector] { try columns(of: groups) }

    private func columns(of groups: GroupStates) throws(StoreError) -> [ColumnVector] {
        try groups.columns(items, path: evaluator.source.path) { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
    }

    // MARK: Removing groups

    /// Removes groups, and returns their items and the numbers of their first rows.
    ///
    /// - Parameters:
    ///   - taken: the groups to remove, ascending.
    ///   - kept: all others, ascending.
    /// - Throws: ``StoreError`` as ``columns()``.
    mutating func take(
        _ taken: [UInt32], keeping kept: [UInt32]
    ) throws(StoreError) -> [ColumnVector] {
        let part = groups.picking(taken)
        let columns = try columns(of: part) + [part.firstRows]
        keep(kept)
        return columns
    }

    /// Removes all groups except some.
    ///
    /// - Parameter kept: the groups that are kept, ascending.
    mutating func keep(_ kept: [UInt32]) {
        let (picked, count) = (groups.picking(kept), groups.count)
        // The tables are released before others take their place.
        self = emptied
        groups = picked
        if keys.count == 1 { keyNumbers.first?.reserve(count) }
        _ = combinations.numbers(
            zip(keyNumbers, groups.keyValues).map { $0.numbers(of: $1, adding: true) },
            adding: true)
    }
}

extension BoundExpression {
    /// The condition of `@count(condition)`, as a value that is nil unless the condition holds.
    fileprivate var countedCondition: BoundPredicate? {
        guard case .function(.if, let parts) = self, parts.count == 3,
            case .condition(let condition) = parts[0], case .constant(let value) = parts[1],
            !value.isNull, case .constant(.null) = parts[2]
        else { return nil }
        return condition
    }
}
