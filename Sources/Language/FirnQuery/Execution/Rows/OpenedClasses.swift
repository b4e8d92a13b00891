import FirnCodec
import FirnEngine
import FirnValues

/// The classes that one execution reads.
///
/// Each is opened on first access.
final class OpenedClasses {
    let snapshot: Snapshot
    /// See ``SnapshotReader/isPointLookup``.
    let isPointLookup: Bool
    /// Whether the caller has cancelled the query.
    let isStopped: () -> Bool
    private var scanners: [ClassID: TableScanner] = [:]
    private var picked: [ClassID: PointReader] = [:]
    private var locators: [ClassID: RowLocator] = [:]

    /// Builds the table of a join; set by the reader of the classes.
    var makeLookup: ((BoundJoin, OpenedClasses) throws(StoreError) -> any JoinLookup)?
    private var lookups: [BoundJoin: any JoinLookup] = [:]

    init(_ snapshot: Snapshot, isPointLookup: Bool, isStopped: @escaping () -> Bool) {
        self.snapshot = snapshot
        self.isStopped = isStopped
        self.isPointLookup = isPointLookup
    }

    func table(_ schema: ClassSchema) throws(StoreError) -> Table {
        guard let table = snapshot.table(schema.id) else {
            throw StoreError(
                .unknownClass, path: snapshot.path, detail: "class \(schema.name) is gone")
        }
        return table
    }

    /// Returns the scanner for all objects of a class.
    func scanner(of schema: ClassSchema) throws(StoreError) -> TableScanner {
        if let scanner = scanners[schema.id] { return scanner }
        let scanner = TableScanner(
            schema, try table(schema).rowGroups(), path: snapshot.path, isStopped: isStopped)
        scanners[schema.id] = scanner
        return scanner
    }

    /// Returns the objects of a class that were requested individually.
    func pointReader(of schema: ClassSchema) throws(StoreError) -> PointReader {
        if let objects = picked[schema.id] { return objects }
        let objects = PointReader(schema, try table(schema), path: snapshot.path)
        picked[schema.id] = objects
        return objects
    }

    func locator(of schema: ClassSchema) throws(StoreError) -> any ObjectLocator {
        guard !isPointLookup else { return try pointReader(of: schema) }
        if let locator = locators[schema.id] { return locator }
        let locator = RowLocator(try scanner(of: schema))
        locators[schema.id] = locator
        return locator
    }

    /// Returns the objects of a join by their values.
    func lookup(_ join: BoundJoin) throws(StoreError) -> any JoinLookup {
        if let lookup = lookups[join] { return lookup }
        guard let lookup = try makeLookup?(join, self) else {
            preconditionFailure("a reader without joins")
        }
        lookups[join] = lookup
        return lookup
    }

    /// Returns the number of pages read from the opened classes, excluding `main`, which is counted
    /// separately.
    func pagesRead(besides main: TableScanner) -> Int {
        scanners.values.reduce(0) { $0 + ($1 === main ? 0 : $1.pagesRead) }
    }

    /// Adds what another execution on the same snapshot has read.
    func noteReads(of other: OpenedClasses) throws(StoreError) {
        for scanner in other.scanners.values {
            try self.scanner(of: scanner.schema).noteReads(of: scanner)
        }
    }

    /// The number of row groups in each opened class.
    var groupCounts: [ClassID: Int] { scanners.mapValues { $0.groups.count } }
}
