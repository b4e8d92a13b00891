import FirnEngine
import FirnPlatform
import FirnValues

/// Sorts rows on several threads.
///
/// Samples of the codes divide the rows into buckets, which the threads sort one by one:
///
///     rows       2  9  4  1  7  5  3  8        codes from samples: 4, 7
///     buckets  | 2  1  3 | 4  5 | 9  7  8 |
///                  |        |        |
///                caller   worker   worker
///
/// This is a sample sort (W. D. Frazer and A. C. McKellar, Samplesort, 1970). A bucket with one code
/// that has many rows is divided by the next level of the keys.
struct ParallelSort: @unchecked Sendable {
    /// The minimum number of rows for which another thread is worthwhile.
    private static let rowCountPerThread = 32_768
    /// The usual number of rows of a bucket, which fit into the cache of a core.
    static let bucketRowCount = 16_384
    private static let bucketCountMax = 128
    /// The number of samples for each bucket.
    private static let sampleRate = 16

    /// Rows that one thread sorts.
    private struct Bucket {
        let range: Range<Int>
        /// The level that decides between the rows.
        let level: SortLevel
        /// Whether the rows are in the second buffer.
        let isInOther: Bool
        /// Whether all rows have the same code at the level.
        var hasOneCode = false
    }

    private let view: SortView
    private let progress: SortProgress?
    /// The reader of the calling thread, which only this thread uses.
    private let reader: SnapshotReader
    private let threadCount: Int
    private let bucketRowCount: Int
    // Threads write to different ranges.
    private let entries: SortView.Entries
    private let other: SortView.Entries
    /// The number of the bucket of each row that is being divided.
    private let numbers: UnsafeMutableBufferPointer<UInt8>

    /// Returns the number of threads that is worthwhile for a number of rows.
    static func threadCount(for rowCount: Int) -> Int {
        min(Environment.processorCount, rowCount / rowCountPerThread)
    }

    /// - Parameters:
    ///   - reader: the reader of the calling thread.
    ///   - bucketRowCount: the usual number of rows of a bucket.
    init(
        _ view: SortView, _ progress: SortProgress?, _ reader: SnapshotReader, threadCount: Int,
        bucketRowCount: Int = ParallelSort.bucketRowCount
    ) {
        self.view = view
        self.progress = progress
        self.reader = reader
        self.threadCount = threadCount
        self.bucketRowCount = bucketRowCount
        let count = view.references.count
        entries = SortView.Entries.allocate(capacity: count)
        other = SortView.Entries.allocate(capacity: count)
        numbers = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    }

    /// Returns the indices of the rows in order; can be called once.
    ///
    /// - Throws: `cancelled` if the query was cancelled.
    consuming func order() throws(StoreError) -> [UInt32] {
        defer {
            entries.deallocate()
            other.deallocate()
            numbers.deallocate()
        }
        try makeEntries()
        try sort(try buckets())
        return entries.map(\.index)
    }

    private func makeEntries() throws(StoreError) {
        let chunks = chunks(of: entries.indices)
        try run(chunks.count) { chunk in
            for index in chunks[chunk] {
                entries.initializeElement(
                    at: index, to: SortEntry(code: 0, index: UInt32(truncatingIfNeeded: index)))
            }
        }
    }

    // MARK: Buckets

    /// Divides the rows into buckets that are small enough, if their codes allow it.
    private func buckets() throws(StoreError) -> [Bucket] {
        let rowCountMax = entries.count / (2 * threadCount)
        var found: [Bucket] = []
        var large = [Bucket(range: entries.indices, level: SortLevel(), isInOther: false)]
        while let bucket = large.popLast() {
            guard bucket.level.column < view.keys.count else {
                found.append(bucket)
                continue
            }
            let parts = try divide(bucket)
            for part in parts {
                if part.range.count <= rowCountMax || part.range == bucket.range && !part.hasOneCode
                {
                    found.append(part)
                } else if part.hasOneCode {
                    let first = buffer(of: part)[part.range.lowerBound]
                    let code = view.code(part.level, Int(first.index))
                    guard let next = view.next(after: part.level, code: code) else {
                        found.append(part)
                        continue
                    }
                    large.append(
                        Bucket(range: part.range, level: next, isInOther: part.isInOther))
                } else {
                    large.append(part)
                }
            }
        }
        return found.sorted { $0.range.count > $1.range.count }
    }

