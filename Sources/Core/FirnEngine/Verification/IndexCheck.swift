import FirnCodec
import FirnValues

/// A check of the data derived from the rows of a class, and of the constraints of links.
///
/// The trees must be whole, the indexes must contain exactly the keys and links of the rows, links
/// must refer to existing objects, and embedded objects must have one parent.
struct IndexCheck {
    let table: Table
    let snapshot: Snapshot
    private(set) var findings: [Finding] = []
    private(set) var extents: [(extent: Extent, user: String)] = []
    private(set) var pageCount = 0
    /// The trees that are not whole, which are not compared with the rows.
    private var damagedTrees: Set<TreeSlot> = []

    init(_ table: Table, in snapshot: Snapshot) {
        self.table = table
        self.snapshot = snapshot
    }

    private var schema: ClassSchema { table.schema }

    mutating func run() throws(StoreError) {
        for slot in table.record.treeSlots {
            let tree = table.tree(slot)
            var check = TreeCheck(tree, isUnique: slot.isUnique)
            try check.run()
            findings += check.findings
            pageCount += check.nodeCount
            extents += check.extents.map { ($0, tree.name) }
            if !check.findings.isEmpty { damagedTrees.insert(slot) }
        }
        try attempt { check throws(StoreError) in try check.checkKeys() }
        for property in schema.properties where property.mayLink {
            try attempt { check throws(StoreError) in try check.checkLinks(property) }
        }
        for property in schema.properties where property.type.container != .single {
            try attempt { check throws(StoreError) in try check.checkLargeCollections(property) }
        }
        for index in schema.indexes {
            try attempt { check throws(StoreError) in try check.check(index) }
        }
        if schema.isEmbedded {
            try attempt { check throws(StoreError) in try check.checkParents() }
        }
    }

    // MARK: Keys

    private mutating func checkKeys() throws(StoreError) {
        guard let property = schema.keyProperty else { return }
        let groups = try table.rowGroups()
        guard case .tree = table.record.keyIndex else {
            let search = DuplicateKeySearch(groups: groups, key: property)
            if try !search.isAscendingIncludingDeleted() {
                add("the keys of \(schema.name) do not ascend, and there is no index")
            }
            return
        }
        guard !damagedTrees.contains(.keys) else { return }
        let tree = table.tree(.keys)
        var cursor = TreeCursor(tree)
        var count: UInt64 = 0
        for group in groups {
            let column = try group.column(property)
            for row in 0..<group.rowCount where try group.isLive(row) {
                count += 1
                let key = column.value(at: row)
                let rowID = try group.rowID(at: row)
                guard let bytes = TreeKey.primary(key, mayBeNull: property.type.isOptional) else {
                    continue
                }
                let rank = try cursor.lowerBound(bytes)
                guard rank < tree.count else {
                    add("the \(tree.name) misses \(key.shortened)")
                    return
                }
                let entry = try cursor.entry(at: rank)
                guard entry.key == bytes, RowID(indexed: entry.value) == rowID else {
                    add("the \(tree.name) does not lead from \(key.shortened) to its object")
                    return
                }
            }
        }
        if count != tree.count {
            add("the \(tree.name) has \(tree.count) keys for \(count) objects")
        }
    }

    // MARK: Links

    private mutating func checkLinks(_ property: PropertySchema) throws(StoreError) {
        guard !damagedTrees.contains(.links(property.id)) else { return }
        let tree = table.tree(.links(property.id))
        var linkCount: UInt64 = 0
        var dangling = 0
        var missing = 0
        var targets: [ClassID: ExistingRows] = [:]
        let snapshot = snapshot
        try table.forEachLink(of: property) { target, source throws(StoreError) in
            linkCount += 1
            if targets[target.classID] == nil {
                targets[target.classID] = try ExistingRows(snapshot.table(target.classID))
            }
            if targets[target.classID]?.contains(target.rowID) != true { dangling += 1 }
            let key = TreeKey.link(target: target, source: source)
            if try tree.value(forKey: key) == nil { missing += 1 }
        }
        var indexed: UInt64 = 0
        try tree.forEach(in: 0..<tree.count) { key, value throws(StoreError) in
            indexed &+= UInt64(try tree.link(key, value).count)
            return true
        }
        if dangling > 0 {
            add("\(dangling) links of \(schema.name).\(property.name) lead to no object")
        }
        if missing > 0 || indexed != linkCount {
            add(
                "the \(tree.name) has \(indexed) links, the objects \(linkCount), \(missing) not in it"
            )
        }
    }

