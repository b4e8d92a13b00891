import FirnCodec
import FirnEngine
import FirnValues

/// Filters the rows whose link leads to an object that passes a predicate.
///
/// If many rows link to the target class, the predicate is evaluated for the whole class, once per
/// execution. Each row then costs one bit test. A link to a deleted object counts as no link.
final class SemiJoin: RowFilter {
    private let property: PropertySchema
    private let target: ClassSchema
    private let predicate: BoundPredicate
    private let source: any RowSource
    private let reader: SnapshotReader
    private var test: ObjectTest?

    init(
        _ property: PropertySchema, _ target: ClassSchema, _ predicate: BoundPredicate,
        _ source: any RowSource, _ reader: SnapshotReader
    ) {
        self.property = property
        self.target = target
        self.predicate = predicate
        self.source = source
        self.reader = reader
    }

    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict {
        guard let zone = try source.zone(.property(property), of: group) else { return .some }
        if zone.nullCount == zone.rowCount { return .none }
        guard let set = test?.set else { return .some }
        guard let bounds = set.bounds else { return .none }
        let range = ColumnTest.between(.int(bounds.lowerBound), .int(bounds.upperBound))
        return zone.verdict(range) == .none ? .none : .some
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        let test = try objectTest()
        if let set = try test.set(for: candidates?.population ?? rows.count) {
            var ids = ColumnVector(kind: .int)
            try source.decode(.property(property), of: group, rows: 0..<rows.count, into: &ids)
            return set.mark(ids, into: &rows)
        }
        var list: [UInt32] = []
        (candidates ?? Bitmap(count: rows.count, isSet: true)).appendRows(to: &list)
        let ids = try source.values(.property(property), of: .group(group, list))
        let located = try reader.locator(of: target).locate(ids)
        let passing = try test.passing(BatchRows(located.references))
        rows.setAll(false)
        for (index, position) in located.positions.enumerated() where passing[index] {
            rows[Int(list[Int(position)])] = true
        }
    }

    private func objectTest() throws(StoreError) -> ObjectTest {
        if let test { return test }
        let made = try reader.test(of: target, predicate)
        test = made
        return made
    }
}
