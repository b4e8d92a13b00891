import FirnPlatform
import FirnValues

/// A check of the versions before the newest.
///
/// Every kept root must be readable and its space not reused, the commits must follow each other,
/// and every freeze must be readable.
struct HistoryCheck {
    let store: Store
    let newest: Snapshot
    let history: History
    let freeSpace: FreeSpace
    let isDeep: Bool
    /// The row groups whose pages were checked.
    var checkedGroups: Set<RowGroup>
    private(set) var findings: [Finding] = []
    private(set) var pageCount = 0
    /// The structures that were already walked, because most of them are shared by many roots.
    private var directories: [DirectoryRoot: (extents: [Extent], liveRowCount: UInt64)] = [:]
    private var trees: [TreeRoot: [Extent]] = [:]
    /// All extents of the kept roots.
    private(set) var extents: Set<Extent> = []

    init(
        store: Store, newest: Snapshot, history: History, freeSpace: FreeSpace, isDeep: Bool,
        checkedGroups: Set<RowGroup>
    ) {
        self.store = store
        self.newest = newest
        self.history = history
        self.freeSpace = freeSpace
        self.isDeep = isDeep
        self.checkedGroups = checkedGroups
    }

    mutating func run() throws(StoreError) {
        for root in history.roots {
            try attempt(root) { check throws(StoreError) in try check.check(root) }
        }
        try checkCommits()
        try attempt(nil) { check throws(StoreError) in try check.checkFreezes() }
    }

    // MARK: Freezes

    private mutating func checkFreezes() throws(StoreError) {
        let freezes = try newest.withoutOverlay.freezes()
        if newest.root.catalogFreezes == nil {
            let counted = history.freezes.versions.flatMap {
                Array(repeating: $0.version, count: $0.freezeCount)
            }
            if counted != freezes.map(\.version).sorted() {
                add("the freezes name other versions than those that are kept for them")
            }
        }
        let now = store.services.clock.wallTime().seconds
        for freeze in freezes where !freeze.isExpired(at: now) {
            let isReadable =
                freeze.version >= newest.root.superblock.lsn
                || history.base(for: freeze.version) != nil
            if !isReadable {
                add("the freeze \(freeze.name) of version \(freeze.version.rawValue) is lost")
            }
        }
    }

    // MARK: Roots