    private func buffer(of bucket: Bucket) -> SortView.Entries {
        bucket.isInOther ? other : entries
    }

    /// Divides a bucket by samples of its codes.
    ///
    /// The parts are in the other buffer.
    private func divide(_ bucket: Bucket) throws(StoreError) -> [Bucket] {
        let splitters = splitters(of: bucket)
        let chunks = chunks(of: bucket.range)
        let counts = Guarded([[Int]](repeating: [], count: chunks.count))
        nonisolated(unsafe) let source = buffer(of: bucket)
        try run(chunks.count) { chunk in
            let range = chunks[chunk]
            let part = SortView.Entries(rebasing: source[range])
            view.load(bucket.level, into: part)
            let found = splitters.number(
                part, into: UnsafeMutableBufferPointer(rebasing: numbers[range]))
            counts.withLock { $0[chunk] = found }
        }
        // The rows of a bucket are in the order of the chunks.
        var starts = counts.withLock { $0 }
        var position = bucket.range.lowerBound
        var parts: [Bucket] = []
        for number in 0..<splitters.bucketCount {
            let start = position
            for chunk in starts.indices {
                let count = starts[chunk][number]
                starts[chunk][number] = position
                position += count
            }
            guard start < position else { continue }
            parts.append(
                Bucket(
                    range: start..<position, level: bucket.level, isInOther: !bucket.isInOther,
                    hasOneCode: splitters.hasOneCode(number)))
        }
        nonisolated(unsafe) let target = bucket.isInOther ? entries : other
        try run(chunks.count) { [starts] chunk in
            var next = starts[chunk]
            next.withUnsafeMutableBufferPointer { next in
                for position in chunks[chunk] {
                    let number = Int(numbers[position])
                    target.initializeElement(at: next[number], to: source[position])
                    next[number] += 1
                }
            }
        }
        return parts
    }

    /// Returns the parts of a range that threads take one by one.
    private func chunks(of range: Range<Int>) -> [Range<Int>] {
        let chunkCount = 4 * threadCount
        return (0..<chunkCount).map { chunk in
            let start = range.lowerBound
            return start + range.count * chunk / chunkCount..<start + range.count * (chunk + 1)
                / chunkCount
        }
    }

    private func splitters(of bucket: Bucket) -> SortSplitters {
        let count = bucket.range.count
        let bucketCount = min(Self.bucketCountMax, max(2, count / bucketRowCount))
        let sampleCount = min(count, bucketCount * Self.sampleRate)
        let buffer = buffer(of: bucket)
        let samples = (0..<sampleCount).map { sample in
            let position = bucket.range.lowerBound + count * sample / sampleCount
            return view.code(bucket.level, Int(buffer[position].index))
        }
        return SortSplitters(samples, bucketCount: bucketCount)
    }

    // MARK: Threads

    /// Sorts buckets in the first buffer.
    private func sort(_ buckets: [Bucket]) throws(StoreError) {
        let shared = SharedScan()
        let path = reader.path
        _ = try shared.run(on: threadCount, reader) { reader, _ in
            var sort = RangeSort(view, entries, CancellationCheck(progress, reader.isStopped))
            while let number = shared.nextPartition(of: buckets.count) {
                let (bucket, range) = (buckets[number], buckets[number].range)
                if bucket.isInOther {
                    _ = SortView.Entries(rebasing: entries[range]).update(
                        fromContentsOf: other[range])
                }
                sort.sort(range, from: bucket.level)
                if sort.isCancelled { shared.fail(.sortCancelled(path: path)) }
            }
        }
    }

    /// Runs work on parts of the rows.
    private func run(
        _ count: Int, _ work: @escaping @Sendable (_ part: Int) -> Void
    ) throws(StoreError) {
        let shared = SharedScan()
        try reader.checkStopped()
        _ = try shared.run(on: threadCount, reader) { _, _ in
            while let part = shared.nextPartition(of: count) { work(part) }
        }
    }
}
