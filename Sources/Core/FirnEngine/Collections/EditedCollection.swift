import FirnValues

/// A collection with changes that are not stored in its pages yet.
///
/// It is a persistent piece table: a tree of ranges of the base and runs of new elements. A copy
/// costs O(1) and shares all nodes; an edit costs O(log n) time and memory, however large the base
/// is. The ranges of the base keep their order: a moved element becomes a new element.
struct EditedCollection: Sendable {
    enum Base: Sendable {
        case stored(LargeCollection)
        case memory([CollectionEntry])
    }

    let base: Base
    let container: PropertyType.Container
    /// The path of the file, for errors.
    let path: String
    private(set) var root: PieceNode

    /// Creates a stored collection without changes.
    init(_ stored: LargeCollection) {
        self.init(.stored(stored), stored.container, stored.count, path: stored.path)
    }

    /// Creates a collection in memory; sets ascend by value and maps by key.
    init(_ entries: [CollectionEntry], container: PropertyType.Container, path: String) {
        self.init(.memory(entries), container, entries.count, path: path)
    }

    private init(
        _ base: Base, _ container: PropertyType.Container, _ count: Int, path: String
    ) {
        self.base = base
        self.container = container
        self.path = path
        root = PieceNode(pieces: count == 0 ? [] : [.base(0..<count)])
    }

    var count: Int { root.count }

    // MARK: Reading

    /// Returns one element.
    ///
    /// - Precondition: The index is less than the count.
    /// - Complexity: O(log n)
    func entry(at index: Int) throws(StoreError) -> CollectionEntry {
        precondition(index >= 0 && index < count)
        let (piece, offset) = root.locate(index)
        switch piece {
        case .added(let run): return run[offset]
        case .base(let range): return try baseEntry(at: range.lowerBound + offset)
        }
    }

    private func baseEntry(at index: Int) throws(StoreError) -> CollectionEntry {
        switch base {
        case .stored(let stored): try stored.entry(at: index)
        case .memory(let entries): entries[index]
        }
    }

    /// Visits elements in order.
    ///
    /// - Parameter visit: Returns whether to continue.
    func forEach(
        in range: Range<Int>, _ visit: (CollectionEntry) throws(StoreError) -> Bool
    ) throws(StoreError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        var index = range.lowerBound
        while index < range.upperBound {
            let (piece, offset) = root.locate(index)
            let length = min(piece.count - offset, range.upperBound - index)
            guard try visitPiece(piece, offset..<(offset + length), visit) else { return }
            index += length
        }
    }

    /// Returns the elements of a range, for reading in batches.
    func entries(in range: Range<Int>) throws(StoreError) -> [CollectionEntry] {
        var entries: [CollectionEntry] = []
        try forEach(in: range) { entry throws(StoreError) in
            entries.append(entry)
            return true
        }
        return entries
    }

    private func visitPiece(
        _ piece: Piece, _ range: Range<Int>,
        _ visit: (CollectionEntry) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        let entries: ArraySlice<CollectionEntry>
        switch (piece, base) {
        case (.added(let run), _): entries = run[range]
        case (.base(let origin), .memory(let all)):
            entries =
                all[(origin.lowerBound + range.lowerBound)..<(origin.lowerBound + range.upperBound)]
        case (.base(let origin), .stored(let stored)):
            let first = origin.lowerBound + range.lowerBound
            var goesOn = true
            try stored.forEach(in: first..<(first + range.count)) { entry throws(StoreError) in
                goesOn = try visit(entry)
                return goesOn
            }
            return goesOn
        }
        for entry in entries {
            guard try visit(entry) else { return false }
        }
        return true
    }

    // MARK: Searching

    /// Returns the position of a value in a set.
    ///
    /// - Complexity: O(log n) elements are read.
    func position(of value: Value) throws(StoreError) -> CollectionPosition {
        precondition(container == .set)
        return try CollectionPosition.search(count: count) { index throws(StoreError) in
            try entry(at: index).value.order(relativeTo: value)
        }
    }

    /// Returns the position of a key in a map.
    ///
    /// - Complexity: O(log n) elements are read.
    func position(ofKey key: String) throws(StoreError) -> CollectionPosition {
        precondition(container == .map)
        return try CollectionPosition.search(count: count) { index throws(StoreError) in
            CollectionEntry.keyOrder(try entry(at: index).key ?? "", key)
        }
    }

    // MARK: Editing

    /// Inserts an element before an index, or at the end.
    ///
    /// - Complexity: O(log n)
    mutating func insert(_ entry: CollectionEntry, at index: Int) {
        precondition(index >= 0 && index <= count)
        let split = root.insert(entry, at: index)
        grow(split)
    }

    /// Removes an element.
    ///
    /// - Complexity: O(log n)
    mutating func remove(at index: Int) {
        precondition(index >= 0 && index < count)
        let split = root.remove(at: index)
        grow(split)
        while root.children.count == 1 { root = root.children[0] }
        if root.count == 0 { removeAll() }
    }

    /// Replaces an element.
    mutating func replace(at index: Int, with entry: CollectionEntry) {
        remove(at: index)
        insert(entry, at: index)
    }

    /// Adds an element after the last.
    mutating func append(_ entry: CollectionEntry) { insert(entry, at: count) }

    /// Moves an element, so that it has the index `target` afterwards.
    mutating func move(from source: Int, to target: Int) throws(StoreError) {
        let entry = try entry(at: source)
        remove(at: source)
        insert(entry, at: target)
    }

    mutating func removeAll() { root = PieceNode(pieces: []) }

    private mutating func grow(_ split: PieceNode?) {
        guard let split else { return }
        root = PieceNode(children: [root, split])
    }
}
