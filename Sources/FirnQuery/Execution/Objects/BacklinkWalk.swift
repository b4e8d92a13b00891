import FirnCodec
import FirnEngine
import FirnValues

/// The objects that link to those of a frontier, from the link index.
struct BacklinkWalk {
    /// Sources that one question to the index should give.
    private static let sourceCountAim = 1 << 18

    private let reader: SnapshotReader
    private let property: PropertySchema
    private let sourceClass: ClassSchema
    private let target: TableScanner
    /// Row ids, ascending, and which rows of the frontier each has.
    private let targets: [(id: Int64, owner: UInt32)]
    private let isOwnerOrder: Bool

    init?(
        _ frontier: Frontier, _ property: PropertySchema, _ source: ClassSchema,
        _ reader: SnapshotReader
    ) throws(StoreError) {
        guard let target = frontier.source as? TableScanner else { return nil }
        self.reader = reader
        self.property = property
        sourceClass = source
        self.target = target
        let ids = try target.rowIDs(of: frontier.rows).ints
        let pairs = zip(ids, frontier.owners).map { (id: $0, owner: $1) }
        // Most batches are in the order of the table.
        isOwnerOrder = zip(pairs, pairs.dropFirst()).allSatisfy { $0.id < $1.id }
        targets = isOwnerOrder ? pairs : pairs.sorted { ($0.id, $0.owner) < ($1.id, $1.owner) }
    }

    /// The row ids of the sources with the rows that they were reached from.
    func visit(_ body: PathWalk.Chunk) throws(StoreError) {
        if isOwnerOrder { return try visitAscending(body) }
        // Everything of the batch at once, to be put back into the order of the owners.
        var pairs: [(owner: UInt32, id: Int64)] = []
        try visitAscending { owners, ids in
            for (owner, id) in zip(owners, ids.ints) { pairs.append((owner, id)) }
        }
        let ordered = pairs.enumerated().sorted {
            ($0.element.owner, $0.offset) < ($1.element.owner, $1.offset)
        }
        var start = 0
        while start < ordered.count {
            let part = ordered[start..<min(ordered.count, start + PathWalk.chunkCountMax)]
            var ids = ColumnVector(kind: .int)
            ids.ints = part.map(\.element.id)
            ids.count = part.count
            try body(part.map(\.element.owner), ids)
            start += part.count
        }
    }

    private func visitAscending(_ body: PathWalk.Chunk) throws(StoreError) {
        var start = 0
        // A few objects may have most of the sources: ask for more only as long as few come.
        var targetCount = 64
        while start < targets.count {
            let part = targets[start..<min(targets.count, start + targetCount)]
            start += part.count
            let sources = try sources(of: part)
            if sources.rows.count < Self.sourceCountAim / 2 { targetCount *= 4 }
            if sources.rows.count > Self.sourceCountAim { targetCount = max(1, targetCount / 4) }
            try deliver(sources, part, body)
        }
    }

    /// Every target is asked for once, however often it was reached.
    private func sources(
        of part: ArraySlice<(id: Int64, owner: UInt32)>
    ) throws(StoreError) -> LinkSources {
        var ids: [RowID] = []
        for target in part {
            let id = RowID(UInt64(bitPattern: target.id))
            if ids.last != id { ids.append(id) }
        }
        return try reader.snapshot.sources(
            of: ids, in: target.schema.id, through: property, of: sourceClass)
    }

    private func deliver(
        _ sources: LinkSources, _ part: ArraySlice<(id: Int64, owner: UInt32)>,
        _ body: PathWalk.Chunk
    ) throws(StoreError) {
        var owners: [UInt32] = []
        var ids = ColumnVector(kind: .int)
        func flush() throws(StoreError) {
            guard !owners.isEmpty else { return }
            try body(owners, ids)
            owners.removeAll(keepingCapacity: true)
            ids.removeAll()
        }
        var index = -1
        var latest: Int64 = -1
        for target in part {
            if target.id != latest || index < 0 { index += 1 }
            latest = target.id
            for source in sources[index] {
                owners.append(target.owner)
                ids.ints.append(Int64(clamping: source.rawValue))
                ids.count += 1
                if owners.count == PathWalk.chunkCountMax { try flush() }
            }
        }
        try flush()
    }
}
