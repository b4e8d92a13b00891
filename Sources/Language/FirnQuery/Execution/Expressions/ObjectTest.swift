import FirnCodec
import FirnEngine
import FirnValues

/// Tests which objects of a class pass a predicate.
///
/// At first, only the requested objects are tested. Once a large share of a group or of the class
/// was requested, the whole group or class is evaluated, and the result is cached. In a point
/// lookup, only the requested objects are ever tested.
final class ObjectTest {
    /// A group is evaluated as a whole once 1 / `groupShare` of its rows were requested.
    private static let groupShare = 8
    /// The class is evaluated as a whole once 1 / `classShare` of its rows were requested.
    private static let classShare = 4

    /// `nil` in a point lookup.
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
                predicate, try reader.pointReader(of: schema), reader)
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

    /// Returns the set of all objects that pass, once enough objects were requested to make it
    /// worthwhile.
    ///
    /// - Parameter count: the number of objects that are about to be requested.
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

    /// Returns the positions of the rows that pass.
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

    /// Returns all rows of a group that pass.
    ///
    /// They may include deleted rows.
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
