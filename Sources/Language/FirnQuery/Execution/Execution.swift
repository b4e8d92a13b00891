import FirnCodec
import FirnEngine
import FirnValues

/// The execution of a bound query on one snapshot.
///
///     scan (zone maps, encoded filters) or lookup -> streams of row batches
///         -> sort / distinct / slice / group -> projection, count or aggregates
final class Execution {
    let query: BoundQuery
    let plan: QueryPlan
    let reader: SnapshotReader
    /// The row groups of the queried class: all of them, or only those that a lookup found.
    let scanner: TableScanner
    /// The scanner, or the point reader if the query works on only a few objects.
    private let source: any RowSource
    /// The key lookup that found the objects; `nil` if there is none.
    let lookup: KeyLookup?
    /// The index lookup that found the objects, or whose entries are counted; `nil` if there is
    /// none.
    let access: AccessPath?
    /// The best index lookup, if a scan is faster than it; `nil` if none is possible.
    private(set) var unused: AccessPath?
    /// The index that has the order of the first sort; `nil` if the sort is computed.
    let order: OrderedAccess?
    /// The objects of a lookup; `nil` if the class is scanned.
    private let found: [RowRun]?
    /// The objects to work on instead of all objects of the class, in their given order.
    let candidates: [RowReference]?
    /// The row ids of the result, if no row of the lookup has to be read for them.
    private(set) var foundRows: [RowID]?
    private let countsBefore: ReadCounts
    private lazy var columns = PlanColumns(plan, of: query.classSchema)
    /// The scan on several threads; `nil` if one thread is enough or has to do it alone.
    private var partitions: PartitionedScan?
    /// The memory for aggregates with which a first condition compares rows.
    private lazy var amongMemory = RowMemory(of: reader.snapshot.statementByteCount)
    /// The meters of the operators; `nil` unless the query is run to measure its cost.
    private let meters: OperatorMeters?

    /// The share of the objects, as a divisor, up to which requested rows are read one by one.
    private static let objectsPerPickedMin = 64

    init(
        _ query: BoundQuery, on snapshot: Snapshot, among rows: [RowID]? = nil,
        meters: OperatorMeters? = nil, isStopped: @escaping () -> Bool = { false }
    ) throws(StoreError) {
        self.query = query
        self.meters = meters
        plan = QueryPlan(query)
        countsBefore = snapshot.readCounts
        let objectCount = snapshot.table(query.classSchema.id)?.liveRowCount ?? 0
        let picks = rows.map { $0.count <= objectCount / Self.objectsPerPickedMin } ?? false
        reader = SnapshotReader(snapshot, isPointLookup: picks, isStopped: isStopped)
        let table = try reader.table(query.classSchema)
        if let rows {
            lookup = nil
            access = nil
            order = nil
            found = nil
            guard !picks else {
                let objects = try reader.pointReader(of: query.classSchema)
                scanner = TableScanner(query.classSchema, [], path: snapshot.path)
                source = objects
                candidates = try objects.locate(rows)
                return
            }
            scanner = try reader.scanner(of: query.classSchema)
            source = scanner
            candidates = try Execution.references(to: rows, in: scanner)
            return
        }
        if let order = try OrderedAccess.best(for: plan, of: table) {
            self.order = order
            lookup = nil
            access = nil
            found = nil
            (scanner, candidates) = try Execution.references(
                to: order.rows, table, path: snapshot.path)
            source = scanner
            return
        }
        order = nil
        candidates = nil
        if let lookup = plan.lookup, lookup.isWorthwhile(objectCount: table.liveRowCount) {
            self.lookup = lookup
            access = nil
            (scanner, found) = try Execution.find(
                try lookup.rows(in: table), table, path: snapshot.path)
            source = scanner
            return
        }
        let best = try AccessPath.best(for: plan.conditions, of: table)
        if let access = best,
            access.isWorthwhile(objectCount: table.liveRowCount) || plan.counts(access)
        {
            lookup = nil
            self.access = access
            let isDecided = access.rest == .always(true)
            let limit = plan.limit.map { max(1, $0) }
            let rows =
                plan.counts(access) ? [] : try access.rows(limit: isDecided ? limit : nil)
            if isDecided, plan.onlyLimits { foundRows = Array(rows.prefix(plan.limit ?? .max)) }
            (scanner, found) = try Execution.find(rows, table, path: snapshot.path)
            source = scanner
        } else {
            lookup = nil
            access = nil
            unused = best
            scanner = try reader.scanner(of: query.classSchema)
            found = nil
            source = scanner
            if let cost = plan.partitionCost, columns.backlinks.isEmpty {
                partitions = PartitionedScan(
                    plan.scan, scanner, reader, columns.lookups.isEmpty ? cost : .rows)
            }
        }
    }

