import FirnCodec
import FirnValues
import HashTreeCollections

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