    private mutating func check(_ root: History.KeptRoot) throws(StoreError) {
        guard let snapshot = try store.pin(root, of: newest.root.superblock) else {
            // A commit dropped the root during the check, so it need not be whole any more.
            return
        }
        checkSpace([root.catalog?.extent].compactMap { $0 }, of: root)
        for record in snapshot.root.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            try checkDirectory(of: table, record, root)
            for slot in record.treeSlots {
                guard let tree = record[slot] else { continue }
                if trees[tree] == nil {
                    var check = TreeCheck(table.tree(slot), isUnique: false)
                    try check.run()
                    add(check.findings, of: root)
                    pageCount += check.nodeCount
                    trees[tree] = check.extents
                }
                checkSpace(trees[tree] ?? [], of: root)
            }
        }
    }

    private mutating func checkDirectory(
        of table: Table, _ record: ClassRecord, _ root: History.KeptRoot
    ) throws(StoreError) {
        var known: (extents: [Extent], liveRowCount: UInt64) = ([], 0)
        if let directory = table.directory.root {
            if directories[directory] == nil {
                try walk(table.directory, root, &known.extents)
                try checkGroups(of: table, root, &known)
                directories[directory] = known
            }
            known = directories[directory] ?? known
        }
        checkSpace(known.extents, of: root)
        if known.liveRowCount != record.liveRowCount {
            add(
                "root \(root.version.rawValue): \(record.schema.name) has \(known.liveRowCount) "
                    + "objects, its catalog entry says \(record.liveRowCount)")
        }
    }

    /// Visits the nodes of a directory.
    private mutating func walk(
        _ directory: Directory, _ root: History.KeptRoot, _ extents: inout [Extent]
    ) throws(StoreError) {
        var pending = [directory.root].compactMap { $0 }
        var seen: Set<PageReference> = []
        while let next = pending.popLast() {
            guard seen.insert(next.reference).inserted else {
                add("root \(root.version.rawValue): a directory leads to a node twice")
                continue
            }
            extents.append(next.reference.extent)
            if case .children(let children) =
                try directory.load(next.reference, level: next.level).content
            {
                pending += children.map {
                    DirectoryRoot(reference: $0.reference, level: next.level - 1)
                }
            }
        }
    }

    private mutating func checkGroups(
        of table: Table, _ root: History.KeptRoot,
        _ known: inout (extents: [Extent], liveRowCount: UInt64)
    ) throws(StoreError) {
        var lastRowID: RowID?
        for group in try table.directory.groups() {
            known.extents += group.extents
            known.liveRowCount += UInt64(group.liveRowCount)
            guard isDeep, checkedGroups.insert(group).inserted else {
                lastRowID = nil
                continue
            }
            var check = RowGroupCheck(
                view: table.view(.stored(group)), group: group, isDeep: true, after: lastRowID)
            try check.run()
            add(check.findings, of: root)
            pageCount += check.pageCount
            lastRowID = check.lastRowID
        }
    }

    /// Checks that the space of a kept root is older than the root, not free, and not freed before
    /// it.
    private mutating func checkSpace(_ extents: [Extent], of root: History.KeptRoot) {
        self.extents.formUnion(extents)
        for extent in extents {
            let location = "root \(root.version.rawValue): byte \(extent.byteOffset)"
            for range in freeSpace.ranges.overlapping(extent, \.extent)
            where range.isFree || range.isBookkeeping || range.bornAt > root.version
                || range.freedAt <= root.version
            {
                add("\(location) is in use and may be written over")
            }
            for young in freeSpace.young.overlapping(extent, \.extent)
            where young.bornAt > root.version {
                add("\(location) was written over by root \(young.bornAt.rawValue) or later")
            }
            if extent.end > newest.root.superblock.endUnit {
                add("\(location) lies past the end of the file")
            }
        }
    }

    // MARK: Commits

    /// Checks that each commit has the hash of the previous one, and that each root has the hash of
    /// its commit.
    private mutating func checkCommits() throws(StoreError) {
        let current = newest.root.superblock
        var chains = [current.lsn: current.chain]
        for root in history.roots { chains[root.lsn] = root.chain }
        var last: (lsn: LSN, chain: ChainHash)?
        for chunk in history.chunks {
            var frames: [Frame] = []
            let store = store
            try attempt(nil) { _ throws(StoreError) in frames = try store.frames(of: chunk) }
            for frame in frames {
                let before = LSN(frame.lsn.rawValue - 1)
                let expected = last?.lsn == before ? last?.chain : chains[before]
                if let expected, expected != frame.previous {
                    add("commit \(frame.lsn.rawValue) does not follow the one before it")
                }
                let chain = frame.hash(fileID: current.fileID)
                if let known = chains[frame.lsn], known != chain {
                    add("commit \(frame.lsn.rawValue) is not the one that its root is of")
                }
                last = (frame.lsn, chain)
            }
        }
    }

    // MARK: Findings

    private mutating func add(_ message: String) {
        // One lost root may have very many pages.
        guard findings.count < HistoryCheck.findingCountMaximum else { return }
        findings.append(Finding(kind: .history, message: message))
    }

    private static let findingCountMaximum = 100

    private mutating func add(_ others: [Finding], of root: History.KeptRoot) {
        for finding in others { add("root \(root.version.rawValue): \(finding.message)") }
    }

    private mutating func attempt(
        _ root: History.KeptRoot?, _ step: (inout HistoryCheck) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try step(&self)
        } catch {
            guard error.code == .corrupt else { throw error }
            add((root.map { "root \($0.version.rawValue): " } ?? "") + error.detail)
        }
    }
}

extension Array {
    /// Returns the elements that overlap an extent.
    ///
    /// - Parameter extentOf: Returns the extent of an element; the extents ascend without overlap.
    fileprivate func overlapping(
        _ extent: Extent, _ extentOf: (Element) -> Extent
    ) -> ArraySlice<Element> {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if extentOf(self[middle]).end <= extent.start {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return self[low...].prefix { extentOf($0).start < extent.end }
    }
}