    /// The condition of the scan, if its threads share all large tables; this holds for tables of
    /// joins, but not of inverse links.
    private var divisible: BoundPredicate? { columns.backlinks.isEmpty ? plan.scan : nil }

    /// The number of rows that a scan of all groups reads.
    private lazy var rowCount = scanner.rowCount

    /// The number of objects that the lookup found.
    var foundCount: Int { found?.reduce(0) { $0 + $1.count } ?? 0 }

    /// The number of parts that several threads scan; `nil` if the calling thread scans all rows.
    var partitionCount: Int? { partitions?.partitionCount }

    /// The pages read and the bytes decoded so far, and the costs of measured operators.
    var statistics: QueryStatistics {
        var statistics = readStatistics
        if let meters { statistics.operators = meters.costs }
        return statistics
    }

    private var readStatistics: QueryStatistics {
        var statistics = QueryStatistics()
        statistics.pagesTotal =
            scanner.groups.count * max(1, columns.count(of: query.classSchema))
        for (classID, groupCount) in reader.groupCounts where classID != query.classSchema.id {
            statistics.pagesTotal += groupCount * (columns.properties[classID]?.count ?? 0)
        }
        statistics.pagesRead = scanner.pagesRead + reader.pagesRead(besides: scanner)
        statistics.bytesDecoded =
            reader.snapshot.readCounts.decodedBytes - countsBefore.decodedBytes
        return statistics
    }

    /// The rows read or sorted so far.
    var progress: QueryProgress {
        let sort = reader.sortProgress
        if sort.rowCount > 0 {
            return QueryProgress(
                step: .sorting, doneRowCount: UInt64(clamping: sort.doneRowCount),
                totalRowCount: UInt64(clamping: sort.rowCount))
        }
        return QueryProgress(
            step: .reading,
            doneRowCount: UInt64(
                clamping: scanner.visitedRowCount + (partitions?.rowCountOfWorkers ?? 0)),
            totalRowCount: UInt64(clamping: rowCount))
    }

    /// Returns the rows of the query.
    ///
    /// - Throws: ``QueryFailure`` if the columns depend on the rows, and these cannot be read, or have
    ///   too many values.
    func rows() throws(QueryFailure) -> any ResultRows {
        if case .chart(let chart, let projections) = plan.output {
            return ChartRows(chart, self) { [self] in
                let (rows, evaluator) = self.stream()
                return ProjectionRows(projections, rows, evaluator, self)
            }
        }
        let (stream, evaluator) = stream()
        switch plan.output {
        case .columns(let projections), .chart(_, let projections):
            return ProjectionRows(projections, stream, evaluator, self)
        case .pivot(let pivot, let projections):
            return try PivotRows(
                pivot, ProjectionRows(projections, stream, evaluator, self), evaluator, self)
        case .count:
            return single("count", PropertyType(.int)) { [self] () throws(StoreError) in
                if let access, plan.counts(access) { return .int(Int64(access.entryCount)) }
                if let count = try consumedInParts({ _ in RowCount() }) { return .int(count.count) }
                var count = RowCount()
                while let batch = try stream.next() { count.add(batch) }
                return .int(count.count)
            }
        case .exists:
            return single("exists", PropertyType(.bool)) { () throws(StoreError) in
                .bool(try stream.next() != nil)
            }
        case .aggregates(let aggregates):
            let columns = aggregates.map { resultColumn($0.name, $0.type, $0.display) }
            return SingleRow(columns, self) { [self] () throws(StoreError) in
                if let values = try extremes() { return values }
                let parts = try consumedInParts { Aggregation(aggregates, $0) }
                if let parts { return try parts.values() }
                var aggregation = Aggregation(aggregates, evaluator)
                while let batch = try stream.next() { try aggregation.add(batch) }
                return try aggregation.values()
            }
        }
    }

    /// The maximum number of groups for which each thread has its own tables.
    private static let groupsPerThreadMax = 65_536