    /// Checks that every embedded object has exactly one parent.
    private mutating func checkParents() throws(StoreError) {
        let holders = snapshot.schema.incoming(to: schema.id)
        for group in try table.rowGroups() {
            var rows: [RowID] = []
            for row in 0..<group.rowCount where try group.isLive(row) {
                rows.append(try group.rowID(at: row))
            }
            var counts = Array(repeating: 0, count: rows.count)
            for holder in holders {
                let sources = try snapshot.sources(
                    of: rows, in: schema.id, through: holder.property, of: holder.source)
                for index in rows.indices { counts[index] += sources[index].count }
            }
            let wrong = counts.count { $0 != 1 }
            if wrong > 0 { add("\(wrong) embedded \(schema.name) have not exactly one parent") }
        }
    }

    // MARK: Large collections

    /// Checks that the tree has elements of exactly the rows that refer to it.
    private mutating func checkLargeCollections(
        _ property: PropertySchema
    ) throws(StoreError) {
        guard !damagedTrees.contains(.collections(property.id)) else { return }
        let tree = table.tree(.collections(property.id))
        var rows: [RowID] = []
        for group in try table.rowGroups() {
            // This also decodes every element that is stored inline.
            _ = try group.collection(property)
            for row in try group.outOfLineRows(property).sorted() where try group.isLive(Int(row)) {
                rows.append(try group.rowID(at: Int(row)))
            }
        }
        var found: [RowID] = []
        var elements = CollectionTreeCheck(tree, container: property.type.container)
        try elements.run { row, _ in found.append(row) }
        findings += elements.findings
        // A large collection has elements, or it would be inline.
        if found != rows {
            add("the \(tree.name) have elements of \(found.count) objects, \(rows.count) say so")
        }
    }

    // MARK: Indexes

    /// Checks that an index has exactly the entries of the rows.
    ///
    /// The sums of the hashes of the entries are compared, for which both are read in their own
    /// order.
    private mutating func check(_ index: IndexSchema) throws(StoreError) {
        let slot = TreeSlot.index(index.id)
        guard case .built = table.record.indexTrees[index.id], !damagedTrees.contains(slot) else {
            return
        }
        let tree = table.tree(slot)
        let encoder = IndexEncoder(index, of: schema)
        var (expected, found) = (EntrySum(), EntrySum())
        for view in try table.rowGroups() {
            try encoder.forEachLiveEntry(of: view) { expected.add($0) }
        }
        var unique = index.isUnique ? UniqueCheck(encoder, table) : nil
        var duplicate: String?
        try tree.forEach(in: 0..<tree.count) { key, _ throws(StoreError) in
            found.add(key)
            do throws(StoreError) {
                try unique?.add(key)
            } catch {
                guard error.code == .duplicateKey else { throw error }
                duplicate = error.detail
                unique = nil
            }
            return true
        }
        if let duplicate { add(duplicate) }
        guard expected != found else { return }
        add(
            "the \(tree.name) has \(found.count) entries, the objects \(expected.count)"
                + (expected.count == found.count ? ", and some differ" : ""))
    }

    // MARK: Findings

    private mutating func add(_ message: String) {
        findings.append(Finding(kind: .index, message: message))
    }

    private mutating func attempt(
        _ step: (inout IndexCheck) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try step(&self)
        } catch {
            guard error.code == .corrupt else { throw error }
            findings.append(Finding(kind: .page, message: error.detail))
        }
    }
}

/// The number of entries, and the sum of their hashes, which does not depend on their order.
private struct EntrySum: Equatable {
    private(set) var count: UInt64 = 0
    private var sum: UInt64 = 0

    mutating func add(_ key: UnsafeRawBufferPointer) {
        count += 1
        sum &+= Checksum.xxh64(key, seed: 0)
    }
}

/// The row ids of the objects of a class.
private struct ExistingRows {
    private var groups: [(first: RowID, view: RowGroupView)] = []
    private var dense: [RowID: Bitmap?] = [:]
    private var sparse: [RowID: Set<RowID>] = [:]

    init(_ table: Table?) throws(StoreError) {
        guard let table else { return }
        for view in try table.rowGroups() {
            groups.append((view.firstRowID, view))
            if try view.rowIDOffsets() == nil {
                dense[view.firstRowID] = .some(try view.liveRows())
            } else {
                var rows: Set<RowID> = []
                for row in 0..<view.rowCount where try view.isLive(row) {
                    rows.insert(try view.rowID(at: row))
                }
                sparse[view.firstRowID] = rows
            }
        }
    }

    func contains(_ row: RowID) -> Bool {
        guard let index = Bisection.lastIndex(in: groups, { $0.first <= row }) else { return false }
        let (first, view) = groups[index]
        if let rows = sparse[first] { return rows.contains(row) }
        let offset = row.rawValue - first.rawValue
        guard offset < UInt64(view.rowCount) else { return false }
        guard let live = dense[first] ?? nil else { return true }
        return live[Int(offset)]
    }
}
