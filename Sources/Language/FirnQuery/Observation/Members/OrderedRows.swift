import FirnValues

/// Rows in the order of a sort, each with the code of its first key: 16 bytes per member.
///
/// The rows are divided into pieces of some hundreds, so that an insertion or removal moves few
/// entries, and a position is found in O(log n). The caller decides the order beyond the codes.
struct OrderedRows {
    struct Entry: Hashable {
        let code: UInt64
        let row: RowID
    }

    /// The location of an entry, or the location at which it would be inserted.
    struct Location {
        fileprivate let piece: Int
        fileprivate let index: Int
    }

    private static let pieceCountMax = 512
    /// The number of entries below which two adjacent pieces are merged.
    private static let pieceCountMin = 128

    private var pieces: [[Entry]] = []
    private var sums = PartialSums()

    init() {}

    /// - Parameter entries: the entries in sort order.
    init(_ entries: some Collection<Entry>) {
        var rest = entries[...]
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(Self.pieceCountMax)))
            rest = rest.dropFirst(Self.pieceCountMax)
        }
        recount()
    }

    var count: Int { sums.total }

    private mutating func recount() { sums = PartialSums(pieces.map(\.count)) }

    // MARK: Lookup

    /// Returns the location of the first entry that does not satisfy a predicate.
    ///
    /// - Parameter isBefore: returns true for the first entries in order, and false for all later
    ///   ones.
    /// - Complexity: O(log n) calls
    func location<Failure>(
        _ isBefore: (Entry) throws(Failure) -> Bool
    ) throws(Failure) -> Location {
        // Finds the first piece whose last entry does not satisfy the predicate.
        let number = try pieces.partitioningIndex { piece throws(Failure) in
            try !isBefore(piece[piece.count - 1])
        }
        guard number < pieces.count else {
            return Location(piece: number, index: 0)
        }
        let index = try pieces[number].partitioningIndex { entry throws(Failure) in
            try !isBefore(entry)
        }
        return Location(piece: number, index: index)
    }

    /// Returns an entry, or `nil` for the location after the last one.
    func entry(at location: Location) -> Entry? {
        location.piece < pieces.count ? pieces[location.piece][location.index] : nil
    }

    func position(of location: Location) -> Int {
        sums.sum(before: location.piece) + location.index
    }

    /// Returns the rows at a range of positions.
    ///
    /// - Complexity: O(log n + length of the range)
    func rows(_ range: Range<Int>) -> [RowID] {
        var rows: [RowID] = []
        guard !range.isEmpty else { return rows }
        rows.reserveCapacity(range.count)
        var (piece, index) = sums.part(of: range.lowerBound)
        while rows.count < range.count {
            for entry in pieces[piece][index...].prefix(range.count - rows.count) {
                rows.append(entry.row)
            }
            piece += 1
            index = 0
        }
        return rows
    }

    // MARK: Mutation

    mutating func insert(_ entry: Entry, at location: Location) {
        guard !pieces.isEmpty else {
            pieces = [[entry]]
            return recount()
        }
        // The location after the last entry.
        let isEnd = location.piece == pieces.count
        let piece = isEnd ? pieces.count - 1 : location.piece
        pieces[piece].insert(entry, at: isEnd ? pieces[piece].count : location.index)
        guard pieces[piece].count > Self.pieceCountMax else { return sums.add(1, at: piece) }
        // Entries that are appended in order fill their pieces.
        let half = isEnd ? Self.pieceCountMax : pieces[piece].count / 2
        pieces.insert(Array(pieces[piece][half...]), at: piece + 1)
        pieces[piece].removeSubrange(half...)
        recount()
    }

    /// Removes the entry at a position.
    mutating func remove(at position: Int) {
        let (piece, index) = sums.part(of: position)
        pieces[piece].remove(at: index)
        sums.add(-1, at: piece)
        if pieces[piece].isEmpty {
            pieces.remove(at: piece)
            return recount()
        }
        guard pieces[piece].count < Self.pieceCountMin else { return }
        let left = piece > 0 ? piece - 1 : piece
        guard left + 1 < pieces.count, pieces[left + 1].count < Self.pieceCountMin,
            pieces[left].count < Self.pieceCountMin
        else { return }
        pieces[left] += pieces.remove(at: left + 1)
        recount()
    }
}