    /// Computes a result on several threads, either from all rows or from the rows that pass a
    /// condition with aggregates of all rows.
    ///
    /// - Returns: `nil` if the calling thread has to do it.
    private func consumedInParts<Consumer: ScanConsumer>(
        _ make: @escaping @Sendable (ExpressionEvaluator) -> Consumer
    ) throws(StoreError) -> Consumer? {
        guard let partitions else { return nil }
        guard case .filterAmong(let columns, let condition)? = plan.steps.first else {
            return plan.steps.isEmpty ? try partitions.consume(make) : nil
        }
        // Run for its cost, each operator is a stream of its own.
        guard plan.steps.count == 1, plan.readsRowsTwice(at: 0), meters == nil else { return nil }
        let memory = amongMemory
        let windows = try partitions.consume { AggregateWindows(columns, $0, memory: memory) }
        guard !memory.isExceeded else { return nil }
        let table = try windows.table()
        guard table.groupCount <= Self.groupsPerThreadMax else {
            let evaluator = ExpressionEvaluator(source: source, reader: reader)
            let filter = AggregateFilter(table, condition, evaluator)
            var consumer = FilteredConsumer(filter, make(evaluator))
            let stream = objects()
            while let batch = try stream.next() { try consumer.add(batch) }
            return consumer.kept
        }
        let again = PartitionedScan(repeating: partitions)
        self.partitions = again
        return try again.consume { evaluator in
            FilteredConsumer(AggregateFilter(table, condition, evaluator), make(evaluator))
        }.kept
    }

    /// Returns a result column.
    ///
    /// The column of a link includes the target class.
    func resultColumn(
        _ name: String, _ type: PropertyType, _ display: DisplayForm?
    ) -> ResultColumn {
        ResultColumn(
            name: name, type: type, display: display,
            target: type.target.flatMap { reader.snapshot.schema[$0] })
    }

    private func single(
        _ name: String, _ type: PropertyType,
        _ compute: @escaping () throws(StoreError) -> Value
    ) -> SingleRow {
        SingleRow([ResultColumn(name: name, type: type, display: nil)], self) {
            () throws(StoreError) in [try compute()]
        }
    }

    /// Returns the row stream of the query and the evaluator for its expressions.
    func stream() -> (any RowStream, ExpressionEvaluator) {
        func measured(
            _ stream: any RowStream, _ name: String, isDivided: Bool = false
        ) -> any RowStream {
            meters.map { self.measured(stream, name, $0, isDivided: isDivided) } ?? stream
        }
        var evaluator = ExpressionEvaluator(source: source, reader: reader)
        var stream = measured(objects(), found == nil && order == nil ? "scan" : "look up")
        for (index, step) in plan.steps.enumerated()
        where index >= order?.stepCount ?? 0 {
            if case .sort(let keys, nil) = step, let order = keys.first,
                index + 1 < plan.steps.count,
                let (count, groups) = plan.steps[index + 1].rowsOfEach,
                (1...BestOfEachStream.countLimit).contains(count)
            {
                stream = measured(
                    BestOfEachStream(stream, count, of: groups, by: order, evaluator),
                    "drop early")
            }
            if case .group(let keys, let items) = step {
                stream = groups(of: stream, keys, items, after: index, &evaluator)
            } else if case .filterAmong(let columns, let condition) = step,
                plan.readsRowsTwice(at: index)
            {
                stream = filtered(stream, columns, condition, after: index, evaluator)
            } else if index == 0, let keys = step.distinctKeys, let partitions {
                stream = FirstRowStream(of: keys, evaluator, partitions)
            } else {
                stream = stream.followed(by: step, &evaluator)
            }
            stream = measured(stream, step.name, isDivided: index == 0)
        }
        return (stream, evaluator)
    }

    /// Returns the groups of the rows after the first steps, and replaces the evaluator with the
    /// evaluator of the groups.
    private func groups(
        of stream: any RowStream, _ keys: [BoundProjection], _ items: [BoundGroupItem],
        after stepCount: Int, _ evaluator: inout ExpressionEvaluator
    ) -> any RowStream {
        let groups: GroupedRows
        let keys = keys.map(\.expression)
        if stepCount == 0, let partitions {
            groups = GroupedRows(keys: keys, items: items, evaluator, of: partitions)
        } else {
            groups = GroupedRows(
                stream, keys: keys, items: items, evaluator, isLimited: true)
        }
        return groups.scan(&evaluator)
    }

    /// Returns the rows of an operator, which are measured.
    private func measured(
        _ stream: any RowStream, _ name: String, _ meters: OperatorMeters, isDivided: Bool
    ) -> any RowStream {
        meters.measured(
            stream, name,
            threadCount: { [self] in
                isDivided ? max(stream.usedThreadCount, partitions?.usedThreadCount ?? 1) : 1
            },
            statistics: { [self] in readStatistics })
    }

