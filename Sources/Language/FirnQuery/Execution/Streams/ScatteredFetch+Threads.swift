import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// Fetching the columns of rows in many row groups on several threads.
///
/// If the rows are few, each thread fetches all columns in a part of the row groups. If they are
/// many, their values would take memory twice while the parts are put together, so each thread
/// fetches whole columns.
extension ScatteredFetch {
    /// The rows of one group, and their positions among all rows.
    struct GroupRows: Sendable {
        let group: Int
        let rows: [UInt32]
        let positions: [UInt32]
    }

    /// The number of pages for which another thread is worthwhile.
    private static let pageCountPerThread = 48
    /// The number of rows per page up to which reading the pages, and not the values, is most of
    /// the work.
    private static let rowsPerPageMax = 64
    /// The maximum number of rows whose values are fetched in parts.
    private static let dividedRowCountMax = 4096

    /// Returns the values of rows; `nil` if a single thread has to fetch them, or if they are too
    /// large for one window.
    func vectorsOnThreads(
        _ groups: [GroupRows], rowCount: Int
    ) throws(StoreError) -> [ColumnVector]? {
        let threadCount = Environment.processorCount
        guard threadCount > 1, let scanner = evaluator.source.scanner,
            let columns = plainColumns, groups.count * columns.count >= 2 * Self.pageCountPerThread
        else { return nil }
        if rowCount > Self.dividedRowCountMax {
            guard columns.count > 1 else { return nil }
            let parts = columns.indices.map {
                FetchedParts.Part(columns: $0..<$0 + 1, groups: groups)
            }
            return try fetched(parts, columns, scanner, threadCount: threadCount)?.flatMap { $0 }
        }
        guard rowCount <= scanner.groups.count * Self.rowsPerPageMax else { return nil }
        let partCount = min(threadCount, groups.count * columns.count / Self.pageCountPerThread)
        let parts = (0..<partCount).map { part in
            let range = groups.count * part / partCount..<groups.count * (part + 1) / partCount
            return FetchedParts.Part(columns: columns.indices, groups: Array(groups[range]))
        }
        guard let fetched = try fetched(parts, columns, scanner, threadCount: partCount)
        else { return nil }
        var whole = expressions.map { ColumnVector(of: $0.vectorType) }
        for vectors in fetched {
            for index in whole.indices { whole[index].append(vectors[index]) }
        }
        return whole
    }

    /// The columns to fetch, if all expressions are columns with single values.
    private var plainColumns: [BoundColumn]? {
        var columns: [BoundColumn] = []
        for expression in expressions {
            guard case .column(let column) = expression, !expression.kind.isCollection else {
                return nil
            }
            columns.append(column)
        }
        return columns
    }

    /// Returns the values of each part; `nil` if they are too large for one window.
    private func fetched(
        _ parts: [FetchedParts.Part], _ columns: [BoundColumn], _ scanner: TableScanner,
        threadCount: Int
    ) throws(StoreError) -> [[ColumnVector]]? {
        let shared = SharedScan()
        let results = FetchedParts(count: parts.count, byteCountMax: byteCountMax)
        let empty = expressions.map { ColumnVector(of: $0.vectorType) }
        let schema = scanner.schema
        _ = try shared.run(on: min(threadCount, parts.count), evaluator.reader) { reader, _ in
            do throws(StoreError) {
                let scanner = try reader.scanner(of: schema)
                while let number = shared.nextPartition(of: parts.count) {
                    let part = parts[number]
                    var vectors = Array(empty[part.columns])
                    for group in part.groups where !results.areTooLarge {
                        var byteCount = 0
                        for (index, column) in columns[part.columns].enumerated() {
                            byteCount -= vectors[index].bytes.count
                            try scanner.gatherOnce(
                                column, of: group.group, rows: group.rows, into: &vectors[index])
                            byteCount += vectors[index].bytes.count
                        }
                        results.noteTexts(byteCount)
                    }
                    results.note(vectors, of: number)
                }
            } catch { shared.fail(error) }
        }
        return results.areTooLarge ? nil : results.all
    }
}

/// The values that threads have fetched, in the order of the parts.
private final class FetchedParts: @unchecked Sendable {
    /// Columns of rows that one thread fetches.
    struct Part: Sendable {
        let columns: Range<Int>
        let groups: [ScatteredFetch.GroupRows]
    }

    private let byteCountMax: Int
    private let lock = Lock()
    // Protected by the lock.
    private var parts: [[ColumnVector]]
    private var textByteCount = 0

    init(count: Int, byteCountMax: Int) {
        self.byteCountMax = byteCountMax
        parts = Array(repeating: [], count: count)
    }

    func note(_ vectors: [ColumnVector], of part: Int) { lock.withLock { parts[part] = vectors } }

    /// Records the size of fetched texts.
    func noteTexts(_ byteCount: Int) { lock.withLock { textByteCount += byteCount } }

    /// Whether the texts are too large for one window.
    var areTooLarge: Bool { lock.withLock { textByteCount > byteCountMax } }

    /// The values, after all threads have ended.
    var all: [[ColumnVector]] { lock.withLock { parts } }
}
