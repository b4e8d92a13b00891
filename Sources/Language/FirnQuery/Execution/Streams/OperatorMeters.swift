import FirnEngine

/// Measures the operators of one execution.
///
/// Each operator calls the one before it, so that a measurement includes those before:
///
///     output -> sort -> filter -> scan
///               |------ measured of sort
///                         |---- measured of filter
final class OperatorMeters {
    /// The cost so far of an operator and the operators before it.
    struct Reading {
        var pagesRead = 0
        var bytesDecoded: UInt64 = 0
        var nanoseconds: UInt64 = 0
    }

    fileprivate final class Meter {
        let name: String
        var rowCount: UInt64 = 0
        var reading = Reading()
        var wasAsked = false
        let threadCount: () -> Int

        init(_ name: String, _ threadCount: @escaping () -> Int) {
            self.name = name
            self.threadCount = threadCount
        }
    }

    /// Returns the time of a monotonic clock, in nanoseconds.
    private let now: () -> UInt64
    private var meters: [Meter] = []

    init(now: @escaping () -> UInt64) { self.now = now }

    /// Returns the rows of an operator, which are measured.
    ///
    /// - Parameters:
    ///   - threadCount: returns the number of threads that worked on it.
    ///   - statistics: returns what the execution has read so far.
    func measured(
        _ stream: any RowStream, _ name: String, threadCount: @escaping () -> Int = { 1 },
        statistics: @escaping () -> QueryStatistics
    ) -> any RowStream {
        let meter = Meter(name, threadCount)
        meters.append(meter)
        return MeasuredStream(stream, meter) { [now] in
            let read = statistics()
            return Reading(
                pagesRead: read.pagesRead, bytesDecoded: read.bytesDecoded, nanoseconds: now())
        }
    }

    /// The costs of the operators from which rows were requested, in their order.
    var costs: [OperatorCost] {
        var before = Reading()
        return meters.filter(\.wasAsked).map { meter in
            let all = meter.reading
            // An operator may read the rows before it in another way than by their stream.
            let cost = OperatorCost(
                name: meter.name, rowCount: meter.rowCount,
                pagesRead: max(0, all.pagesRead - before.pagesRead),
                bytesDecoded: all.bytesDecoded - min(before.bytesDecoded, all.bytesDecoded),
                nanoseconds: all.nanoseconds - min(before.nanoseconds, all.nanoseconds),
                threadCount: meter.threadCount())
            before = all
            return cost
        }
    }
}

/// Delivers the rows of another stream and measures its cost.
private final class MeasuredStream: RowStream {
    private let stream: any RowStream
    private let meter: OperatorMeters.Meter
    private let read: () -> OperatorMeters.Reading

    init(
        _ stream: any RowStream, _ meter: OperatorMeters.Meter,
        _ read: @escaping () -> OperatorMeters.Reading
    ) {
        self.stream = stream
        self.meter = meter
        self.read = read
    }

    /// The scan of the other stream; if its rows are groups, they are created and measured here.
    ///
    /// A sort reads them from their source, and would make them as a part of its own cost.
    var scan: ScanStream? {
        guard let scan = stream.scan else { return nil }
        if !scan.source.hasPages, !meter.wasAsked {
            // An error comes again when the rows are read.
            let count = try? measured { () throws(StoreError) in try scan.source.groupCount() }
            meter.rowCount = (0..<(count ?? 0)).reduce(0) {
                $0 + UInt64(scan.source.rowCount(of: $1))
            }
        }
        return scan
    }

    func leaveOut(_ count: Int) -> Int { stream.leaveOut(count) }

    func next() throws(StoreError) -> RowBatch? {
        let batch = try measured { () throws(StoreError) in try stream.next() }
        meter.rowCount += UInt64(batch?.count ?? 0)
        return batch
    }

    private func measured<Result>(
        _ work: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        meter.wasAsked = true
        let start = read()
        let result = try work()
        let end = read()
        meter.reading.pagesRead += end.pagesRead - start.pagesRead
        meter.reading.bytesDecoded += end.bytesDecoded - start.bytesDecoded
        meter.reading.nanoseconds += end.nanoseconds - start.nanoseconds
        return result
    }
}
