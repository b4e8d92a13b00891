import FirnCodec
import FirnValues

/// The changes that a fold makes to the collection trees of a class.
struct CollectionChanges {
    /// The change to the elements of one collection.
    enum Change {
        /// The elements are removed from the tree.
        case removed
        /// These elements replace those in the tree.
        case replaced(OutOfLine)
        /// The elements in a row of the column replace those in the tree.
        case moved(CollectionColumn, row: Int)
    }

    /// The storage location of the elements of a row.
    enum Location {
        case inline
        case outOfLine
        /// The row group again, although the elements are not in the column yet.
        case returned(Value)
    }

    private(set) var changes: [PropertyID: [RowID: Change]] = [:]

    var isEmpty: Bool { changes.isEmpty }

    /// Decides where a collection is stored.
    mutating func note(
        _ column: CollectionColumn, _ row: Int, rowID: () throws(StoreError) -> RowID
    ) throws(StoreError) -> Location {
        let property = column.property.id
        guard let large = column.outOfLine[UInt32(row)] else {
            guard column.isLarge(row) else { return .inline }
            changes[property, default: [:]][try rowID()] = .moved(column, row: row)
            return .outOfLine
        }
        guard case .edited(let collection) = large else { return .outOfLine }
        if collection.count <= CollectionLimits.returningElementCount {
            changes[property, default: [:]][try rowID()] = .removed
            return .returned(try large.value(column.property.type))
        }
        changes[property, default: [:]][try rowID()] = .replaced(large)
        return .outOfLine
    }

    /// Records that the elements of a row are removed from the tree, unless another change is
    /// known.
    mutating func noteRemoved(_ row: RowID, _ property: PropertyID) {
        if changes[property]?[row] == nil { changes[property, default: [:]][row] = .removed }
    }

    /// Adds the changes of another part of the fold; any change to a row takes precedence over a
    /// removal.
    mutating func formUnion(_ other: CollectionChanges) {
        for (property, rows) in other.changes {
            for (row, change) in rows {
                if case .removed = change, changes[property]?[row] != nil { continue }
                changes[property, default: [:]][row] = change
            }
        }
    }
}

extension CollectionColumn {
    /// Whether the inline elements of a row are too many, or take too many bytes.
    fileprivate func isLarge(_ row: Int) -> Bool {
        let count = range(of: row).count
        guard count > 1 else { return false }
        let averageByteCount = elements.memoryByteCount / max(1, elements.rowCount)
        return count > CollectionLimits.inlineElementCount
            || count * averageByteCount > CollectionLimits.inlineByteCount
    }
}
