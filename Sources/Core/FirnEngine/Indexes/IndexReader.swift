import FirnCodec
import FirnPlatform
package import FirnValues

/// A range of keys of an index: at least a lower bound, and less than an upper bound.
package struct IndexRange: Hashable, Sendable {
    let lower: [UInt8]
    /// The upper bound, which is exclusive; `nil` if there is none.
    let upper: [UInt8]?

    /// The range of all keys.
    package static let all = IndexRange(lower: [], upper: nil)

    init(lower: [UInt8], upper: [UInt8]?) {
        self.lower = lower
        self.upper = upper
    }

    /// The keys that begin with the given bytes.
    package init(prefix: [UInt8]) {
        self.init(lower: prefix, upper: TreeKey.successor(ofPrefix: prefix))
    }

    /// Returns the keys that are also in another range.
    package func intersected(with other: IndexRange) -> IndexRange {
        let lower =
            KeyOrder.order(lower, other.lower) == .less ? other.lower : self.lower
        guard let upper, let otherUpper = other.upper else {
            return IndexRange(lower: lower, upper: upper ?? other.upper)
        }
        return IndexRange(
            lower: lower, upper: KeyOrder.order(upper, otherUpper) == .less ? upper : otherUpper)
    }

    /// Returns the range with a prefix added to its keys: the values of the preceding properties.
    package func following(_ prefix: [UInt8]) -> IndexRange {
        IndexRange(
            lower: prefix + lower,
            upper: upper.map { prefix + $0 } ?? TreeKey.successor(ofPrefix: prefix))
    }

    /// Whether no key is in the range.
    package var isEmpty: Bool {
        upper.map { KeyOrder.order(lower, $0) != .less } ?? false
    }
}

/// The entries of an index in a range of keys.
package struct IndexSpan: Sendable {
    fileprivate(set) var ranks: Range<UInt64>
    fileprivate let removed: Range<Int>
    fileprivate let added: [Range<Int>]

    /// The number of entries.
    package var count: Int {
        // A crafted tree may claim any number of entries.
        let kept = Int(clamping: min(ranks.count, 1 << 62)) - removed.count
        return kept + added.reduce(0) { $0 + $1.count }
    }
}

/// A reader of an index in one version, which merges the tree of the root with the changes of the
/// overlay.
package struct IndexReader: Sendable {
    package let index: IndexSchema
    private let tree: Tree
    private let changes: IndexChanges

    init(_ index: IndexSchema, _ tree: Tree, _ changes: IndexChanges) {
        self.index = index
        self.tree = tree
        self.changes = changes
    }

    /// The number of entries.
    package var count: Int {
        Int(clamping: min(tree.count, 1 << 62)) - changes.removed.count
            + changes.added.reduce(0) { $0 + $1.count }
    }

    /// Finds the entries in a range.
    ///
    /// - Complexity: O(log entries) for the root and for each appended row group
    package func span(of range: IndexRange) throws(StoreError) -> IndexSpan {
        IndexSpan(
            ranks: try ranks(of: range), removed: changes.removed.positions(of: range),
            added: changes.added.map { $0.positions(of: range) })
    }

    /// Returns the number of entries in a range.
    ///
    /// - Complexity: as ``span(of:)``
    package func count(in range: IndexRange) throws(StoreError) -> Int { try span(of: range).count }

    /// Returns the rows of the entries in a range, in the order of the entries.
    ///
    /// An index of elements may name a row more than once.
    ///
    /// - Complexity: O(rows + log entries)
    package func rows(in range: IndexRange) throws(StoreError) -> [RowID] {
        try rows(of: try span(of: range))
    }

    /// Returns the rows of entries that were found, in the order of the entries.
    ///
    /// - Parameter limit: The number of rows that are enough, at least 1; `nil` for all.
    package func rows(of span: IndexSpan, limit: Int? = nil) throws(StoreError) -> [RowID] {
        var rows: [RowID] = []
        try forEachEntry(of: span, skipping: 0) { key throws(StoreError) in
            guard let row = IndexKey.row(of: key) else { throw notAnEntry }
            rows.append(row)
            return limit.map { rows.count < $0 } ?? true
        }
        return rows
    }

    /// Passes the keys of entries to a closure, which returns whether to continue.
    ///
    /// - Returns: Whether the closure wants more.
    /// - Complexity: O(entries); O(skipped entries) only while the overlay has changes among them
    @discardableResult
    func forEachEntry(
        of span: IndexSpan, skipping skipped: Int,
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        var ranks = span.ranks
        var cursors = [EntryCursor(changes.removed, span.removed)]
        cursors += zip(changes.added, span.added).map { EntryCursor($0, $1) }
        var toSkip = skipped
        if cursors.allSatisfy(\.isAtEnd) {
            ranks = min(ranks.upperBound, ranks.lowerBound + UInt64(skipped))..<ranks.upperBound
            toSkip = 0
        }
        func add(_ key: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
            guard toSkip == 0 else {
                toSkip -= 1
                return true
            }
            return try body(key)
        }
        var goesOn = true
        try tree.forEach(in: ranks) { key, _ throws(StoreError) in
            while goesOn, let next = IndexReader.least(cursors, before: key) {
                goesOn = try cursors[next].take(add)
            }
            guard goesOn else { return false }
            if cursors[0].skip(key) { return true }
            goesOn = try add(key)
            return goesOn
        }
        while goesOn, let next = IndexReader.least(cursors, before: nil) {
            goesOn = try cursors[next].take(add)
        }
        return goesOn
    }

    /// Whether the overlay changes entries.
    var hasChanges: Bool { !changes.isEmpty }

    /// The number of entries of the tree.
    var rankCount: UInt64 { tree.count }

    /// Returns the key of an entry of the tree.
    func entry(at rank: UInt64) throws(StoreError) -> [UInt8] { try tree.entry(at: rank).key }

    /// Returns the greatest key before a bound; without a bound, the greatest of all.
    func lastKey(before bound: [UInt8]?) throws(StoreError) -> [UInt8]? {
        var last: [UInt8]?
        for entries in changes.added {
            let end = entries.positions(of: IndexRange(lower: [], upper: bound)).upperBound
            guard end > 0 else { continue }
            let key = entries.key(at: end - 1)
            if last.map({ KeyOrder.order($0, key) == .less }) ?? true { last = key }
        }
        var rank =
            try bound.map { key throws(StoreError) in try tree.lowerBound(key) } ?? tree.count
        while rank > 0 {
            rank -= 1
            let key = try tree.entry(at: rank).key
            if changes.removed.contains(key) { continue }
            if last.map({ KeyOrder.order($0, key) == .less }) ?? true { last = key }
            break
        }
        return last
    }

    /// Returns the added entries with the least next key, if that is before a given key.
    private static func least(
        _ cursors: [EntryCursor], before key: UnsafeRawBufferPointer?
    ) -> Int? {
        guard cursors.count > 1 else { return nil }
        var best: Int?
        for index in 1..<cursors.count where !cursors[index].isAtEnd {
            if let key, cursors[index].order(relativeTo: key) != .less { continue }
            if let other = best, cursors[index].order(relativeTo: cursors[other]) != .less {
                continue
            }
            best = index
        }
        return best
    }

    private func ranks(of range: IndexRange) throws(StoreError) -> Range<UInt64> {
        guard !range.isEmpty else { return 0..<0 }
        if let upper = range.upper, !range.lower.isEmpty {
            return try tree.ranks(from: range.lower, to: upper)
        }
        let lower = range.lower.isEmpty ? 0 : try tree.lowerBound(range.lower)
        let upper = try range.upper.map { key throws(StoreError) in try tree.lowerBound(key) }
        // A damaged tree may give any result.
        return lower..<max(lower, upper ?? tree.count)
    }

    var notAnEntry: StoreError {
        .corrupt(tree.pages.file.path, "an entry of the \(tree.name) names no row")
    }
}

