/// The keys of rows, and how many rows with each of them were kept.
struct KeyCounts {
    private let countMax: Int
    private var known = ByteKeySet()
    /// The number of rows of each key so far.
    private var counts: [Int] = []
    /// The code with which each key was added; empty if keys have none.
    private var codes: [UInt64] = []

    /// - Parameter countMax: the number of rows to keep of each key.
    init(_ countMax: Int) { self.countMax = countMax }

    /// The memory that the keys take.
    var byteCount: Int {
        known.byteCount + counts.capacity * MemoryLayout<Int>.stride
            + codes.capacity * MemoryLayout<UInt64>.stride
    }

    /// The number of keys.
    var keyCount: Int { counts.count }

    /// Returns whether the next row of a key is kept, and counts it.
    ///
    /// - Parameters:
    ///   - code: the code of the value by which keys may be forgotten.
    ///   - earlier: the rows that come before all rows that are counted here.
    mutating func keeps(
        _ key: UnsafeRawBufferPointer, code: UInt64? = nil, after earlier: KeyCounts? = nil
    ) -> Bool {
        let (number, isNew) = known.number(of: key)
        if isNew {
            counts.append(earlier?.count(of: key) ?? 0)
            if let code { codes.append(code) }
        }
        guard counts[number] < countMax else { return false }
        counts[number] += 1
        return true
    }

    /// Forgets the keys of which there are no more rows.
    ///
    /// All keys must have codes.
    ///
    /// - Parameter mayFollow: whether there may be more rows whose value has this code.
    mutating func forget(unless mayFollow: (_ code: UInt64) -> Bool) {
        let kept = codes.indices.filter { mayFollow(codes[$0]) }
        known = known.filter { mayFollow(codes[$0]) }
        counts = kept.map { counts[$0] }
        codes = kept.map { codes[$0] }
    }

    /// Returns whether no more rows of a key are kept.
    func isComplete(_ key: UnsafeRawBufferPointer) -> Bool { count(of: key) >= countMax }

    private func count(of key: UnsafeRawBufferPointer) -> Int {
        known.knownNumber(of: key).map { counts[$0] } ?? 0
    }
}
