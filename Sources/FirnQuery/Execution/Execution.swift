import FirnCodec
import FirnEngine
import FirnValues

/// A bound query at work on one snapshot.
///
///     scan (zone maps, encoded filters) -> streams of row batches -> sort / distinct / slice
///         -> projection, count or aggregates
final class Execution {
    let query: BoundQuery
    let plan: QueryPlan
    let scanner: TableScanner
    private let snapshot: Snapshot
    private let countsBefore: ReadCounts
    /// The properties that the query names or delivers.
    private let columnCount: Int

    init(_ query: BoundQuery, on snapshot: Snapshot) throws(StoreError) {
        self.query = query
        plan = QueryPlan(query)
        self.snapshot = snapshot
        countsBefore = snapshot.readCounts
        columnCount = plan.columns.count { $0 != .rowID }
        guard let table = snapshot.table(query.classSchema.id) else {
            throw StoreError(
                .unknownClass, path: snapshot.path,
                detail: "class \(query.classSchema.name) is gone")
        }
        scanner = try TableScanner(table, path: snapshot.path)
    }

    /// What was read so far.
    var statistics: QueryStatistics {
        var statistics = QueryStatistics()
        statistics.pagesTotal = scanner.groups.count * max(1, columnCount)
        statistics.pagesRead = scanner.pagesRead
        statistics.bytesDecoded =
            snapshot.readCounts.decodedBytes - countsBefore.decodedBytes
        return statistics
    }

    /// The rows of the query.
    func rows() -> any ResultRows {
        let stream = stream()
        switch plan.output {
        case .columns(let projections):
            return ProjectionRows(projections, stream, self)
        case .count:
            return single("count", PropertyType(.int)) { execution throws(StoreError) in
                try execution.count(stream)
            }
        case .exists:
            return single("exists", PropertyType(.bool)) { _ throws(StoreError) in
                .bool(try stream.next() != nil)
            }
        case .aggregates(let aggregates):
            let columns = aggregates.map {
                ResultColumn(name: $0.name, type: $0.type, display: $0.display)
            }
            return SingleRow(columns, self) { [self] () throws(StoreError) in
                var aggregation = Aggregation(aggregates, scanner)
                while let batch = try stream.next() { try aggregation.add(batch) }
                return try aggregation.values(path: snapshot.path)
            }
        }
    }

    private func single(
        _ name: String, _ type: PropertyType,
        _ compute: @escaping (Execution) throws(StoreError) -> Value
    ) -> SingleRow {
        SingleRow([ResultColumn(name: name, type: type, display: nil)], self) {
            [self] () throws(StoreError) in [try compute(self)]
        }
    }

    private func count(_ stream: any RowStream) throws(StoreError) -> Value {
        var count: Int64 = 0
        while let batch = try stream.next() { count += Int64(batch.count) }
        return .int(count)
    }

    private func stream() -> any RowStream {
        var stream: any RowStream = ScanStream(scanner, plan.scan)
        for step in plan.steps {
            switch step {
            case .filter(let predicate): stream = FilterStream(stream, predicate, scanner)
            case .sort(let keys, let limit):
                stream = SortStream(stream, keys, limit: limit ?? .max, scanner)
            case .distinct(let columns): stream = DistinctStream(stream, columns, scanner)
            case .limit(let count): stream = SliceStream(stream, taking: count)
            case .skip(let count): stream = SliceStream(stream, skipping: count)
            case .last: stream = LastStream(stream)
            }
        }
        return stream
    }
}
