import FirnCodec
import FirnPlatform
import FirnValues
import HashTreeCollections

extension IndexChanges {
    /// The maximum memory for entries of changed rows.
    ///
    /// A scan is not much slower than deriving more.
    static let byteCountMaximum = 128 << 20
    /// The maximum memory that a check of unique values takes for entries of changed rows.
    static let wholeByteCountMaximum = 1 << 30

    /// Derives the entries.
    ///
    /// - Parameter byteCountMax: The maximum memory for entries of changed rows.
    /// - Returns: `nil` if rows of a bulk load would have to be read, or more memory would be needed.
    /// - Complexity: O(changed rows * log changed rows); O(1) for appended rows whose entries are
    ///   known
    static func of(
        _ table: Table, _ encoder: IndexEncoder, byteCountMax: Int = byteCountMaximum
    ) throws(StoreError) -> IndexChanges? {
        guard let overlay = table.overlay else { return IndexChanges() }
        var changes = IndexChanges()
        var changed = SortMemory()
        for rows in overlay.appended {
            guard case .memory(let group) = rows else { return nil }
            let view = table.view(rows.source)
            if let patch = view.patch, encoder.isAffected(by: patch) {
                try encoder.forEachLiveEntry(of: view) { changed.append(key: $0, value: .none) }
                guard changed.byteCount <= byteCountMax else { return nil }
                continue
            }
            let entries = try group.entries(encoder, view)
            if !entries.isEmpty { changes.added.append(entries) }
        }
        var removed = SortMemory()
        let difference = IndexDifference(table, encoder)
        for (view, rows) in try difference.changedRows() {
            guard removed.byteCount + changed.byteCount <= byteCountMax else { return nil }
            try difference.forEachChange(of: view, rows) { change, key in
                switch change {
                case .removed: removed.append(key: key, value: .none)
                case .added: changed.append(key: key, value: .none)
                }
            }
        }
        changes.removed = try removed.sorted()
        let entries = try changed.sorted()
        if !entries.isEmpty { changes.added.append(entries) }
        return changes
    }
}

/// The changes to the rows of the root, as entries of an index.
struct IndexDifference {
    enum Change: UInt8 {
        case removed
        case added
    }

    private let table: Table
    private let encoder: IndexEncoder

    init(_ table: Table, _ encoder: IndexEncoder) {
        self.table = table
        self.encoder = encoder
    }

    /// Returns the row groups of the root whose entries may change, with the changed rows,
    /// ascending.
    func changedRows() throws(StoreError) -> [(view: RowGroupView, rows: [UInt32])] {
        guard let overlay = table.overlay else { return [] }
        let appended = overlay.appended.first?.firstRowID
        var found: [(view: RowGroupView, rows: [UInt32])] = []
        for (first, patch) in overlay.patches where encoder.isAffected(by: patch) {
            if let appended, first >= appended { continue }
            guard let group = try table.directory.group(for: first), group.firstRowID == first
            else {
                throw .corrupt(
                    table.directory.pages.file.path,
                    "a row group of \(table.schema.name) is missing")
            }
            found.append((table.view(.stored(group)), rows(of: patch, count: group.rowCount)))
        }
        return found
    }

    private func rows(of patch: GroupPatch, count: Int) -> [UInt32] {
        let properties = encoder.properties.map(\.id)
        if properties.contains(where: { patch.columns[$0] != nil }) {
            return Array(0..<UInt32(count))
        }
        var rows = patch.deleted
        for property in properties {
            patch.values[property]?.visit { row, _ in rows.insert(row) }
            patch.edited[property]?.visit { row, _ in rows.insert(row) }
        }
        return rows.rows
    }

    /// Passes to a closure the entries that rows of the root had or have, except unchanged ones.
    func forEachChange(
        of view: RowGroupView, _ rows: [UInt32],
        _ body: (Change, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let before = RowGroupView(
            source: view.source, patch: nil, record: view.record, pages: view.pages)
        let old = try entries(of: before, rows)
        let new = try entries(of: view, rows)
        var (left, right) = (0, 0)
        // Both are in the order of keys, which name their rows.
        while left < old.count || right < new.count {
            let order: Ordering =
                left == old.count
                ? .greater
                : right == new.count
                    ? .less : old.order(at: left, relativeTo: new, at: right)
            if order != .greater {
                if order == .less {
                    try old.withEntry(at: left) { key, _ throws(StoreError) in
                        try body(.removed, key)
                    }
                }
                left += 1
            }
            if order != .less {
                if order == .greater {
                    try new.withEntry(at: right) { key, _ throws(StoreError) in
                        try body(.added, key)
                    }
                }
                right += 1
            }
        }
    }

    /// Returns the entries of the given rows that exist, ascending.
    private func entries(
        of view: RowGroupView, _ rows: [UInt32]
    ) throws(StoreError) -> TreeEntries {
        let live = try view.liveRows()
        let existing = live.map { live in rows.filter { live[Int($0)] } } ?? rows
        var memory = SortMemory()
        try encoder.forEachEntry(of: view, rows: existing) { _, key in
            memory.append(key: key, value: .none)
        }
        return try memory.sorted()
    }
}

extension IndexEncoder {
    /// Passes the keys of all existing rows of a group to a closure.
    func forEachLiveEntry(
        of view: RowGroupView, _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let live = try view.liveRows()
        try forEachEntry(of: view) { row, key throws(StoreError) in
            if live?[Int(row)] ?? true { try body(key) }
        }
    }
}

extension SortMemory {
    /// Returns all entries in order.
    func sorted() throws(StoreError) -> TreeEntries {
        var entries = TreeEntries()
        try forEachSorted { key, value in entries.append(key: key, value: value) }
        return entries
    }
}

extension UnsafeRawBufferPointer {
    /// The value of the entries of an index.
    static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
