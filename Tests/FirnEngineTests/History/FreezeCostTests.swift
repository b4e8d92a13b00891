import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The 3,900th freeze of a database took 172 ms where the first one took 9 ms, and each took 12.6
/// KB that no compaction released: the catalog listed all freezes, and every freeze kept a root
/// with a catalog of its own.
@Suite("The cost of a freeze")
struct FreezeCostTests {
    private static let path = "/many.firn"

    private static func options() -> StoreOptions {
        var options = StoreOptions()
        options.logging = .never
        return options
    }

    private static func freeze(_ number: Int, _ services: SystemServices) throws {
        let store = try Store.open(path, readOnly: false, services: services, options: options())
        let transaction = try store.beginWrite()
        try transaction.freeze(name: "freeze \(number)")
        _ = try transaction.commit()
        try store.close()
    }

    /// One process per freeze, as with `firn freeze`.
    @Test("The first and the last of many freezes have the same small cost")
    func many() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services()
        try makeSample(Self.path, rowCount: 100, services: services)
        let written = Guarded(0)
        disk.beforeEachOperation { operation in
            if operation.kind == .write { written.withLock { $0 += operation.count } }
        }
        defer { disk.beforeEachOperation(nil) }
        let count = TestScale.scaled(2_000)
        let sizeBefore = try #require(disk.contents(of: Self.path)).count
        var costs: [Int] = []
        for number in 0..<count {
            written.withLock { $0 = 0 }
            try Self.freeze(number, services)
            costs.append(written.withLock { $0 })
        }
        let size = try #require(disk.contents(of: Self.path)).count
        #expect((size - sizeBefore) / count < 600)
        let early = costs[20..<120].reduce(0, +)
        let late = costs.suffix(100).reduce(0, +)
        #expect(late < 3 * early, "\(early) bytes for a hundred freezes, and \(late)")
        let store = try Store.open(
            Self.path, readOnly: true, services: services, options: Self.options())
        try expectSound(store)
        #expect(try store.versions().freezes.count == count)
        for number in [0, 1, count / 2, count - 1] {
            #expect(
                try store.snapshot(at: .freeze("freeze \(number)")).version.rawValue
                    == store.snapshot(at: .freeze("freeze 0")).version.rawValue + UInt64(number))
        }
    }

    /// A freeze that shares the root of an older one must not keep what was deleted in between.
    @Test("A freeze does not keep data that was deleted before it was made")
    func deletedBefore() throws {
        let fixture = try VersionFixture(rowCount: 400) { $0.logging = .never }
        try fixture.commit { try $0.freeze(name: "old") }
        try fixture.commit(rows: 0..<400)
        try fixture.commit { try $0.freeze(name: "new") }
        try fixture.commit(rows: 0..<400)
        let history = try fixture.store.history(of: fixture.store.snapshot().root.superblock)
        let versions = history.freezes.versions.map(\.version)
        #expect(versions.count == 2)
        let bases = history.bases(for: versions).map { $0?.lsn }
        #expect(bases[0] != bases[1])
        try expectSound(fixture.store)
    }
}
