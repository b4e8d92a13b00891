import FirnCodec
import FirnEngine
import FirnValues

/// Finds the objects that link to the objects of a path batch, using the link index.
struct BacklinkWalk {
    /// The initial number of target objects per index query.
    private static let targetCountMin = 64
    /// The number of source objects that one index query should return.
    private static let sourceCountAim = 1 << 18

    private let classes: OpenedClasses
    private let property: PropertySchema
    private let sourceClass: ClassSchema
    private let target: any ObjectSource
    /// The row ids of the objects in the path batch.
    ///
    /// Their owners are parallel to them.
    private let ids: [Int64]
    private let owners: [UInt32]

    init?(
        _ batch: PathBatch, _ property: PropertySchema, _ source: ClassSchema,
        _ classes: OpenedClasses
    ) throws(StoreError) {
        guard let target = batch.source as? any ObjectSource else { return nil }
        self.classes = classes
        self.property = property
        sourceClass = source
        self.target = target
        ids = try target.rowIDs(of: batch.rows).ints
        owners = batch.owners
    }

    /// Visits the row ids of the source objects, in the order of the path batch.
    ///
    /// Each source comes with the owner that it was reached from.
    func visit(_ body: PathEvaluator.Chunk) throws(StoreError) {
        var start = 0
        // Few objects can have most of the sources, so the batch grows only while few sources are
        // found.
        var count = Self.targetCountMin
        while start < ids.count {
            let part = start..<min(ids.count, start + count)
            start = part.upperBound
            let found = try deliver(part, body)
            count = Self.next(count, after: found)
        }
    }

    /// Visits the number of source objects of each object in the path batch, with its owner.
    ///
    /// The sources are not located, because the index contains only existing objects.
    func visitCounts(
        _ body: (_ owner: UInt32, _ count: Int) -> Void
    ) throws(StoreError) {
        var start = 0
        var count = Self.targetCountMin
        while start < ids.count {
            let part = start..<min(ids.count, start + count)
            start = part.upperBound
            let (distinct, sources) = try sources(of: part)
            for position in part {
                body(
                    owners[position],
                    sources[Self.index(of: ids[position], in: distinct)].count)
            }
            count = Self.next(count, after: sources.rows.count)
        }
    }

    /// Returns the number of objects to query next, after `count` objects had `found` sources.
    private static func next(_ count: Int, after found: Int) -> Int {
        if found < sourceCountAim / 4 { return count * 4 }
        return found > sourceCountAim ? max(1, count / 4) : count
    }

    /// Returns the sources of part of the path batch.
    ///
    /// Each object is looked up once, however often it was reached. Lookups are in ascending order.
    private func sources(
        of part: Range<Int>
    ) throws(StoreError) -> (distinct: [Int64], sources: LinkSources) {
        var distinct: [Int64] = []
        for id in ids[part].sorted() where distinct.last != id { distinct.append(id) }
        let sources = try classes.snapshot.sources(
            of: distinct.map { RowID(UInt64(bitPattern: $0)) }, in: target.schema.id,
            through: property, of: sourceClass)
        return (distinct, sources)
    }

    /// Passes the sources of part of the path batch to `body`.
    ///
    /// - Returns: the number of sources.
    private func deliver(
        _ part: Range<Int>, _ body: PathEvaluator.Chunk
    ) throws(StoreError) -> Int {
        let (distinct, sources) = try sources(of: part)
        var chunkOwners: [UInt32] = []
        var chunk = ColumnVector(kind: .int)
        for position in part {
            for source in sources[Self.index(of: ids[position], in: distinct)] {
                chunkOwners.append(owners[position])
                chunk.ints.append(Int64(clamping: source.rawValue))
                chunk.count += 1
                guard chunk.count == PathEvaluator.chunkCountMax else { continue }
                try body(chunkOwners, chunk)
                chunkOwners.removeAll(keepingCapacity: true)
                chunk.removeAll()
            }
        }
        if chunk.count > 0 { try body(chunkOwners, chunk) }
        return sources.rows.count
    }

    /// Returns the index of an id that is known to be present.
    private static func index(of id: Int64, in ascending: [Int64]) -> Int {
        ascending.partitioningIndex { $0 >= id }
    }
}
