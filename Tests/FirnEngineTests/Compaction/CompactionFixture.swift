import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A database with everything that compaction moves: many row groups, a key index, other indexes,
/// links, large collections, an embedded class.
struct CompactionFixture {
    static let path = "/compact.firn"
    let disk: SimulatedFileSystem
    var store: Store
    var generator: SplitMix64

    /// - Parameter rowCount: the number of objects of the larger class.
    init(
        rowCount: Int, seed: UInt64 = 1, rowsPerGroup: Int = 64,
        on disk: SimulatedFileSystem = SimulatedFileSystem()
    ) throws {
        self.disk = disk
        generator = SplitMix64(seed: seed)
        let services = disk.services(entropySeed: seed)
        let creation = try Store.create(
            CompactionFixture.path, services: services,
            options: Sample.options(rowsPerGroup: rowsPerGroup))
        let transaction = try creation.store.beginWrite()
        try transaction.addClasses([CompactionFixture.node, CompactionFixture.part])
        _ = try transaction.commit()
        try creation.publish()
        store = try Store.open(
            CompactionFixture.path, readOnly: false, services: services,
            options: CompactionFixture.storeOptions())
        try insert(rowCount)
    }

    private static let node = ClassDefinition(
        name: "Node",
        properties: [
            .init(name: "id", type: PropertyType(.int)),
            .init(name: "name", type: PropertyType(.string)),
            .init(name: "next", type: PropertyType(.link), targetName: "Node"),
            .init(name: "list", type: PropertyType(.int, container: .list)),
            .init(name: "part", type: PropertyType(.link), targetName: "Part"),
        ], keyName: "id",
        indexes: [.init(["name"]), .init(["list"]), .init(["name", "id"], options: .unique)])
    private static let part = ClassDefinition(
        name: "Part", properties: [.init(name: "x", type: PropertyType(.double))],
        isEmbedded: true)

    func schema(_ name: String) throws -> ClassSchema {
        try #require(store.snapshot().schema.classNamed(name))
    }

    /// Creates objects with unordered keys.
    mutating func insert(_ count: Int) throws {
        let (node, part) = (try schema("Node"), try schema("Part"))
        let transaction = try store.beginWrite()
        for _ in 0..<count {
            let child = try transaction.create(
                in: part.id, [.double(Double(generator.next() % 1000))])
            let link = ObjectReference(classID: node.id, rowID: RowID(generator.next() % 50))
            let canLink = try transaction.values(of: link.rowID, in: node.id) != nil
            let size = generator.happens(oneIn: 200) ? 1500 : Int(generator.next() % 4)
            try transaction.create(
                in: node.id,
                [
                    .int(Int64(bitPattern: generator.next())),
                    .string("name-\(generator.next() % 100_000)"),
                    canLink ? .link(link) : .null,
                    .list((0..<size).map { _ in .int(Int64(generator.next() % 1000)) }),
                    .link(ObjectReference(classID: part.id, rowID: child)),
                ])
        }
        _ = try transaction.commit()
    }

    /// Deletes the given percentage of the objects, in several commits.
    mutating func delete(percent: UInt64, commits: Int = 1) throws {
        let node = try schema("Node")
        for _ in 0..<commits {
            let transaction = try store.beginWrite()
            var doomed: [RowID] = []
            for row in try CompactionFixture.rows(of: node, in: transaction.snapshot())
            where generator.next() % 100 < percent { doomed.append(row) }
            try transaction.delete(doomed, in: node.id)
            _ = try transaction.commit()
        }
    }

    /// Commits, and releases the version before.
    func write(_ body: (WriteTransaction) throws -> Void) throws {
        let transaction = try store.beginWrite()
        try body(transaction)
        _ = try transaction.commit()
    }

    /// Commits a small change.
    mutating func edit() throws {
        let node = try schema("Node")
        let transaction = try store.beginWrite()
        let rows = try CompactionFixture.rows(of: node, in: transaction.snapshot())
        for _ in 0..<3 {
            guard let row = rows.randomElement(using: &generator) else { break }
            try transaction.set(
                node.properties[1].id, of: row, in: node.id,
                to: .string("edit-\(generator.next() % 1000)"))
        }
        if let row = rows.randomElement(using: &generator) {
            try transaction.delete([row], in: node.id)
        }
        _ = try transaction.commit()
    }

    static func rows(of schema: ClassSchema, in snapshot: Snapshot) throws -> [RowID] {
        let table = try #require(snapshot.table(schema.id))
        return try table.rowGroups().flatMap { group in
            let live = try group.liveRows()
            return try (0..<group.rowCount).filter { live?[$0] ?? true }
                .map { try group.rowID(at: $0) }
        }
    }

    /// The content of a snapshot, by class and row id.
    static func contents(of snapshot: Snapshot) throws -> [String: [RowID: [Value]]] {
        var contents: [String: [RowID: [Value]]] = [:]
        for schema in snapshot.schema.classes {
            let table = try #require(snapshot.table(schema.id))
            contents[schema.name] = [:]
            for group in try table.rowGroups() {
                let live = try group.liveRows()
                for row in 0..<group.rowCount where live?[row] ?? true {
                    contents[schema.name]?[try group.rowID(at: row)] = try group.values(at: row)
                }
            }
        }
        return contents
    }

    var byteCount: UInt64 {
        get throws { try store.fileStatus().size }
    }

    /// The size of a copy of the newest version.
    func copiedByteCount() throws -> UInt64 {
        let size = try #require(try store.copy(store.snapshot(), to: "/copied.firn"))
        try disk.remove("/copied.firn")
        return size
    }

    /// Options without a log, so that every commit makes a root.
    static func storeOptions() -> StoreOptions {
        var options = StoreOptions()
        options.logging = .never
        return options
    }

    /// Small steps, so that even a small file takes many.
    static func options(stepByteCount: Int = 16 * 1024) -> CompactionOptions {
        var options = CompactionOptions()
        options.stepByteCount = stepByteCount
        return options
    }
}
