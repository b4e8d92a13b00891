import FirnCodec
import FirnEngine
import FirnPlatform

/// Fetching the columns of rows in many row groups on several threads.
extension ScatteredFetch {
    /// The rows of one group, and their positions among all rows.
    private struct GroupRows: Sendable {
        let group: Int
        let rows: [UInt32]
        let positions: [UInt32]
    }

    /// The number of pages for which another thread is worthwhile.
    private static let pageCountPerThread = 48
    /// The rows per page up to which the pages, and not their values, are the work.
    private static let rowsPerPageMax = 64
    /// The most rows, whose values are in memory twice while they are put together.
    private static let sharedRowCountMax = 4096

    /// Returns the values of all given rows; `nil` if one thread has to fetch them.
    func fetchOnThreads(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> ScatteredVectors? {
        let threadCount = Environment.processorCount
        guard threadCount > 1, let scanner = evaluator.source as? TableScanner,
            let columns = plainColumns,
            references.count * columns.count >= 2 * Self.pageCountPerThread,
            references.count <= scanner.groups.count * Self.rowsPerPageMax,
            references.count <= Self.sharedRowCountMax
        else { return nil }
        var groups: [GroupRows] = []
        try BatchRows.scattered(Array(references)).visitGroups { group, rows, positions in
            groups.append(GroupRows(group: group, rows: rows, positions: positions ?? []))
        }
        let wanted = min(threadCount, groups.count * columns.count / Self.pageCountPerThread)
        guard wanted > 1 else { return nil }
        let parts = (0..<wanted).map { part in
            Array(groups[groups.count * part / wanted..<groups.count * (part + 1) / wanted])
        }
        guard let vectors = try vectors(of: parts, columns, scanner) else { return nil }
        var indices = [UInt32](repeating: 0, count: references.count)
        for (index, position) in groups.lazy.flatMap(\.positions).enumerated() {
            indices[Int(position)] = UInt32(truncatingIfNeeded: index)
        }
        return ScatteredVectors(vectors: vectors, indices: indices)
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

    /// - Returns: `nil` if the values are too large for one window.
    private func vectors(
        of parts: [[GroupRows]], _ columns: [BoundColumn], _ scanner: TableScanner
    ) throws(StoreError) -> [ColumnVector]? {
        let shared = SharedScan()
        let results = FetchedParts(count: parts.count)
        let empty = expressions.map { ColumnVector(of: $0.vectorType) }
        let (schema, byteCountMax) = (scanner.schema, byteCountMax / parts.count)
        _ = try shared.run(on: parts.count, evaluator.reader) { reader, _ in
            do throws(StoreError) {
                let scanner = try reader.scanner(of: schema)
                while let part = shared.nextPartition(of: parts.count) {
                    var vectors = empty
                    for group in parts[part] where !results.areTooLarge {
                        for (index, column) in columns.enumerated() {
                            try scanner.gatherOnce(
                                column, of: group.group, rows: group.rows, into: &vectors[index])
                        }
                        let byteCount = vectors.reduce(0) { $0 + $1.bytes.count }
                        if byteCount > byteCountMax { results.noteTooLarge() }
                    }
                    results.note(vectors, of: part)
                }
            } catch { shared.fail(error) }
        }
        guard !results.areTooLarge else { return nil }
        var whole = empty
        for vectors in results.all {
            for index in whole.indices { whole[index].append(vectors[index]) }
        }
        return whole
    }
}

/// The values that threads have fetched, in the order of the parts.
private final class FetchedParts: @unchecked Sendable {
    private let lock = Lock()
    // Protected by the lock.
    private var parts: [[ColumnVector]]
    private var isTooLarge = false

    init(count: Int) { parts = Array(repeating: [], count: count) }

    func note(_ vectors: [ColumnVector], of part: Int) { lock.withLock { parts[part] = vectors } }

    func noteTooLarge() { lock.withLock { isTooLarge = true } }

    var areTooLarge: Bool { lock.withLock { isTooLarge } }

    /// The values, when all threads have ended.
    var all: [[ColumnVector]] { lock.withLock { parts } }
}
