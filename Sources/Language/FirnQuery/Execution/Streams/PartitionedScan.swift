import FirnEngine
import FirnPlatform
import FirnValues

/// A scan of all objects of a class on several threads.
///
/// The row groups are divided into partitions of consecutive groups. Each thread takes the next
/// partition whenever it has finished one, and the results are merged in table order:
///
///     row groups   |  0  1  2 |  3  4  5 |  6  7  8 |  9 10 11 |
///     threads      |  caller  |  worker  |  worker  |  caller  |
///     result          first     + second   + third    + fourth
///
/// The partitions depend only on the number of row groups, so that a sum of Doubles, which depends
/// on the order of additions, is the same for any number of threads.
final class PartitionedScan {
    /// The work per row group, which determines how many row groups are worth a thread.
    enum Cost: Int {
        /// Encoded pages are tested or summarized, with one call per page.
        case pages = 16
        /// Each row is processed.
        case rows = 4

        /// The minimum number of row groups in a partition.
        var groupsPerPartition: Int { rawValue }
    }

    private let predicate: BoundPredicate
    private let scanner: TableScanner
    private let reader: SnapshotReader
    private let partitions: [Range<Int>]
    private let shared = SharedScan()

    /// Returns `nil` if there are too few row groups.
    ///
    /// - Parameters:
    ///   - scanner: all row groups of the class, read by the calling thread.
    ///   - reader: the reader of the calling thread.
    init?(
        _ predicate: BoundPredicate, _ scanner: TableScanner, _ reader: SnapshotReader,
        _ cost: Cost
    ) {
        let partitions = SharedScan.partitions(
            of: scanner.groups.count, groupsPerPartition: cost.groupsPerPartition)
        guard partitions.count > 1 else { return nil }
        self.predicate = predicate
        self.scanner = scanner
        self.reader = reader
        self.partitions = partitions
    }

    /// Creates a scan of the rows of a stream that has not delivered any yet.
    ///
    /// Returns `nil` if other threads cannot scan them, or if there are too few row groups.
    convenience init?(of stream: any RowStream, _ reader: SnapshotReader) {
        guard let scan = stream.scan, let predicate = scan.divisible,
            let scanner = scan.source.scanner
        else { return nil }
        self.init(predicate, scanner, reader, .rows)
    }

    /// Creates a scan of the same rows, for a second pass over them.
    init(repeating other: PartitionedScan) {
        predicate = other.predicate
        scanner = other.scanner
        reader = other.reader
        partitions = other.partitions
    }

    var partitionCount: Int { partitions.count }

    /// Whether the scan was run, which is possible only once.
    private var isUsed = false

    /// The number of threads that worked on the scan; 1 before it.
    private(set) var usedThreadCount = 1

    /// The number of rows that other threads have read so far.
    var rowCountOfWorkers: Int { shared.rowCount }

    private func use() {
        precondition(!isUsed, "a scan that was run")
        isUsed = true
    }

    /// Computes a result from the rows that satisfy the predicate.
    ///
    /// The scan ends early if the result is given up; whatever it returns then has no meaning.
    ///
    /// - Parameters:
    ///   - threadCount: the number of threads, the calling one included.
    ///   - make: returns the result of no rows, with the evaluator of one thread.
    func consume<Consumer: ScanConsumer>(
        threadCount: Int = Environment.processorCount,
        _ make: @escaping @Sendable (ExpressionEvaluator) -> Consumer
    ) throws(StoreError) -> Consumer {
        use()
        let results = PartitionResults<Consumer>(count: partitions.count)
        let schema = scanner.schema
        let task = PartitionTask(predicate, partitions, shared)
        usedThreadCount = try shared.run(on: min(partitions.count, threadCount), reader) {
            [shared] reader, isCaller in
            task.run(schema, reader, results, make) { if !isCaller { shared.noteRows($0) } }
        }
        return results.whole() ?? make(ExpressionEvaluator(source: scanner, reader: reader))
    }

