import FirnCodec
import FirnValues

/// A pass that rewrites row groups of a class that have deleted rows, are small, or become smaller.
///
/// The slow part, reading and encoding, uses a snapshot while other transactions write. The step
/// only replaces the groups, except those that changed meanwhile, which are left for the next
/// round.
struct GroupPass: CompactionPass {
    /// Row groups and their replacements.
    private struct Replacement {
        let old: [RowGroup]
        let new: [EncodedRowGroup]
        let large: CollectionChanges
    }

    /// The work of one step.
    private struct Plan {
        var replacements: [Replacement] = []
        var byteCount: UInt64 = 0
        /// The row id at which the next plan begins; `nil` at the end of the class.
        var next: RowID?
    }

    /// The number of rounds for groups that other transactions changed meanwhile.
    private static let roundCountMax = 3
    private let classID: ClassID
    private var next: RowID? = RowID(0)
    private var wasDisturbed = false
    private var round = 1

    init(_ classID: ClassID) { self.classID = classID }

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        if next == nil, wasDisturbed, round < GroupPass.roundCountMax {
            (next, wasDisturbed, round) = (RowID(0), false, round + 1)
        }
        guard let first = next, let plan = try plan(from: first, compactor) else { return nil }
        next = plan.next
        guard !plan.replacements.isEmpty else { return plan.byteCount }
        var missed = 0
        let outcome = try compactor.step { step throws(StoreError) in
            try apply(plan, to: &step, &missed)
        }
        if missed > 0 { wasDisturbed = true }
        if case .blocked = outcome { return nil }
        return plan.byteCount
    }

    // MARK: Planning

    private func plan(
        from first: RowID, _ compactor: Compactor
    ) throws(StoreError) -> Plan? {
        let snapshot = try compactor.store.snapshot()
        guard let record = snapshot.root.catalog[classID] else { return nil }
        let table = Table(root: record, snapshot.pages)
        let limit = compactor.stepUnitCount * UInt64(Extent.unitByteCount)
        var plan = Plan()
        // Neighbouring groups that are to be merged.
        var run: [RowGroup] = []
        try table.directory.forEachGroup { group throws(StoreError) in
            guard group.firstRowID >= first else { return true }
            if plan.byteCount >= limit {
                plan.next = group.firstRowID
                return false
            }
            plan.byteCount += group.extents.reduce(0) { $0 + $1.byteCount }
            if isLoose(group, compactor.store.options) {
                run.append(group)
                return true
            }
            try close(&run, of: table, compactor, &plan)
            run = [group]
            try close(&run, of: table, compactor, &plan)
            return true
        }
        let isCut = plan.next != nil && !run.isEmpty
        try close(&run, of: table, compactor, &plan)
        if isCut, let last = plan.replacements.last, last.old.count > 1,
            let tail = last.new.last, tail.rowCount < compactor.store.options.rowsPerGroup
        {
            // The last group continues with the following rows.
            plan.next = tail.firstRowID
        }
        return plan
    }

    /// Whether a group can be merged with its neighbours or has deleted rows.
    private func isLoose(_ group: RowGroup, _ options: StoreOptions) -> Bool {
        let rawByteCount = group.columns.reduce(0) { $0 + Int($1.rawByteCount) }
        return group.deletedCount > 0
            || (group.rowCount < options.rowsPerGroup && rawByteCount < options.bytesPerGroup)
    }

    private func close(
        _ run: inout [RowGroup], of table: Table, _ compactor: Compactor, _ plan: inout Plan
    ) throws(StoreError) {
        let old = run
        run = []
        guard !old.isEmpty else { return }
        var options = compactor.store.options
        options.compression = compactor.options.compression
        let assembler = RowGroupAssembler(
            schema: table.schema, options: options, path: compactor.store.path)
        var held = HeldRowGroups()
        for group in old { try assembler.append(table.view(.stored(group)), &held) }
        try assembler.flush(&held)
        let replacement = Replacement(
            old: old, new: held.groups, large: assembler.takeLargeCollections())
        if isWorthwhile(replacement, table.schema, compactor.frozen) {
            plan.replacements.append(replacement)
        }
    }

    /// Whether a replacement is worthwhile.
    ///
    /// Without frozen pages, it is if it removes deleted values, merges groups without growth, or
    /// saves more than a thirty-second of the space. If a freeze keeps some of the pages, the
    /// replacement must be smaller than the space that it frees.
    private func isWorthwhile(
        _ replacement: Replacement, _ schema: ClassSchema, _ frozen: FrozenPages
    ) -> Bool {
        let extents = replacement.old.flatMap(\.extents)
        let old = extents.reduce(0) { $0 + $1.length }
        let new = replacement.new.reduce(0) { $0 + $1.unitCount }
        let regained = frozen.regainedUnitCount(of: extents)
        if regained < old { return new < regained }
        let known = Set(schema.properties.map(\.id))
        let hasRemains = replacement.old.contains { group in
            group.deletedCount > 0 || group.columns.contains { !known.contains($0.property) }
        }
        let isFewer = replacement.new.count < replacement.old.count && new <= old
        return hasRemains || isFewer || new + old / 32 < old
    }

    // MARK: Replacing

    /// - Parameter missed: Counts the groups that could not be replaced.
    private func apply(
        _ plan: Plan, to step: inout CompactionStep, _ missed: inout Int
    ) throws(StoreError) -> Bool {
        guard let table = step.table(classID) else { return false }
        var edits = DirectoryEdits()
        var large = CollectionChanges()
        for replacement in plan.replacements {
            guard let first = replacement.old.first,
                try isUnchanged(replacement.old, in: table.directory)
            else {
                missed += 1
                continue
            }
            var groups: [RowGroup] = []
            for group in replacement.new { groups.append(try group.write(&step.writer)) }
            for group in replacement.old {
                edits.replaced[group.firstRowID] = []
                for extent in group.extents { step.writer.space.free(extent) }
            }
            edits.replaced[first.firstRowID] = groups
            large.formUnion(replacement.large)
        }
        guard !edits.isEmpty else { return false }
        try step.apply(edits, large, to: table)
        return true
    }

    private func isUnchanged(
        _ groups: [RowGroup], in directory: Directory
    ) throws(StoreError) -> Bool {
        for group in groups {
            guard try directory.group(for: group.firstRowID) == group else { return false }
        }
        return true
    }
}
