import FirnCodec
import FirnValues

/// What a fold does to the collection trees of a class.
struct CollectionChanges {
    /// What becomes of the elements of one collection.
    enum Change {
        /// The tree has none any more.
        case removed
        /// The tree gets these instead of what it has.
        case replaced(OutOfLine)
        /// The tree gets the elements of a row of a group instead of what it has.
        case moved(CollectionColumn, row: Int)
    }

    /// Where the elements of a row are to stand.
    enum Place {
        case inline
        case outOfLine
        /// Inline again, though they do not stand in the column yet.
        case returned(Value)
    }

    private(set) var changes: [PropertyID: [RowID: Change]] = [:]

    var isEmpty: Bool { changes.isEmpty }

    /// Decides where a collection is to stand.
    mutating func note(
        _ column: CollectionColumn, _ row: Int, rowID: () throws(StoreError) -> RowID
    ) throws(StoreError) -> Place {
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

    /// Notes that the tree has no elements of a row any more, unless more is known of the row.
    mutating func noteRemoved(_ row: RowID, _ property: PropertyID) {
        if changes[property]?[row] == nil { changes[property, default: [:]][row] = .removed }
    }

    /// Adds what another part of the fold noted; of one row, what it noted counts more than a
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
