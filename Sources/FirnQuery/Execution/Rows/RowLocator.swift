import FirnCodec
import FirnEngine
import FirnValues

/// Finds the places of many objects of a class by their row ids.
///
/// Ids that were given one after the other, which most are, are found by one subtraction; groups
/// with gaps by halving in their decoded ids.
final class RowLocator: ObjectLocator {
    /// What is remembered of a group.
    private struct Group {
        /// Less the first; nil if there are no gaps.
        let offsets: [Int64]?
        let live: Bitmap?
    }

    /// Groups that are remembered at the same time.
    private static let groupCountMax = 1_024

    private let scanner: TableScanner
    private let firstIDs: [Int64]
    private var groups: [Int: Group] = [:]
    private var latest = 0

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
                guard let found = Self.index(of: offset, in: offsets) else { continue }
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

    /// The last group that does not begin behind an id.
    private func groupNumber(of id: Int64) -> Int? {
        var low = 0
        var high = firstIDs.count
        while low < high {
            let middle = (low + high) / 2
            if firstIDs[middle] <= id { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    private static func index(of offset: Int64, in offsets: [Int64]) -> Int? {
        var low = 0
        var high = offsets.count
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low < offsets.count && offsets[low] == offset ? low : nil
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

/// Objects that were found, in the order in which they were asked for.
struct LocatedRows {
    /// Which of the ids each object has.
    var positions: [UInt32] = []
    var references: [RowReference] = []
}
