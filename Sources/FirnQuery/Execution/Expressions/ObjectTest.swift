import FirnCodec
import FirnEngine
import FirnValues

/// Which objects of a class pass a predicate: few are looked up when they are asked for, but once
/// many of a group or of the class were asked for, all are decided at once and remembered.
///
/// Where only a few objects are looked at at all, nothing is decided beyond them.
final class ObjectTest {
    /// A group is decided as a whole when an eighth of it was asked for.
    private static let groupShare = 8
    /// The class is decided as a whole when a quarter of it was asked for.
    private static let classShare = 4

    /// `nil` where only a few objects are looked at.
    private let scanner: TableScanner?
    private let evaluator: PredicateEvaluator
    private var groups: [Bitmap?]
    private var askedOfGroups: [Int]
    private var asked = 0
    private(set) var set: RowIDSet?
    private let rowCount: Int

    init(
        _ schema: ClassSchema, _ predicate: BoundPredicate, _ reader: SnapshotReader
    ) throws(StoreError) {
        guard !reader.isPointLookup else {
            scanner = nil
            evaluator = PredicateEvaluator(
                predicate, try reader.pickedObjects(of: schema), reader)
            (groups, askedOfGroups, rowCount) = ([], [], 0)
            return
        }
        let scanner = try reader.scanner(of: schema)
        self.scanner = scanner
        evaluator = PredicateEvaluator(predicate, scanner, reader)
        groups = Array(repeating: nil, count: scanner.groups.count)
        askedOfGroups = Array(repeating: 0, count: scanner.groups.count)
        rowCount = scanner.rowCount
    }

    /// The objects that pass as a set, once that pays.
    ///
    /// - Parameter count: how many objects are about to be asked for.
    func set(for count: Int) throws(StoreError) -> RowIDSet? {
        if let set { return set }
        guard let scanner else { return nil }
        asked += count
        guard asked >= rowCount / Self.classShare else { return nil }
        let made = try RowIDSet(scanner) { group throws(StoreError) in
            var rows = try whole(group)
            if let live = try scanner.liveRows(of: group) { rows.formIntersection(live) }
            return rows
        }
        set = made
        return made
    }

    /// The positions of the rows that pass.
    func passing(_ rows: BatchRows) throws(StoreError) -> Bitmap {
        var passing = Bitmap(count: rows.count)
        try rows.visitGroups { group, rows, positions throws(StoreError) in
            let found = try self.passing(group, rows)
            for (index, row) in rows.enumerated() where found[Int(row)] {
                passing[positions.map { Int($0[index]) } ?? index] = true
            }
        }
        return passing
    }

    private func passing(_ group: Int, _ rows: [UInt32]) throws(StoreError) -> Bitmap {
        let count = evaluator.source.rowCount(of: group)
        guard scanner != nil else {
            return try evaluator.evaluate(group, candidates: Bitmap(rows, count: count))
        }
        if let whole = groups[group] { return whole }
        askedOfGroups[group] += rows.count
        if askedOfGroups[group] >= count / Self.groupShare { return try whole(group) }
        return try evaluator.evaluate(group, candidates: Bitmap(rows, count: count))
    }

    /// All rows of a group that pass; deleted ones may be among them.
    private func whole(_ group: Int) throws(StoreError) -> Bitmap {
        if let rows = groups[group] { return rows }
        var rows = Bitmap(count: evaluator.source.rowCount(of: group))
        switch try evaluator.verdict(of: group) {
        case .none: break
        case .all: rows.setAll(true)
        case .some: rows = try evaluator.evaluate(group)
        }
        groups[group] = rows
        return rows
    }
}
