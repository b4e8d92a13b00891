import FirnCodec
import FirnEngine
import FirnValues

/// What one execution reads of its snapshot: each class is opened when it is first asked for.
final class SnapshotReader {
    let snapshot: Snapshot
    /// Whether only a few objects are looked at: no class is opened as a whole then, and what is
    /// read does not depend on how many objects there are.
    let isPicking: Bool
    /// Whether whoever asked has given up.
    private let isStopped: () -> Bool
    private var scanners: [ClassID: TableScanner] = [:]
    private var picked: [ClassID: PickedObjects] = [:]
    private var locators: [ClassID: RowLocator] = [:]
    private var tests: [TestKey: ObjectTest] = [:]

    private struct TestKey: Hashable {
        let classID: ClassID
        let predicate: BoundPredicate
    }

    init(
        _ snapshot: Snapshot, isPicking: Bool = false,
        isStopped: @escaping () -> Bool = { false }
    ) {
        self.snapshot = snapshot
        self.isStopped = isStopped
        self.isPicking = isPicking
    }

    var path: String { snapshot.path }

    func table(_ schema: ClassSchema) throws(StoreError) -> Table {
        guard let table = snapshot.table(schema.id) else {
            throw StoreError(
                .unknownClass, path: snapshot.path, detail: "class \(schema.name) is gone")
        }
        return table
    }

    /// All objects of a class.
    func scanner(of schema: ClassSchema) throws(StoreError) -> TableScanner {
        if let scanner = scanners[schema.id] { return scanner }
        let scanner = TableScanner(
            schema, try table(schema).rowGroups(), path: snapshot.path, isStopped: isStopped)
        scanners[schema.id] = scanner
        return scanner
    }

    /// The objects of a class that were asked for one by one.
    func pickedObjects(of schema: ClassSchema) throws(StoreError) -> PickedObjects {
        if let objects = picked[schema.id] { return objects }
        let objects = PickedObjects(schema, try table(schema), path: snapshot.path)
        picked[schema.id] = objects
        return objects
    }

    func locator(of schema: ClassSchema) throws(StoreError) -> any ObjectLocator {
        guard !isPicking else { return try pickedObjects(of: schema) }
        if let locator = locators[schema.id] { return locator }
        let locator = RowLocator(try scanner(of: schema))
        locators[schema.id] = locator
        return locator
    }

    /// The one answer of this execution to which objects of a class pass a predicate.
    func test(of schema: ClassSchema, _ predicate: BoundPredicate) throws(StoreError) -> ObjectTest
    {
        let key = TestKey(classID: schema.id, predicate: predicate)
        if let test = tests[key] { return test }
        let test = try ObjectTest(schema, predicate, self)
        tests[key] = test
        return test
    }

    /// Pages read of the classes that were opened, but for one that is counted elsewhere.
    func pagesRead(besides main: TableScanner) -> Int {
        scanners.values.reduce(0) { $0 + ($1 === main ? 0 : $1.pagesRead) }
    }

    /// How many row groups each class has that was opened.
    var groupCounts: [ClassID: Int] { scanners.mapValues { $0.groups.count } }
}