    /// Returns the objects of the scan or of the lookup, or the objects that the caller selected.
    private func objects() -> any RowStream {
        func predicate(_ predicate: BoundPredicate) -> PredicateEvaluator {
            PredicateEvaluator(predicate, source, reader)
        }
        if let candidates {
            let stream = CandidateStream(candidates)
            return plan.scan == .always(true) ? stream : FilterStream(stream, predicate(plan.scan))
        }
        guard let found else {
            return ScanStream(predicate(plan.scan), divisible: divisible)
        }
        let stream = LookupStream(found)
        let rest = access?.rest ?? plan.afterLookup
        return rest == .always(true) ? stream : FilterStream(stream, predicate(rest))
    }

    /// Returns the rows of a stream that pass a condition with aggregates of all of its rows.
    ///
    /// - Parameter index: the number of steps before the condition, all of them conditions.
    private func filtered(
        _ stream: any RowStream, _ columns: [BoundWindowColumn], _ condition: BoundPredicate,
        after index: Int, _ evaluator: ExpressionEvaluator
    ) -> any RowStream {
        func again() -> any RowStream {
            var unchanged = evaluator
            return plan.steps[..<index].reduce(objects()) { $0.followed(by: $1, &unchanged) }
        }
        // Aggregates that are known to need more memory are not computed again.
        let memory = index == 0 ? amongMemory : RowMemory(of: reader.snapshot.statementByteCount)
        return AggregateFilterStream(stream, condition, evaluator, memory: memory) {
            [self] () throws(StoreError) in
            if index == 0, let partitions {
                return try partitions.consume {
                    AggregateWindows(columns, $0, memory: memory)
                }
            }
            let stream = again()
            var windows = AggregateWindows(columns, evaluator, memory: memory)
            while !windows.isGivenUp, let batch = try stream.next() { try windows.add(batch) }
            return windows
        } onDisk: {
            AmongStream(again(), columns, condition, evaluator)
        }
    }
}

extension QueryPlan {
    /// Whether the number of entries of an index lookup is the result.
    func counts(_ access: AccessPath) -> Bool {
        guard case .count = output else { return false }
        return steps.isEmpty && access.isCountable
    }

    /// The number of rows that the first step keeps, if it is a limit.
    fileprivate var limit: Int? {
        if case .limit(let count)? = steps.first { count } else { nil }
    }

    /// Whether a first limit is the only step that affects the rows.
    fileprivate var onlyLimits: Bool { steps.isEmpty || limit != nil && steps.count == 1 }

    /// The cost of a scan that can be divided into parts, because its rows are only counted,
    /// aggregated or grouped.
    fileprivate var partitionCost: PartitionedScan.Cost? {
        if let step = steps.first {
            switch step {
            case .group(_, let items): return Grouping.canMerge(items) ? .rows : nil
            case .distinct, .limitEach:
                guard let keys = step.distinctKeys, !endsEarly, SpilledGrouping.supports(keys)
                else { return nil }
                return .rows
            case .filterAmong(let columns, _):
                return AggregateWindows.canMerge(columns) ? .rows : nil
            default: return nil
            }
        }
        switch output {
        case .count: return scan == .always(true) ? nil : .pages
        case .aggregates(let aggregates): return Aggregation.canMerge(aggregates) ? .pages : nil
        case .columns, .exists, .pivot, .chart: return nil
        }
    }

    /// Whether the rows after the first step may not all be read.
    private var endsEarly: Bool {
        for step in steps.dropFirst() {
            switch step {
            case .limit: return true
            case .filter, .distinct, .limitEach, .skip: continue
            case .sort, .last, .group, .window, .unnest, .filterAmong: return false
            }
        }
        if case .exists = output { return true }
        return false
    }
}

extension QueryPlan.Step {
    /// The keys of a step that keeps some rows for each of their combinations, and the number of
    /// these rows; `nil` for any other step.
    fileprivate var rowsOfEach: (count: Int, keys: [BoundExpression])? {
        switch self {
        case .distinct(let keys): (1, keys)
        case .limitEach(let count, let keys): (count, keys)
        default: nil
        }
    }

    /// The keys of a step that keeps only the first row for each of their combinations; `nil` for
    /// any other step.
    fileprivate var distinctKeys: [BoundExpression]? {
        rowsOfEach.flatMap { $0.count == 1 ? $0.keys : nil }
    }
}
