import FirnCodec
import FirnEngine
import FirnValues

/// Reduces a property of all objects that link to some objects, in one scan of their class.
///
/// The index of the links finds the same objects in the same order, one by one. A scan is faster if
/// most objects of the class have a link, and most targets are asked for:
///
///     airline.@links.Flight.airline.@avg.dep_delay
///
///     row of Flight     0    1    2    3 ...      links in one column, delays in another;
///     airline           7    2    7    -          each row is added to its airline
///     dep_delay         2    4    2    1
struct BacklinkScan {
    /// The share of the objects with links, and of the targets, at which a scan is faster.
    private static let sharePerScan = 2

    private let link: PropertySchema
    private let column: BoundColumn
    private let path: BoundPath
    private let scanner: TableScanner

    /// - Parameters:
    ///   - path: the path from a target.
    ///   - count: the number of targets.
    /// - Returns: `nil` if a scan is slower or cannot follow the path.
    init?(
        _ path: BoundPath, targetCount count: Int, _ reduction: BoundExpression.Reduction,
        _ reader: SnapshotReader
    ) throws(StoreError) {
        guard path.steps.count == 1, case .backlinks(let link, let sourceClass) = path.steps[0],
            case .column(let column) = path.terminal, path.measure == nil, reduction != .count,
            link.type.container == .single, link.type.base == .link, !reader.isPointLookup,
            let target = link.type.target,
            let targets = reader.snapshot.table(target)?.liveRowCount,
            count >= targets / Self.sharePerScan
        else { return nil }
        let scanner = try reader.scanner(of: sourceClass)
        var nullCount = 0
        for group in 0..<scanner.groupCount() {
            nullCount += try scanner.zone(.property(link), of: group)?.nullCount ?? 0
        }
        guard scanner.rowCount - nullCount >= scanner.rowCount / Self.sharePerScan else {
            return nil
        }
        (self.link, self.column, self.path, self.scanner) = (link, column, path, scanner)
    }

    /// Returns the value of each target.
    ///
    /// - Parameter targets: row ids in ascending order.
    func values(
        _ reduction: BoundExpression.Reduction, of targets: [Int64]
    ) throws(StoreError) -> [Value] {
        var groups = PathReduction.Groups(reduction, path, count: targets.count)
        let owners = OwnerTable(targets)
        for group in 0..<scanner.groupCount() {
            let live = try scanner.liveRows(of: group)
            var links = ColumnVector(kind: link.columnKind)
            try scanner.decode(
                .property(link), of: group, rows: 0..<scanner.rowCount(of: group), into: &links)
            var rows: [UInt32] = []
            var found: [UInt32] = []
            for row in 0..<links.count where !links.isNull(row) && (live?[row] ?? true) {
                guard let owner = owners[links.ints[row]] else { continue }
                rows.append(UInt32(truncatingIfNeeded: row))
                found.append(owner)
            }
            guard !rows.isEmpty else { continue }
            var values = ColumnVector(kind: column.type.columnKind)
            if rows.count == links.count {
                try scanner.decode(column, of: group, rows: 0..<links.count, into: &values)
            } else {
                try scanner.gather(column, of: group, rows: rows, into: &values)
            }
            groups.add(values, found)
        }
        return groups.values()
    }
}

/// The indices of some ascending numbers.
private struct OwnerTable {
    /// The maximum span of the numbers, as a multiple of their count, for which a table is used.
    private static let spreadMax: UInt64 = 16

    private let numbers: [Int64]
    /// The index of each number, starting at the first one; `nil` if the numbers are too far apart.
    private let table: [UInt32]?

    init(_ numbers: [Int64]) {
        self.numbers = numbers
        guard let first = numbers.first, let last = numbers.last,
            case let distance = UInt64(bitPattern: last &- first),
            distance < OwnerTable.spreadMax * UInt64(numbers.count) + 1024
        else {
            table = nil
            return
        }
        var table = [UInt32](repeating: .max, count: Int(distance) + 1)
        for (index, number) in numbers.enumerated() {
            table[Int(number &- first)] = UInt32(truncatingIfNeeded: index)
        }
        self.table = table
    }

    @inline(__always)
    subscript(number: Int64) -> UInt32? {
        guard let first = numbers.first, number >= first else { return nil }
        if let table {
            let distance = UInt64(bitPattern: number &- first)
            guard distance < UInt64(table.count) else { return nil }
            let index = table[Int(distance)]
            return index == .max ? nil : index
        }
        return numbers.indexAscending(of: number).map { UInt32(truncatingIfNeeded: $0) }
    }
}
