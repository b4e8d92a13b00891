import FirnEngine
import FirnValues

/// The tables of the joins of a statement, which all of its threads use.
final class SharedJoins: Sendable {
    /// The tables in memory; `nil` if they do not fit.
    private let tables = SharedValues<BoundJoin, JoinTable?>()
    private let onDisk = SharedValues<BoundJoin, SpilledJoin>()

    /// Returns the lookups of one thread for a join.
    func lookup(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) -> any JoinLookup {
        if let lookup = try IndexJoin(join, classes, self) { return lookup }
        return try wholeLookup(join, classes)
    }

    /// Returns the lookups of one thread in the table of a join.
    func wholeLookup(
        _ join: BoundJoin, _ classes: OpenedClasses
    ) throws(StoreError) -> any JoinLookup {
        let table = try tables.value(for: join) { () throws(StoreError) in
            try SnapshotReader(classes).checkStopped()
        } make: { () throws(StoreError) in
            try JoinTable(join, classes, byteCountMax: Self.byteCountMax(of: join, classes))
        }
        if let table { return HashJoin(table, self) }
        return SpilledJoinLookup(try spilled(join, classes))
    }

    private static func byteCountMax(of join: BoundJoin, _ classes: OpenedClasses) -> Int {
        SpilledJoin.isPossible(for: join) ? classes.snapshot.statementByteCount / 8 * 3 : .max
    }

    /// Returns a join whose objects are on disk.
    func spilled(_ join: BoundJoin, _ classes: OpenedClasses) throws(StoreError) -> SpilledJoin {
        try onDisk.value(for: join) { () throws(StoreError) in
            try SnapshotReader(classes).checkStopped()
        } make: { () throws(StoreError) in
            try SpilledJoin(join, classes)
        }
    }
}
