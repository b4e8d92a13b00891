import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Space that deletes free is reused: users should not have to compact a file that is as full as
/// before.
@Suite("The space of deleted objects")
struct SpaceReuseTests {
    private static let rowCount = min(1_000_000, TestScale.scaled(10_000))

    /// Each of several commits touches nearly all pages of the links and their index, and writes
    /// them beside those of the version before: the file grows by one such copy, once.
    ///
    ///  - Parameter commits: the number of commits that delete the objects.
    /// - Parameter reopens: whether every commit is by another process.
    @Test(
        "The space of deleted objects is reused",
        arguments: [(1, false), (1, true), (10, false), (10, true)]
    )
    func deleteAndInsert(commits: Int, reopens: Bool) throws {
        let folder = TemporaryFolder()
        let path = folder("space.firn")
        var generator = SplitMix64(seed: UInt64(commits))
        var store = try SpaceReuseTests.make(path, &generator)
        let firstByteCount = try store.fileStatus().size
        let schema = try #require(store.snapshot().schema.classNamed("Item"))
        var rows = (0..<UInt64(SpaceReuseTests.rowCount)).map { RowID($0) }
        rows.shuffle(using: &generator)
        let doomed = rows.prefix(rows.count * 9 / 10)
        let part = doomed.count / commits + 1
        for start in stride(from: 0, to: doomed.count, by: part) {
            if reopens { store = try SpaceReuseTests.open(path) }
            let transaction = try store.beginWrite()
            try transaction.delete(
                Array(doomed[start..<min(start + part, doomed.count)]), in: schema.id)
            _ = try transaction.commit()
        }
        if reopens { store = try SpaceReuseTests.open(path) }
        try SpaceReuseTests.insert(doomed.count, into: store, &generator)
        let table = try #require(store.snapshot().table(schema.id))
        #expect(table.liveRowCount == SpaceReuseTests.rowCount)
        let byteCount = try store.fileStatus().size
        // A process that did not make the last commit does not sync again for less than this.
        let waiting = reopens ? StoreOptions().waitingByteCountMinimum : 0
        #expect(
            Double(byteCount) <= (commits == 1 ? 1.3 : 1.6) * Double(firstByteCount)
                + Double(waiting),
            "\(byteCount) bytes, \(firstByteCount) at first")
        try expectSound(store)
    }

    private static func make(_ path: String, _ generator: inout SplitMix64) throws -> Store {
        var options = StoreOptions()
        options.rowsPerGroup = 512
        let creation = try Store.create(path, options: options)
        let transaction = try creation.store.beginWrite()
        try transaction.addClass(
            ClassDefinition(
                name: "Item",
                properties: [
                    .init(name: "name", type: PropertyType(.string)),
                    .init(name: "next", type: PropertyType(.link), targetName: "Item"),
                ]))
        _ = try transaction.commit()
        try creation.publish()
        let store = try open(path)
        try insert(rowCount, into: store, &generator)
        return store
    }

    /// Without history, which exists to keep the pages of deleted objects: up to 1 MiB of them,
    /// more than this file has.
    private static func open(_ path: String) throws -> Store {
        var options = StoreOptions()
        options.history = .off
        return try Store.open(path, readOnly: false, options: options)
    }

    private static func insert(
        _ count: Int, into store: Store, _ generator: inout SplitMix64
    ) throws {
        let transaction = try store.beginWrite()
        let schema = try #require(transaction.schema.classNamed("Item"))
        let table = try #require(store.snapshot().table(schema.id))
        var targets = try table.rowGroups().flatMap { group in
            let live = try group.liveRows()
            return try (0..<group.rowCount).filter { live?[$0] ?? true }
                .map { try group.rowID(at: $0) }
        }
        for _ in 0..<count {
            let target = targets.randomElement(using: &generator)
            let row = try transaction.create(
                in: schema.id,
                [
                    .string("name-\(generator.next() % 100_000_000)"),
                    target.map { .link(ObjectReference(classID: schema.id, rowID: $0)) } ?? .null,
                ])
            if targets.count < 1000 { targets.append(row) }
        }
        _ = try transaction.commit()
    }
}
