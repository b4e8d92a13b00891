import FirnCodec
import FirnEngine
import FirnValues

/// The objects to which each row leads by a join, on disk in the order of the rows.
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

    let pages: [PagedRows.Page]
    /// The lists of the parts.
    private let ids: [SpilledNumbers]
    let file: SpillFile

    static let kinds = Column.allCases.map { _ in ValueTag.int }

    /// Puts the matches of all parts into the order of the rows.
    ///
    /// - Parameter willWrite: called before each page; an error ends the work.
    init(
        _ parts: [JoinMatchPart], in file: SpillFile, willWrite: () throws(StoreError) -> Void
    ) throws(StoreError) {
        self.file = file
        pages = try SpilledMerge(parts.compactMap(\.run), in: file).rows(willWrite: willWrite).pages
        ids = parts.map(\.ids)
    }

    /// Appends some of the row ids of a match to an array.
    ///
    /// - Throws: ``StoreError`` with `corrupt` if there are no such row ids, or `inputOutput`.
    func append(
        _ range: Range<Int64>, count: Int64, start: Int64, to found: inout [Int64]
    ) throws(StoreError) {
        guard count > 1 else { return found.append(start) }
        let place = JoinListPlace(packed: start)
        guard ids.indices.contains(place.part), let first = Int(exactly: range.lowerBound),
            let end = Int(exactly: range.upperBound), end <= .max - place.index
        else { throw file.damaged }
        try ids[place.part].append(place.index + first..<place.index + end, to: &found)
    }
}

/// The place of the first of several row ids in the list of a part, as a number.
///
///     63       40 39                  0
///     |  part   |  index in the list  |
private struct JoinListPlace {
    private static let indexBits: Int64 = 40

    let part: Int
    let index: Int

    init(part: Int, index: Int) {
        self.part = part
        self.index = index
    }

    init(packed: Int64) {
        part = Int(packed >> Self.indexBits)
        index = Int(packed & (1 << Self.indexBits - 1))
    }

    var packed: Int64 { Int64(part) << Self.indexBits | Int64(index) }
}

/// The matches of the rows of a part, on disk.
struct JoinMatchPart: Sendable {
    private let part: Int
    private let findsAll: Bool
    private let file: SpillFile
    fileprivate private(set) var ids: SpilledNumbers
    /// The number of objects of each combination of values, and either the row id or the place of
    /// the first one.
    private var counts: [Int64] = []
    private var starts: [Int64] = []
    private var blocks: [SpillFile.Block] = []

    /// - Parameter part: the number of the part.
    init(_ part: Int, findsAll: Bool, to file: SpillFile) {
        self.part = part
        self.findsAll = findsAll
        self.file = file
        ids = SpilledNumbers(file)
    }

    /// Sets the objects.
    mutating func begin(_ objects: JoinedObjects) throws(StoreError) {
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
                starts.append(JoinListPlace(part: part, index: ids.count).packed)
                try ids.append(found)
            }
        }
    }

    /// Adds rows.
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

    /// Releases the objects after the last row.
    mutating func finish() { (counts, starts) = ([], []) }

    /// The rows that lead to objects; `nil` if there are none.
    fileprivate var run: SpilledRun? {
        blocks.isEmpty ? nil : SpilledRun(blocks: blocks, kinds: JoinMatches.kinds + [.int])
    }
}
