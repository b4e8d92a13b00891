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
    private var damagedTrees: TextSet = []

    init(_ table: Table, in snapshot: Snapshot) {
        self.table = table
        self.snapshot = snapshot
    }

    private var schema: ClassSchema { table.schema }

    mutating func run() throws(StoreError) {
        for (root, name) in table.record.trees {
            let isUnique = !table.record.collectionTrees.values.contains(root)
            var check = TreeCheck(
                Tree(root: root, pages: snapshot.pages, name: name), isUnique: isUnique)
            try check.run()
            findings += check.findings
            pageCount += check.nodeCount
            extents += check.extents.map { ($0, name) }
            if !check.findings.isEmpty { damagedTrees.insert(name) }
        }
        try attempt { check throws(StoreError) in try check.checkKeys() }
        for property in schema.properties where property.mayLink {
            try attempt { check throws(StoreError) in try check.checkLinks(property) }
        }
        for property in schema.properties where property.type.container != .single {
            try attempt { check throws(StoreError) in try check.checkLargeCollections(property) }
        }
        if schema.isEmbedded {
            try attempt { check throws(StoreError) in try check.checkParents() }
        }
    }

    // MARK: Keys

    private mutating func checkKeys() throws(StoreError) {
        guard let property = schema.keyProperty else { return }
        let name = Tree.keyIndexName(schema)
        let groups = try table.rowGroups()
        guard case .tree(let root) = table.record.keyIndex else {
            let search = DuplicateKeySearch(groups: groups, key: property)
            if try !search.isAscendingIncludingDeleted() {
                add("the keys of \(schema.name) do not ascend, and there is no index")
            }
            return
        }
        guard !damagedTrees.contains(name) else { return }
        let tree = Tree(root: root, pages: snapshot.pages, name: name)
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
                    add("the \(name) misses \(key.shortened)")
                    return
                }
                let entry = try cursor.entry(at: rank)
                guard entry.key == bytes, RowID(indexed: entry.value) == rowID else {
                    add("the \(name) does not lead from \(key.shortened) to its object")
                    return
                }
            }
        }
        if count != tree.count {
            add("the \(name) has \(tree.count) keys for \(count) objects")
        }
    }

    // MARK: Links

    private mutating func checkLinks(_ property: PropertySchema) throws(StoreError) {
        let name = Tree.linkIndexName(schema, property)
        guard !damagedTrees.contains(name) else { return }
        let tree = Tree(
            root: table.record.linkIndexes[property.id], pages: snapshot.pages, name: name)
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
            add("the \(name) has \(indexed) links, the objects \(linkCount), \(missing) not in it")
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
        let name = Tree.collectionName(schema, property)
        guard !damagedTrees.contains(name) else { return }
        let tree = Tree(
            root: table.record.collectionTrees[property.id], pages: snapshot.pages, name: name)
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
            add("the \(name) have elements of \(found.count) objects, \(rows.count) say so")
        }
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
