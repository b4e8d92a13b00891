import FirnCodec
import FirnEngine
import FirnValues

/// What one execution reads of its snapshot, and what it found out about the objects there.
///
/// Nothing that a reader refers to refers to it: whoever drops a result lets go of its snapshot, which
/// otherwise would keep its version, and the space of it, for as long as the process runs.
///
///     execution, streams, evaluators -> reader -> tests -> evaluators -> reader of the test -> ...
///                                         |                                   |
///                                         +-------> classes <-----------------+
final class SnapshotReader {
    let classes: OpenedClasses
    private var tests: [TestKey: ObjectTest] = [:]

    private struct TestKey: Hashable {
        let classID: ClassID
        let predicate: BoundPredicate
    }

    init(
        _ snapshot: Snapshot, isPointLookup: Bool = false,
        isStopped: @escaping () -> Bool = { false }
    ) {
        classes = OpenedClasses(snapshot, isPointLookup: isPointLookup, isStopped: isStopped)
    }

    /// A reader of the same classes that knows nothing about their objects yet.
    private init(_ classes: OpenedClasses) { self.classes = classes }

    var snapshot: Snapshot { classes.snapshot }
    var path: String { classes.snapshot.path }
    /// Whether only a few objects are looked at: no class is opened as a whole then, and what is
    /// read does not depend on how many objects there are.
    var isPointLookup: Bool { classes.isPointLookup }
    /// Whether whoever asked has given up.
    var isStopped: () -> Bool { classes.isStopped }

    func table(_ schema: ClassSchema) throws(StoreError) -> Table { try classes.table(schema) }

    /// All objects of a class.
    func scanner(of schema: ClassSchema) throws(StoreError) -> TableScanner {
        try classes.scanner(of: schema)
    }

    /// The objects of a class that were asked for one by one.
    func pickedObjects(of schema: ClassSchema) throws(StoreError) -> PointReader {
        try classes.pickedObjects(of: schema)
    }

    func locator(of schema: ClassSchema) throws(StoreError) -> any ObjectLocator {
        try classes.locator(of: schema)
    }

    /// The one answer of this reader to which objects of a class pass a predicate.
    func test(of schema: ClassSchema, _ predicate: BoundPredicate) throws(StoreError) -> ObjectTest
    {
        let key = TestKey(classID: schema.id, predicate: predicate)
        if let test = tests[key] { return test }
        let test = try ObjectTest(schema, predicate, SnapshotReader(classes))
        tests[key] = test
        return test
    }

    /// Pages read of the classes that were opened, but for one that is counted elsewhere.
    func pagesRead(besides main: TableScanner) -> Int { classes.pagesRead(besides: main) }

    /// How many row groups each class has that was opened.
    var groupCounts: [ClassID: Int] { classes.groupCounts }
}
