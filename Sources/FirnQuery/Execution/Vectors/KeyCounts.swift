/// The keys of rows, and how many rows with each of them were kept.
struct KeyCounts {
    private let countMax: Int
    private var known = ByteKeySet()
    /// The number of rows of each key so far.
    private var counts: [Int] = []

    /// - Parameter countMax: the number of rows to keep of each key.
    init(_ countMax: Int) { self.countMax = countMax }

    /// The memory that the keys take.
    var byteCount: Int { known.byteCount + counts.capacity * MemoryLayout<Int>.stride }

    /// Returns whether the next row of a key is kept, and counts it.
    ///
    /// - Parameter earlier: the rows that come before all rows that are counted here.
    mutating func keeps(_ key: UnsafeRawBufferPointer, after earlier: KeyCounts? = nil) -> Bool {
        let (number, isNew) = known.number(of: key)
        if isNew { counts.append(earlier?.count(of: key) ?? 0) }
        guard counts[number] < countMax else { return false }
        counts[number] += 1
        return true
    }

    /// Returns whether no more rows of a key are kept.
    func isComplete(_ key: UnsafeRawBufferPointer) -> Bool { count(of: key) >= countMax }

    private func count(of key: UnsafeRawBufferPointer) -> Int {
        known.knownNumber(of: key).map { counts[$0] } ?? 0
    }
}
