import FirnCodec
import FirnEngine
import FirnValues

/// The classes that one execution reads from its snapshot, and the object tests that it has cached.
///
/// There are no reference cycles: nothing that a reader refers to refers back to it. Releasing a
/// result therefore releases its snapshot, which would otherwise retain its version and the space
/// of that version until the process ends.
///
///     execution, streams, evaluators -> reader -> tests -> evaluators -> reader of the test -> ...
///                                         |                                   |
///                                         +-------> classes <-----------------+
final class SnapshotReader {
    let classes: OpenedClasses
    /// The joins of the statement, for readers of other threads.
    let joins: SharedJoins
    private var tests: [TestKey: ObjectTest] = [:]

    private struct TestKey: Hashable {
        let classID: ClassID
        let predicate: BoundPredicate
    }

    private var reductions: [ReductionKey: TargetReductions] = [:]

    private struct ReductionKey: Hashable {
        let reduction: BoundExpression.Reduction
        let path: BoundPath
    }

    /// - Parameter joins: the joins of the statement, if other threads also read for it.
    init(
        _ snapshot: Snapshot, isPointLookup: Bool = false, joins: SharedJoins = SharedJoins(),
        isStopped: @escaping () -> Bool = { false }
    ) {
        classes = OpenedClasses(snapshot, isPointLookup: isPointLookup, isStopped: isStopped)
        self.joins = joins
        classes.makeLookup = { join, classes throws(StoreError) in
            try joins.lookup(join, classes)
        }
    }

    /// Creates a reader of the same classes with no cached object tests.
    init(_ classes: OpenedClasses) {
        self.classes = classes
        joins = SharedJoins()
    }

    var snapshot: Snapshot { classes.snapshot }
    var path: String { classes.snapshot.path }
    /// Whether only a few objects are read.
    ///
    /// If so, no class is opened as a whole, and the amount of data read does not depend on the
    /// number of objects.
    var isPointLookup: Bool { classes.isPointLookup }
    /// Whether the caller has cancelled the query.
    var isStopped: () -> Bool { classes.isStopped }

    /// Ends the query if the caller has cancelled it.
    func checkStopped() throws(StoreError) {
        guard isStopped() else { return }
        throw StoreError(.cancelled, path: path, detail: "the query was given up")
    }

    /// The progress of the sorts.
    let sortProgress = SortProgress()

    func table(_ schema: ClassSchema) throws(StoreError) -> Table { try classes.table(schema) }

    /// Returns the scanner for all objects of a class.
    func scanner(of schema: ClassSchema) throws(StoreError) -> TableScanner {
        try classes.scanner(of: schema)
    }

    /// Returns whether a scanner numbers the rows of its class as the scanners of all threads do;
    /// the scanner of a lookup has only the row groups of the objects that were found.
    func isOfWholeClass(_ scanner: TableScanner) throws(StoreError) -> Bool {
        try self.scanner(of: scanner.schema) === scanner
    }

    /// Returns the objects of a class that were requested individually.
    func pointReader(of schema: ClassSchema) throws(StoreError) -> PointReader {
        try classes.pointReader(of: schema)
    }

    func locator(of schema: ClassSchema) throws(StoreError) -> any ObjectLocator {
        try classes.locator(of: schema)
    }

    /// Returns the shared test of a predicate on a class.
    func test(of schema: ClassSchema, _ predicate: BoundPredicate) throws(StoreError) -> ObjectTest
    {
        let key = TestKey(classID: schema.id, predicate: predicate)
        if let test = tests[key] { return test }
        let test = try ObjectTest(schema, predicate, SnapshotReader(classes))
        tests[key] = test
        return test
    }

    /// Returns the known values of a reduction, by the objects to which the first link of the path
    /// leads.
    func reductions(
        _ reduction: BoundExpression.Reduction, _ path: BoundPath
    ) -> TargetReductions {
        let key = ReductionKey(reduction: reduction, path: path)
        if let known = reductions[key] { return known }
        let made = TargetReductions()
        reductions[key] = made
        return made
    }

    /// The number of reductions that were computed for objects at the end of a link.
    var computedReductionCount: Int { reductions.values.reduce(0) { $0 + $1.computedCount } }

    /// Returns the number of pages read from the opened classes, excluding `main`, which is counted
    /// separately.
    func pagesRead(besides main: TableScanner) -> Int { classes.pagesRead(besides: main) }

    /// Adds what another reader of the same snapshot has read.
    func noteReads(of other: SnapshotReader) throws(StoreError) {
        try classes.noteReads(of: other.classes)
    }

    /// The number of row groups in each opened class.
    var groupCounts: [ClassID: Int] { classes.groupCounts }
}

/// The values of one reduction, by the row id of the object at which the rest of its path starts.
final class TargetReductions {
    /// The maximum number of values to keep.
    private static let countMax = 1 << 20

    private(set) var values: [Int64: Value] = [:]
    private(set) var computedCount = 0

    func note(_ value: Value, of target: Int64) {
        values[target] = value
        computedCount += 1
    }

    func makeRoom(for count: Int) {
        if values.count + count > TargetReductions.countMax { values.removeAll() }
    }
}
