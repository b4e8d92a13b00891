import FirnCodec
import FirnEngine
import FirnValues

/// The windows with the same keys, computed from rows batch by batch.
struct WindowFunctions {
    /// A window that depends on the rows so far.
    private struct Running {
        let column: Int
        let window: BoundWindow
        var values: any RunningWindow
    }

    /// A window that depends on all rows.
    private struct Aggregate {
        let column: Int
        let window: BoundWindow
        var accumulators: Accumulators
        /// The result of each owner, after the last row.
        var results: ColumnVector
    }

    private var running: [Running] = []
    private var aggregates: [Aggregate] = []
    /// The number of owners for which there is room.
    private var ownerCount = 0

    /// - Parameters:
    ///   - keys: the columns of the keys.
    ///   - columns: all columns of the stage.
    ///   - snapshot: the snapshot that the statement reads.
    init(_ keys: [Int], of columns: [BoundWindowColumn], _ snapshot: Snapshot) {
        let spill = AggregateSpill(of: snapshot, for: columns.compactMap(\.aggregateFunction))
        for (column, window) in columns.enumerated() {
            guard case .window(let window) = window, window.keys == keys else { continue }
            let operand = window.operand.map { columns[$0].emptyVector } ?? ColumnVector(kind: .int)
            switch window.function {
            case .aggregate(let function, let fraction):
                aggregates.append(
                    Aggregate(
                        column: column, window: window,
                        accumulators: Accumulators(
                            function, kind: operand.kind, fraction: fraction, count: 0,
                            spill: spill),
                        results: ColumnVector(kind: window.type.columnKind)))
            case .row: add(window, column, RowNumbers())
            case .rank: add(window, column, RowRanks(of: operand))
            case .previous: add(window, column, LatestValues(of: operand))
            case .running: add(window, column, RunningSums(kind: operand.kind))
            }
        }
    }

    private mutating func add(_ window: BoundWindow, _ column: Int, _ values: any RunningWindow) {
        running.append(Running(column: column, window: window, values: values))
    }

    /// Returns the distinct sets of keys of some columns.
    static func keySets(of columns: [BoundWindowColumn]) -> [[Int]] {
        var keySets: [[Int]] = []
        for case .window(let window) in columns where !keySets.contains(window.keys) {
            keySets.append(window.keys)
        }
        return keySets
    }

    /// Whether there are windows that depend on all rows.
    var hasAggregates: Bool { !aggregates.isEmpty }

    /// Makes room for owners, which are the numbers of the keys of rows.
    mutating func makeRoom(for owners: [UInt32]) {
        guard let last = owners.max(), Int(last) >= ownerCount else { return }
        ownerCount = Int(last) + 1
        for index in running.indices { running[index].values.resize(to: ownerCount) }
        for index in aggregates.indices { aggregates[index].accumulators.resize(to: ownerCount) }
    }

    /// Adds rows to the windows that depend on all rows.
    ///
    /// - Parameters:
    ///   - vectors: the values of the inputs, at the indices of the columns.
    ///   - owners: the number of the keys of each row.
    mutating func aggregate(
        _ vectors: [ColumnVector], _ owners: [UInt32]
    ) throws(StoreError) {
        for index in aggregates.indices {
            if let operand = aggregates[index].window.operand {
                aggregates[index].accumulators.add(vectors[operand], owners: owners)
                try aggregates[index].accumulators.makeRoom()
            } else {
                aggregates[index].accumulators.addCounts(owners)
            }
        }
    }

    /// Computes the results of the windows that depend on all rows.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    mutating func finish(_ reader: SnapshotReader) throws(StoreError) {
        for index in aggregates.indices {
            try aggregates[index].accumulators.finish { () throws(StoreError) in
                try reader.checkStopped()
            }
            let window = aggregates[index].window
            guard
                let results = aggregates[index].accumulators.column(
                    kind: window.type.columnKind, count: ownerCount)
            else { throw window.overflow(reader.path) }
            aggregates[index].results = results
        }
    }

    /// Returns the values of the windows that depend on the rows so far, and adds the rows to them.
    ///
    /// - Parameters:
    ///   - vectors: the values of the inputs, at the indices of the columns.
    ///   - owners: the number of the keys of each row.
    /// - Returns: a vector for each window, with its column.
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    mutating func values(
        of vectors: [ColumnVector], _ owners: [UInt32], path: String
    ) throws(StoreError) -> [(column: Int, values: ColumnVector)] {
        let none = ColumnVector(kind: .int)
        var found: [(column: Int, values: ColumnVector)] = []
        for index in running.indices {
            let operand = running[index].window.operand.map { vectors[$0] } ?? none
            guard let values = running[index].values.next(operand, owners) else {
                throw running[index].window.overflow(path)
            }
            found.append((running[index].column, values))
        }
        return found
    }

    /// Returns the values of the windows that depend on all rows, after ``finish(_:)``.
    ///
    /// - Returns: a vector for each window, with its column.
    func results(of owners: [UInt32]) -> [(column: Int, values: ColumnVector)] {
        aggregates.map { ($0.column, $0.results.picking(owners)) }
    }
}

extension BoundWindowColumn {
    /// An empty vector for the values.
    var emptyVector: ColumnVector {
        switch self {
        case .input(let input), .key(let input): ColumnVector(of: input.expression.vectorType)
        case .window(let window): ColumnVector(kind: window.type.columnKind)
        }
    }
}

extension BoundWindow {
    fileprivate func overflow(_ path: String) -> StoreError {
        StoreError(
            .limitExceeded, path: path,
            detail: "\(name) leaves the range of a 64-bit integer",
            remedy: "use double(...) of the value")
    }
}
