import FirnCodec
import FirnEngine
import FirnValues

extension Grouping {
    /// Returns whether groups can be taken out of a grouping.
    static func canSplit(_ items: [BoundGroupItem]) -> Bool {
        items.allSatisfy { item in
            guard case .aggregate(let aggregate) = item else { return true }
            return Accumulators.canPick(aggregate.function)
        }
    }

    /// Removes groups, and returns their items and the numbers of their first rows.
    ///
    /// - Parameters:
    ///   - taken: the groups to remove, ascending.
    ///   - kept: all others, ascending.
    /// - Throws: ``StoreError`` as ``columns()``.
    mutating func take(
        _ taken: [UInt32], keeping kept: [UInt32]
    ) throws(StoreError) -> [ColumnVector] {
        var part = emptied
        part.pick(taken, of: self)
        let columns = try part.columns() + [part.firstRows]
        keep(kept)
        return columns
    }

    /// Removes all groups but some.
    ///
    /// - Parameter kept: the groups that are kept, ascending.
    mutating func keep(_ kept: [UInt32]) {
        var rest = emptied
        rest.pick(kept, of: self)
        rest.numberKeys(reserving: groupCount)
        self = rest
    }

    private mutating func pick(_ groups: [UInt32], of other: Grouping) {
        groupCount = groups.count
        for index in keyValues.indices {
            keyValues[index].append(other.keyValues[index], rows: groups[...])
        }
        firstRows.append(other.firstRows, rows: groups[...])
        accumulators = other.accumulators.map { $0?.picking(groups) }
    }
}
