import FirnCodec
import FirnValues
import HashTreeCollections

/// Making created rows an immutable part of the overlay.
extension WriteTransaction {
    /// Seals the created rows of all classes.
    func sealAll() throws(StoreError) {
        guard !created.isEmpty else { return }
        for classID in created.classes { try seal(classID) }
    }

    /// Seals the created rows of a class.
    ///
    /// They join the groups before them that are not much larger, so that a thousand small commits
    /// leave a few groups whose sizes halve, and each row is put together again only a logarithmic
    /// number of times.
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

    /// How many of the last groups a new one joins.
    private func absorbedGroupCount(before group: MemoryRowGroup, in classID: ClassID) -> Int {
        guard let appended = overlay.classes[classID]?.appended else { return 0 }
        var rowCount = group.rowCount
        var byteCount = group.rawByteCount
        var absorbed = 0
        for rows in appended.reversed() {
            guard case .memory(let left) = rows, left.rowCount <= 2 * rowCount,
                left.rowCount + rowCount <= store.options.rowsPerGroup,
                left.rawByteCount + byteCount <= store.options.bytesPerGroup
            else { break }
            rowCount += left.rowCount
            byteCount += left.rawByteCount
            absorbed += 1
        }
        return absorbed
    }
}
