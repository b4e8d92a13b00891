import FirnValues
import HashTreeCollections

/// Neighbouring row groups that lost more than half of their rows and are merged into one.
struct SparseRun {
    let assembler: RowGroupAssembler
    /// The first row ids of the groups, ascending; the result replaces the first group.
    var members: [RowID]
}

extension ClassFold {
    /// Begins a run with the preceding groups that are small and unchanged.
    ///
    /// Single deletions must not leave many small groups. Each absorbed group is at most twice as
    /// large as the group that it joins, so that a row is rewritten a logarithmic number of times.
    mutating func beginRun(
        before group: RowGroup, live: Int, _ writer: inout PageWriter
    ) throws(StoreError) -> SparseRun {
        var absorbed: [RowGroup] = []
        var rowCount = live
        var byteCount = group.columns.reduce(0) { $0 + Int($1.rawByteCount) }
        var first = group.firstRowID
        while first.rawValue > 0, live > 0,
            let left = try table.directory.group(for: RowID(first.rawValue - 1)),
            changes.patches[left.firstRowID] == nil, edits.replaced[left.firstRowID] == nil
        {
            byteCount += left.columns.reduce(0) { $0 + Int($1.rawByteCount) }
            guard left.liveRowCount <= 2 * rowCount,
                left.liveRowCount + rowCount <= options.rowsPerGroup,
                byteCount <= options.bytesPerGroup
            else { break }
            rowCount += left.liveRowCount
            absorbed.append(left)
            first = left.firstRowID
        }
        var run = SparseRun(assembler: newAssembler(), members: [])
        for left in absorbed.reversed() {
            try run.assembler.append(table.view(.stored(left)), &writer)
            run.members.append(left.firstRowID)
            free(left, &writer)
        }
        return run
    }

    /// Whether a group directly follows the last one of a run.
    func follows(_ group: RowGroup, _ run: SparseRun) throws(StoreError) -> Bool {
        guard let last = run.members.last, group.firstRowID.rawValue > 0 else { return false }
        let left = try table.directory.group(for: RowID(group.firstRowID.rawValue - 1))
        return left?.firstRowID == last
    }

    /// Writes the content of a run in place of its first group.
    mutating func close(_ run: SparseRun, _ writer: inout PageWriter) throws(StoreError) {
        try run.assembler.flush(&writer)
        for member in run.members { edits.replaced[member] = [] }
        if let first = run.members.first { edits.replaced[first] = run.assembler.takeGroups() }
        if run.members.count > 1 { merged.formUnion(run.members) }
        largeCollections.formUnion(run.assembler.takeLargeCollections())
    }
}
