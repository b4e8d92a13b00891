import FirnCodec
import FirnEngine
import FirnValues

/// Finds the locations of many objects of a class by their row ids.
///
/// In a group with consecutive ids, which is the usual case, an object is found with one
/// subtraction. A group with gaps needs a binary search in its decoded ids.
final class RowLocator: ObjectLocator {
    /// The cached ids of a group.
    private struct Group {
        /// The ids relative to the first id of the group; `nil` if they have no gaps.
        let offsets: [Int64]?
        let live: Bitmap?
    }

    /// The maximum number of cached groups.
    private static let groupCountMax = 1_024

    private let scanner: TableScanner
    private let firstIDs: [Int64]
    private var groups: [Int: Group] = [:]

    init(_ scanner: TableScanner) {
        self.scanner = scanner
        firstIDs = scanner.groups.map { Int64(clamping: $0.firstRowID.rawValue) }
    }

    var objects: any ObjectSource { scanner }

    func locate(_ ids: ColumnVector) throws(StoreError) -> LocatedRows {
        var located = LocatedRows()
        located.positions.reserveCapacity(ids.count)
        located.references.reserveCapacity(ids.count)
        var current: (number: Int, group: Group, first: Int64, next: Int64, rowCount: Int)?
        for position in 0..<ids.count where !ids.isNull(position) {
            let id = ids.ints[position]
            if current.map({ id < $0.first || id >= $0.next }) ?? true {
                guard let number = groupNumber(of: id) else { continue }
                current = (
                    number, try group(number), firstIDs[number],
                    number + 1 < firstIDs.count ? firstIDs[number + 1] : .max,
                    scanner.groups[number].rowCount
                )
            }
            guard let current else { continue }
            let offset = id - current.first
            let index: Int
            if let offsets = current.group.offsets {
                guard let found = offsets.indexAscending(of: offset) else { continue }
                index = found
            } else {
                guard offset < Int64(current.rowCount) else { continue }
                index = Int(offset)
            }
            if let live = current.group.live, !live[index] { continue }
            located.positions.append(UInt32(truncatingIfNeeded: position))
            located.references.append(
                RowReference(
                    group: UInt32(truncatingIfNeeded: current.number),
                    row: UInt32(truncatingIfNeeded: index)))
        }
        return located
    }

    /// Returns the last group whose first id does not exceed an id.
    private func groupNumber(of id: Int64) -> Int? {
        let index = firstIDs.partitioningIndex { $0 > id }
        return index > 0 ? index - 1 : nil
    }

    private func group(_ number: Int) throws(StoreError) -> Group {
        if let group = groups[number] { return group }
        let view = scanner.groups[number]
        var offsets: [Int64]?
        if let page = try view.rowIDOffsets() {
            var vector = ColumnVector(kind: .int)
            page.decode(0..<page.rowCount, into: &vector)
            offsets = vector.ints
        }
        let group = Group(offsets: offsets, live: try view.liveRows())
        if groups.count >= Self.groupCountMax { groups.removeAll() }
        groups[number] = group
        return group
    }
}

/// The objects that were found, in the order in which they were requested.
struct LocatedRows {
    /// The position of each object's id among the requested ids.
    var positions: [UInt32] = []
    var references: [RowReference] = []
}
