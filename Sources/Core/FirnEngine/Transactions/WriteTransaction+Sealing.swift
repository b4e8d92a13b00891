import FirnCodec
import FirnValues
import HashTreeCollections

/// Sealing created rows, which makes them an immutable part of the overlay.
extension WriteTransaction {
    /// Seals the created rows of all classes.
    func sealAll() throws(StoreError) {
        guard !created.isEmpty else { return }
        for classID in created.classes { try seal(classID) }
    }

    /// Seals the created rows of a class.
    ///
    /// From time to time they are merged with the previous groups of about their size. A thousand
    /// small commits then leave only a few groups, and each row is merged only a logarithmic number
    /// of times.
    func seal(_ classID: ClassID) throws(StoreError) {
        guard let rows = created[classID] else { return }
        created[classID] = nil
        listKeys(of: rows)
        let block = rows.sealed()
        overlay.change(classID) { changes in
            changes.nextRowID = rows.nextRowID
            changes.liveRowDelta += Int64(rows.liveCount)
        }
        guard block.rowCount > 0 else { return }
        try append(MemoryRowGroup(block), to: classID)
        try spill(classID)
    }

    private func append(
        _ group: MemoryRowGroup, to classID: ClassID
    ) throws(StoreError) {
        let schema = try record(classID).schema
        let absorbed = absorbedGroupCount(before: group, in: classID)
        guard absorbed > 0 else {
            return overlay.change(classID) { $0.appended.append(.memory(group)) }
        }
        let table = try sealedTable(schema)
        var views = (table.overlay?.appended ?? []).suffix(absorbed).map { table.view($0.source) }
        views.append(table.view(.memory(group)))
        let merged = try MemoryRowGroup.merged(views, schema)
        overlay.change(classID) { changes in
            for view in views { changes.patches[view.firstRowID] = nil }
            changes.appended.removeLast(absorbed)
            if let merged { changes.appended.append(.memory(merged)) }
        }
    }

    /// The number of groups of one tier that become one group of the next.
    ///
    /// A merge moves every value of its rows. With a fan-out of two, each row is moved fourteen
    /// times until its group is full, which was a quarter of the work of a small commit. With a
    /// large fan-out, every access to the overlay passes more groups.
    private static let tierFanOut = 8

    /// Returns the number of trailing groups with which a new group is merged.
    ///
    ///     rows    300  40  41  3 2 1 1 1 2 1 + 1     seven groups below 8 rows, and the new one
    ///          -> 300  40  41  12                    are one of the second tier
    ///
    /// The tiers are those of a log-structured merge tree with tiered compaction (O'Neil et al.,
    /// 1996): a tier holds the groups whose number of rows has the same logarithm to the base of
    /// the fan-out.
    private func absorbedGroupCount(before group: MemoryRowGroup, in classID: ClassID) -> Int {
        guard let appended = overlay.classes[classID]?.appended else { return 0 }
        var rowCount = group.rowCount
        var byteCount = group.rawByteCount
        // The number of groups examined, and the number of them that are worth a merge.
        var (seen, absorbed) = (0, 0)
        var inTier = 1
        var tierEnd = WriteTransaction.tierEnd(of: rowCount)
        for rows in appended.reversed() {
            guard case .memory(let left) = rows, left.rowCount < tierEnd,
                left.rowCount + rowCount <= store.options.rowsPerGroup,
                left.rawByteCount + byteCount <= store.options.bytesPerGroup
            else { break }
            rowCount += left.rowCount
            byteCount += left.rawByteCount
            seen += 1
            inTier += 1
            if inTier == WriteTransaction.tierFanOut {
                absorbed = seen
                inTier = 1
                tierEnd = max(tierEnd, WriteTransaction.tierEnd(of: rowCount))
            }
        }
        return absorbed
    }

    /// Returns the number of rows at which the next tier begins.
    private static func tierEnd(of rowCount: Int) -> Int {
        var end = tierFanOut
        while end <= rowCount { end *= tierFanOut }
        return end
    }
}

/// Bounding the memory of long transactions.
extension WriteTransaction {
    /// The approximate size in bytes above which the sealed rows of a class are written to disk.
    static let sealedByteCountMaximum = 64 << 20

    /// Writes the sealed rows of a class as their final row groups.
    ///
    /// No root references the pages, so a rollback leaves them in free space. Row groups keep their
    /// first row and the indices of their rows, because changes refer to rows by these.
    func spill(_ classID: ClassID) throws(StoreError) {
        // Rows that may be rolled back must stay in memory, because their space on disk would not
        // be released.
        guard recorded == nil, publisher != nil, attemptDepth == 0,
            let changes = overlay.classes[classID], let record = overlay.catalog[classID]
        else { return }
        let byteCount = changes.appended.reduce(0) { sum, rows in
            if case .memory(let group) = rows { sum + group.memoryByteCount } else { sum }
        }
        guard byteCount > WriteTransaction.sealedByteCountMaximum else { return }
        var appended = changes.appended
        for (index, rows) in appended.enumerated() {
            guard case .memory(let group) = rows,
                let stored = try stored(group, of: record)
            else { continue }
            appended[index] = .stored(stored)
        }
        overlay.classes[classID]?.appended = appended
    }

    /// - Returns: `nil` if the rows do not fit into one row group, or have collections that are
    ///   stored outside row groups.
    private func stored(
        _ group: MemoryRowGroup, of record: ClassRecord
    ) throws(StoreError) -> RowGroup? {
        guard group.rawByteCount <= store.options.bytesPerGroup else { return nil }
        let assembler = RowGroupAssembler(
            schema: record.schema, options: store.options, path: store.path)
        let view = RowGroupView(
            source: .memory(group), patch: nil, record: record, pages: store.pages)
        try withPages { writer throws(StoreError) in
            try assembler.append(view, &writer)
            try assembler.flush(&writer)
        }
        let groups = assembler.takeGroups()
        if groups.count == 1, assembler.takeLargeCollections().isEmpty { return groups[0] }
        giveBack(groups.flatMap(\.extents))
        return nil
    }
}
