import FirnCodec
import FirnValues
import HashTreeCollections

/// The columns that a transaction has changed, as far as they are in memory, and those on disk.
struct ColumnSpill {
    /// The place of a column in the overlay.
    struct Place {
        let classID: ClassID
        let group: RowID
        let property: PropertyID
    }

    /// The columns that may be in memory; the overlay may have replaced or dropped some of them.
    private(set) var places: [Place] = []
    /// The memory that they take in bytes.
    private(set) var byteCount = 0
    /// The columns that were written, in use or not.
    private(set) var written: [Extent] = []

    mutating func note(_ byteCount: Int, at place: Place) {
        places.append(place)
        self.byteCount += byteCount
    }

    /// Returns the columns in memory, and forgets them.
    mutating func take() -> [Place] {
        defer { (places, byteCount) = ([], 0) }
        return places
    }

    mutating func noteWritten(_ column: StoredColumn) { written.append(column.reference.extent) }
}

/// Bounding the memory of changes to whole columns.
extension WriteTransaction {
    /// The ratio of the memory of a statement to the maximum memory of new columns not written yet.
    private static let memoryShare = 8
    /// The memory of a new value of one row.
    private static let valueByteCount = MemoryLayout<RowMap<Value>.Entry>.stride

    /// Replaces a column of a row group in the overlay.
    func replace(
        _ property: PropertyID, of group: RowID, in classID: ClassID, with page: ColumnPage
    ) {
        overlay.patch(classID, group) { patch in
            patch.values[property] = nil
            patch.columns[property] = .memory(page)
        }
        columnSpill.note(
            page.memoryByteCount,
            at: ColumnSpill.Place(classID: classID, group: group, property: property))
    }

    /// Changes some rows of a column in the overlay.
    func merge(
        _ entries: [RowMap<Value>.Entry], into property: PropertyID, of group: RowID,
        in classID: ClassID
    ) {
        overlay.patch(classID, group) { $0.merge(entries[...], of: property) }
        let outside = entries.reduce(0) { $0 + $1.element.approximateByteCount }
        columnSpill.note(
            entries.count * WriteTransaction.valueByteCount + outside,
            at: ColumnSpill.Place(classID: classID, group: group, property: property))
    }

    /// Writes the columns with new values if these take too much memory.
    ///
    /// No root references the pages, so that a rollback leaves them in free space. Pages that are
    /// replaced once more stay until the overlay is folded, because snapshots of the transaction may
    /// read them.
    func spillColumns() throws(StoreError) {
        guard recorded == nil, publisher != nil,
            columnSpill.byteCount > store.options.statementByteCount / WriteTransaction.memoryShare
        else { return }
        for place in columnSpill.take() { try writeColumn(at: place) }
    }

    /// Writes a column, unless it was written or dropped since it changed.
    private func writeColumn(at place: ColumnSpill.Place) throws(StoreError) {
        guard let schema = overlay.catalog[place.classID]?.schema,
            let property = schema[place.property],
            let patch = overlay.classes[place.classID]?.patches[place.group],
            patch.edited[property.id] == nil, patch.hasValuesInMemory(of: property.id),
            let view = try sealedTable(schema).group(startingAt: place.group)
        else { return }
        let (page, rawByteCount) = try view.encodedColumn(
            property, level: store.options.compression)
        let part = EncodedPart(
            property: property.id, part: .values, page: page, rawByteCount: rawByteCount)
        let references = try withPages { writer throws(StoreError) in
            try writer.write([part.page])
        }
        for reference in references {
            let column = part.stored(at: reference)
            columnSpill.noteWritten(column)
            overlay.patch(place.classID, place.group) { patch in
                patch.values[property.id] = nil
                patch.columns[property.id] = .stored(column)
            }
        }
    }
}

extension GroupPatch {
    /// Whether a column of single values has new values in memory.
    fileprivate func hasValuesInMemory(of property: PropertyID) -> Bool {
        if values[property]?.isEmpty == false { return true }
        guard let column = columns[property] else { return false }
        return column.stored == nil
    }
}
