import FirnCodec
import FirnEngine
import FirnValues

/// The objects that link to those of a frontier, from the link index.
struct BacklinkWalk {
    /// Objects that the index is asked for together at first.
    private static let targetCountMin = 64
    /// Sources that one question to the index should give.
    private static let sourceCountAim = 1 << 18

    private let classes: OpenedClasses
    private let property: PropertySchema
    private let sourceClass: ClassSchema
    private let target: any ObjectSource
    /// The row ids of the frontier, and its owners.
    private let ids: [Int64]
    private let owners: [UInt32]

    init?(
        _ frontier: PathBatch, _ property: PropertySchema, _ source: ClassSchema,
        _ classes: OpenedClasses
    ) throws(StoreError) {
        guard let target = frontier.source as? any ObjectSource else { return nil }
        self.classes = classes
        self.property = property
        sourceClass = source
        self.target = target
        ids = try target.rowIDs(of: frontier.rows).ints
        owners = frontier.owners
    }

    /// The row ids of the sources with the rows that they were reached from, in the order of the
    /// frontier.
    func visit(_ body: PathEvaluator.Chunk) throws(StoreError) {
        var start = 0
        // A few objects may have most of the sources: ask for more only as long as few come.
        var count = Self.targetCountMin
        while start < ids.count {
            let part = start..<min(ids.count, start + count)
            start = part.upperBound
            let found = try deliver(part, body)
            count = Self.next(count, after: found)
        }
    }

    /// How many sources each object of the frontier has, with the row that it was reached from.
    ///
    /// The sources themselves are not looked up: the index names only those that are there.
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

    /// How many objects to ask for after so many sources came of `count` of them.
    private static func next(_ count: Int, after found: Int) -> Int {
        if found < sourceCountAim / 4 { return count * 4 }
        return found > sourceCountAim ? max(1, count / 4) : count
    }

    /// The sources of a part of the frontier.
    ///
    /// Every object is asked for once, however often it was reached, in ascending order.
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

    /// - Returns: how many sources there were.
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

    /// The place of a number that is there.
    private static func index(of id: Int64, in ascending: [Int64]) -> Int {
        var low = 0
        var high = ascending.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
