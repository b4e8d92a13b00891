import FirnCodec
import FirnEngine
import FirnValues

/// The objects that each row leads to by a join, on disk in the order of the rows.
///
///     row number    count    start
///     7             1        the row id of the only object
///     9             3        the place of the first of three row ids in a list
///
/// Rows without an object are left out.
struct JoinMatches: Sendable {
    /// The columns of ``pages``.
    enum Column: Int, CaseIterable {
        case row, count, start
    }

    let pages: [SpilledRows.Page]
    let ids: SpilledNumbers
    let file: SpillFile

    static let kinds = Column.allCases.map { _ in ValueTag.int }
}

/// Writes the matches of a join, part by part.
struct JoinMatchWriter {
    private let findsAll: Bool
    private let file: SpillFile
    private var ids: SpilledNumbers
    private var runs: [SpilledRun] = []
    /// The number of objects of each combination of values of the part, and where they are.
    private var counts: [Int64] = []
    private var starts: [Int64] = []
    private var blocks: [SpillFile.Block] = []

    init(findsAll: Bool, to file: SpillFile) {
        self.findsAll = findsAll
        self.file = file
        ids = SpilledNumbers(file)
    }

    /// Begins a part with its objects.
    mutating func begin(_ objects: JoinedObjects) throws(StoreError) {
        (counts, starts, blocks) = ([], [], [])
        guard findsAll else {
            starts = objects.ids.ints
            counts = starts.map { _ in 1 }
            return
        }
        try objects.visitNumbers { found throws(StoreError) in
            counts.append(Int64(found.count))
            if let id = found.first, found.count == 1 {
                starts.append(id)
            } else {
                starts.append(Int64(ids.count))
                try ids.append(found)
            }
        }
    }

    /// Adds rows of the part.
    ///
    /// - Parameters:
    ///   - numbers: the combination of each row's values, or none.
    ///   - rows: the number of each row, ascending.
    mutating func add(_ numbers: [UInt32], _ rows: [Int64]) throws(StoreError) {
        var vectors = JoinMatches.kinds.map { ColumnVector(kind: $0) }
        for (number, row) in zip(numbers, rows) where number != ValueNumbers.none {
            vectors[JoinMatches.Column.row.rawValue].ints.append(row)
            vectors[JoinMatches.Column.count.rawValue].ints.append(counts[Int(number)])
            vectors[JoinMatches.Column.start.rawValue].ints.append(starts[Int(number)])
        }
        for column in vectors.indices { vectors[column].count = vectors[column].ints.count }
        guard vectors[0].count > 0 else { return }
        blocks.append(try file.append(vectors + [vectors[JoinMatches.Column.row.rawValue]]))
    }

    mutating func endPart() {
        guard !blocks.isEmpty else { return }
        runs.append(SpilledRun(blocks: blocks, kinds: JoinMatches.kinds + [.int]))
    }

    /// Returns the matches of all parts.
    ///
    /// - Parameter willWrite: called before each page; an error ends the work.
    func matches(willWrite: () throws(StoreError) -> Void) throws(StoreError) -> JoinMatches {
        let rows = try SpilledMerge(runs, in: file).rows(willWrite: willWrite)
        return JoinMatches(pages: rows.pages, ids: ids, file: file)
    }
}