    /// Computes a result from the rows that satisfy the predicate, with one part of the result for
    /// each thread.
    ///
    /// - Parameter make: creates an empty result for a thread, with the evaluator of that thread.
    func consumeInAnyOrder<Consumer: UnorderedScanConsumer>(
        threadCount: Int = Environment.processorCount,
        _ make: @escaping @Sendable (ExpressionEvaluator) -> Consumer
    ) throws(StoreError) -> Consumer {
        use()
        let threadCount = min(partitions.count, threadCount)
        let results = PartitionResults<Consumer>(count: threadCount)
        let schema = scanner.schema
        let task = PartitionTask(predicate, partitions, shared)
        usedThreadCount = try shared.run(on: threadCount, reader) { [shared] reader, isCaller in
            task.runInAnyOrder(schema, reader, results, make) {
                if !isCaller { shared.noteRows($0) }
            }
        }
        return results.whole() ?? make(ExpressionEvaluator(source: scanner, reader: reader))
    }
}

/// The work of one thread of a ``PartitionedScan``.
private struct PartitionTask: Sendable {
    private let predicate: BoundPredicate
    private let partitions: [Range<Int>]
    private let shared: SharedScan

    init(_ predicate: BoundPredicate, _ partitions: [Range<Int>], _ shared: SharedScan) {
        self.predicate = predicate
        self.partitions = partitions
        self.shared = shared
    }

    /// Consumes partitions until none is left or one has failed.
    ///
    /// - Parameter noteRows: receives the number of rows of each partition.
    func run<Consumer: ScanConsumer>(
        _ schema: ClassSchema, _ reader: SnapshotReader, _ results: PartitionResults<Consumer>,
        _ make: (ExpressionEvaluator) -> Consumer, noteRows: (Int) -> Void
    ) {
        do throws(StoreError) {
            let scanner = try reader.scanner(of: schema)
            try visit(scanner, reader, noteRows) { partition, rows throws(StoreError) in
                var consumer = make(ExpressionEvaluator(source: scanner, reader: reader))
                while !consumer.isGivenUp, let batch = try rows.next() { try consumer.add(batch) }
                guard !consumer.isGivenUp else { return shared.end() }
                try consumer.finish()
                try results.add(consumer, of: partition)
            }
        } catch {
            shared.fail(error)
        }
    }

    /// Consumes partitions until none is left or one has failed, with one consumer for all of them.
    ///
    /// - Parameter noteRows: receives the number of rows of each partition.
    func runInAnyOrder<Consumer: UnorderedScanConsumer>(
        _ schema: ClassSchema, _ reader: SnapshotReader, _ results: PartitionResults<Consumer>,
        _ make: (ExpressionEvaluator) -> Consumer, noteRows: (Int) -> Void
    ) {
        do throws(StoreError) {
            let scanner = try reader.scanner(of: schema)
            var consumer = make(ExpressionEvaluator(source: scanner, reader: reader))
            try visit(scanner, reader, noteRows) { partition, rows throws(StoreError) in
                consumer.begin(partitions[partition])
                while !consumer.isGivenUp, let batch = try rows.next() { try consumer.add(batch) }
                if consumer.isGivenUp { shared.end() }
            }
            guard !consumer.isGivenUp else { return }
            try consumer.finish()
            try results.add(consumer)
        } catch {
            shared.fail(error)
        }
    }

    /// Visits the rows of partitions that no other thread has taken.
    private func visit(
        _ scanner: TableScanner, _ reader: SnapshotReader, _ noteRows: (Int) -> Void,
        _ body: (_ partition: Int, _ rows: ScanStream) throws(StoreError) -> Void
    ) throws(StoreError) {
        let evaluator = PredicateEvaluator(predicate, scanner, reader)
        while let partition = shared.nextPartition(of: partitions.count) {
            try body(partition, ScanStream(evaluator, partitions[partition]))
            noteRows(partitions[partition].reduce(0) { $0 + scanner.rowCount(of: $1) })
        }
    }
}
