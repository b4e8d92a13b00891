import FirnCodec
import FirnPlatform
import FirnValues

/// The verifier of a whole database, used by tests and by `firn check`.
///
/// It continues after damage, so that one report lists all of it. Only a failed read, as opposed to
/// damaged data, ends it early.
package struct Verifier {
    private let store: Store
    private let isDeep: Bool
    /// The percentage of row groups to check.
    private let samplePercent: Int
    private let isStopped: () -> Bool
    private let progress: (ObjectProgress) -> Void
    private var done = ObjectProgress()
    private var report = VerificationReport()
    private var space = SpaceMap()
    /// The row groups whose pages were checked.
    private var checkedGroups: Set<RowGroup> = []

    /// - Parameters:
    ///   - isDeep: Whether to compare every value with its zone map, and to check the keys of all
    ///     objects.
    ///   - samplePercent: The percentage of row groups to check, at least one per class, selected
    ///     differently each time.
    ///   - isStopped: Whether to cancel; called once per row group and step.
    ///   - progress: Called before each row group.
    package init(
        _ store: Store, isDeep: Bool, samplePercent: Int = 100,
        isStopped: @escaping () -> Bool = { false },
        progress: @escaping (ObjectProgress) -> Void = { _ in }
    ) {
        self.store = store
        self.isStopped = isStopped
        self.progress = progress
        self.samplePercent = samplePercent
        self.isDeep = isDeep
    }

    /// Verifies the newest version.
    ///
    /// - Throws: ``StoreError`` if the file cannot be read, or if it is too damaged to be opened;
    ///   `cancelled` if the verification is cancelled.
    /// - Complexity: O(size of the file); memory bounded by the page cache and 64 MiB of key
    ///   hashes.
    package mutating func run() throws(StoreError) -> VerificationReport {
        let newest = try store.snapshot()
        // Commits in the log are in no page, and the zone maps and counts of the root do not cover
        // them.
        let snapshot = newest.withoutOverlay
        report = VerificationReport()
        report.version = newest.version
        try checkSuperblock(snapshot.root.superblock)
        done.totalCount = snapshot.root.catalog.classes.reduce(0) { $0 + $1.liveRowCount }
        for record in snapshot.root.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            try check(table, record, in: snapshot)
        }
        for record in newest.catalog.classes {
            report.classCount += 1
            report.objectCount += newest.table(record.schema.id)?.liveRowCount ?? 0
        }
        try checkHistory(snapshot)
        try checkSpace(snapshot.root.superblock)
        // A damaged node of a directory is reported by every step that looks for row groups.
        var messages: TextSet = []
        report.findings.removeAll { !messages.insert($0.message).inserted }
        return report
    }

    private mutating func add(_ kind: Finding.Kind, _ message: String) {
        report.findings.append(Finding(kind: kind, message: message))
    }

    /// Runs a step whose damage is a finding and whose other failures end the verification.
    private mutating func attempt(
        _ kind: Finding.Kind, _ step: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try checkStopped()
        do throws(StoreError) {
            try step()
        } catch {
            guard error.code == .corrupt else { throw error }
            add(kind, error.detail)
        }
    }

    private func checkStopped() throws(StoreError) {
        guard isStopped() else { return }
        throw StoreError(.cancelled, path: store.path, detail: "the verification was given up")
    }

    private mutating func checkSuperblock(_ superblock: Superblock) throws(StoreError) {
        let reading = try store.readSuperblock()
        for copy in reading.damagedCopies {
            let offset = Superblock.offset(ofCopy: copy)
            let message =
                "copy \(copy) of the superblock, at byte \(offset), is "
                + (reading.isSecondCopyTorn ? "torn, as a power loss may leave it" : "damaged")
                + "; the other copy is whole, and the next write repairs it"
            if reading.isSecondCopyTorn {
                report.notes.append(Finding(kind: .superblock, message: message))
            } else {
                add(.superblock, message)
            }
        }
        let size = try store.fileStatus().size
        report.trailingByteCount = size - min(size, superblock.fileByteCount)
        for extent in [superblock.catalog?.extent, superblock.freeSpace?.extent].compactMap({ $0 })
        {
            space.use(extent, by: "catalog or free space")
        }
    }

    private mutating func check(
        _ table: Table, _ record: ClassRecord, in snapshot: Snapshot
    ) throws(StoreError) {
        let name = record.schema.name
        var groups: [RowGroup] = []
        try checkNodes(table.directory)
        try attempt(.page) { () throws(StoreError) in groups = try table.directory.groups() }
        var liveRowCount: UInt64 = 0
        var lastRowID: RowID?
        let sample = sample(groups.count)
        for (index, group) in groups.enumerated() {
            try checkStopped()
            progress(done)
            done.doneCount += UInt64(group.liveRowCount)
            report.rowGroupCount += 1
            liveRowCount += UInt64(group.liveRowCount)
            for extent in group.extents { space.use(extent, by: "a row group of \(name)") }
            checkedGroups.insert(group)
            guard sample?.contains(index) != false else {
                lastRowID = nil
                continue
            }
            report.checkedGroupCount += 1
            var check = RowGroupCheck(
                view: table.view(.stored(group)), group: group, isDeep: isDeep, after: lastRowID)
            try check.run()
            report.findings += check.findings
            report.pageCount += check.pageCount
            lastRowID = check.lastRowID ?? lastRowID
        }
        if UInt64(groups.count) != record.groupCount || liveRowCount != record.liveRowCount {
            add(
                .structure,
                "\(name) has \(liveRowCount) objects in \(groups.count) row groups, its catalog "
                    + "entry says \(record.liveRowCount) in \(record.groupCount)")
        }
        if let lastRowID, lastRowID >= record.nextRowID {
            add(.structure, "\(name): the next @id, \(record.nextRowID.rawValue), is taken already")
        }
        if isDeep { try checkKeys(table) }
        try checkIndexes(table, in: snapshot)
    }

    /// Returns the row groups of a class to check, or `nil` for all of them.
    private func sample(_ count: Int) -> Set<Int>? {
        guard samplePercent < 100, count > 0 else { return nil }
        let wanted = max(1, (count * samplePercent + 99) / 100)
        var order = Array(0..<count)
        var chosen: Set<Int> = []
        for _ in 0..<wanted {
            let random = Int(store.services.entropy.random64() % UInt64(order.count))
            chosen.insert(order.remove(at: random))
        }
        return chosen
    }

    private mutating func checkIndexes(
        _ table: Table, in snapshot: Snapshot
    ) throws(StoreError) {
        var check = IndexCheck(table, in: snapshot)
        try check.run()
        report.findings += check.findings
        report.pageCount += check.pageCount
        for (extent, user) in check.extents { space.use(extent, by: user) }
    }

    private mutating func checkNodes(_ directory: Directory) throws(StoreError) {
        guard let root = directory.root else { return }
        var pending = [root]
        var seen: Set<PageReference> = []
        while let next = pending.popLast() {
            space.use(next.reference.extent, by: "directory of \(directory.schema.name)")
            guard seen.insert(next.reference).inserted else { continue }
            try attempt(.page) { () throws(StoreError) in
                let node = try directory.load(next.reference, level: next.level)
                if case .children(let children) = node.content {
                    pending += children.map {
                        DirectoryRoot(reference: $0.reference, level: next.level - 1)
                    }
                }
            }
        }
    }

    private mutating func checkKeys(_ table: Table) throws(StoreError) {
        guard let keyID = table.schema.key, let key = table.schema[keyID] else { return }
        var duplicate: DuplicateKeySearch.Duplicate?
        try attempt(.key) { () throws(StoreError) in
            duplicate = try DuplicateKeySearch(groups: try table.rowGroups(), key: key)
                .firstDuplicate()
        }
        guard let duplicate else { return }
        add(
            .key,
            "\(table.schema.name): \(key.name) \(duplicate.value.quoted) is the key of the objects "
                + "with @id \(duplicate.first.rawValue) and \(duplicate.second.rawValue)")
    }

    /// Checks the versions before the newest: their roots, their commits, and the space of both.
    private mutating func checkHistory(_ snapshot: Snapshot) throws(StoreError) {
        let superblock = snapshot.root.superblock
        if let extent = superblock.history?.extent { space.use(extent, by: "history") }
        var history: History?
        var freeSpace: FreeSpace?
        let store = store
        try attempt(.history) { () throws(StoreError) in
            history = try store.history(of: superblock)
            freeSpace = try store.freeSpace(of: superblock)
        }
        guard let history, let freeSpace else { return }
        report.keptRootCount = history.roots.count
        for extent in history.freezes.extents { space.use(extent, by: "freezes") }
        for chunk in history.chunks {
            space.use(chunk.reference.extent, by: "history")
            report.keptCommitCount &+= chunk.last.rawValue &- chunk.first.rawValue &+ 1
        }
        var check = HistoryCheck(
            store: store, newest: snapshot, history: history, freeSpace: freeSpace, isDeep: isDeep,
            checkedGroups: checkedGroups)
        try check.run()
        report.findings += check.findings
        report.pageCount += check.pageCount
        space.keep(check.extents)
    }

    /// Checks that used and free extents cover the file exactly once.
    private mutating func checkSpace(_ superblock: Superblock) throws(StoreError) {
        var free = FreeSpace()
        let store = store
        try attempt(.page) { () throws(StoreError) in free = try store.freeSpace(of: superblock) }
        for range in free.ranges { space.use(range.extent, by: "free space") }
        // With damage above, parts of the tree are unknown and every gap would be reported again.
        guard !report.findings.contains(where: { $0.kind == .page }) else { return }
        for message in space.problems(endUnit: superblock.endUnit) { add(.space, message) }
        let unused = Set(free.ranges.lazy.map(\.extent))
        for message in space.problemsOfKept(amongFree: unused) { add(.space, message) }
    }
}