/// A position in sorted entries.
private struct EntryCursor {
    private let entries: TreeEntries
    private var position: Int
    private let end: Int

    init(_ entries: TreeEntries, _ range: Range<Int>) {
        self.entries = entries
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position >= end }

    func order(relativeTo key: UnsafeRawBufferPointer) -> Ordering {
        entries.withEntry(at: position) { own, _ in KeyOrder.order(own, key) }
    }

    func order(relativeTo other: EntryCursor) -> Ordering {
        entries.order(at: position, relativeTo: other.entries, at: other.position)
    }

    mutating func take(
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        defer { position += 1 }
        return try entries.withEntry(at: position) { key, _ throws(StoreError) in try body(key) }
    }

    /// Passes the entries up to a key, and returns whether it is among them.
    mutating func skip(_ key: UnsafeRawBufferPointer) -> Bool {
        while !isAtEnd {
            let order = order(relativeTo: key)
            if order == .greater { return false }
            position += 1
            if order == .equal { return true }
        }
        return false
    }
}

extension TreeEntries {
    fileprivate func contains(_ key: [UInt8]) -> Bool {
        let position = lowerBound(of: key)
        return position < count && order(at: position, relativeTo: key) == .equal
    }

    /// Returns the positions of the entries in a range of keys.
    fileprivate func positions(of range: IndexRange) -> Range<Int> {
        guard !isEmpty, !range.isEmpty else { return 0..<0 }
        let lower = lowerBound(of: range.lower)
        return lower..<max(lower, range.upper.map { lowerBound(of: $0) } ?? count)
    }
}

extension Table {
    /// Returns a reader of an index; `nil` while it has to be built, or while a bulk load is not
    /// committed.
    ///
    /// - Complexity: O(1) if the version has no changes since its root, or if they are known
    package func reader(of index: IndexSchema) throws(StoreError) -> IndexReader? {
        try reader(of: index) { [self] () throws(StoreError) in
            let encoder = IndexEncoder(index, of: schema)
            func derive() throws(StoreError) -> IndexChanges? {
                try IndexChanges.of(self, encoder)
            }
            guard let derived = overlay?.derived else { return try derive() }
            return try derived.changes(index, derive)
        }
    }

    /// Returns a reader of an index; `nil` only while it has to be built, or while a bulk load is not
    /// committed.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if the changes since the root are too large.
    func wholeReader(of index: IndexSchema) throws(StoreError) -> IndexReader? {
        let isBulk = overlay?.appended.contains { if case .stored = $0 { true } else { false } }
        guard isBulk != true else { return nil }
        return try reader(of: index) { [self] () throws(StoreError) in
            let changes = try IndexChanges.of(
                self, IndexEncoder(index, of: schema),
                byteCountMax: IndexChanges.wholeByteCountMaximum)
            guard let changes else {
                throw StoreError(
                    .limitExceeded, path: directory.pages.file.path,
                    detail: "too many values of \(schema.name(of: index)) changed since the last "
                        + "checkpoint")
            }
            return changes
        }
    }

    private func reader(
        of index: IndexSchema, _ changes: () throws(StoreError) -> IndexChanges?
    ) throws(StoreError) -> IndexReader? {
        guard case .built(let root)? = record.indexTrees[index.id] else { return nil }
        let slot = TreeSlot.index(index.id)
        let tree = Tree(root: root, pages: directory.pages, name: slot.name(in: schema))
        guard overlay != nil else { return IndexReader(index, tree, IndexChanges()) }
        return try changes().map { IndexReader(index, tree, $0) }
    }
}
