import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Damage that no checksum shows, because the attacker recomputed them. The content may differ
/// then, but nothing may trap, hang or take all memory, neither reading nor writing.
@Suite("Forged files")
struct ForgedFileTests {
    private static let path = ObjectHistory.path

    /// Objects of all types with links, collections, indexes, deleted rows and older versions.
    private static func make(seed: UInt64) throws -> ForgedFile {
        let history = try ObjectHistory(seed: seed, population: 10, compression: .none)
        try history.run(operations: 250, perTransaction: 80)
        let transaction = try history.store.beginWrite()
        try transaction.freeze(name: "kept")
        _ = try transaction.commit()
        return try ForgedFile(#require(history.disk.contents(of: path)), history.store)
    }

    /// The time limit for all operations on a forged file, however busy the machine is.
    private static let nanosecondsMax: UInt64 = 20_000_000_000
    private static let memoryByteCountMax = 256 << 20

    /// In a process of its own: a trap would end all other tests, and its memory is that of these
    /// files alone.
    @Test(
        "A forged file is read and written without a trap, a hang or much memory", .tags(.security),
        arguments: TestScale.seeds(5))
    func forged(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            try ForgedFileTests.useMany(seed: seed)
            if let memory = ProcessMemory.highest {
                #expect(memory < ForgedFileTests.memoryByteCountMax, "seed \(seed)")
            }
        }
    }

    private static func useMany(seed: UInt64) throws {
        let file = try ForgedFileTests.make(seed: seed)
        var generator = SplitMix64(seed: seed)
        var (refused, unsealed) = (0, 0)
        let count = 120
        let clock = SystemClock()
        for number in 0..<count {
            let changes = file.randomChanges(&generator)
            let start = clock.monotonicNanoseconds()
            let failure = ForgedFileTests.failure { () throws(StoreError) in
                try ForgedFileTests.use(file.changing(changes), entropySeed: UInt64(number))
            }
            let time = clock.monotonicNanoseconds() - start
            #expect(time < nanosecondsMax, "seed \(seed), file \(number): \(changes)")
            guard let failure else { continue }
            refused += 1
            if failure.detail.contains("checksum") { unsealed += 1 }
        }
        #expect(refused > count / 20 && refused < count, "\(refused) of \(count)")
        RunCounters.forgedFiles.add(count)
        // A changed reference leads to something that does not match; all other checksums are
        // right.
        #expect(unsealed < count / 5, "\(unsealed) of \(count)")
    }

    @Test("A forged file without any change equals the original")
    func unchanged() throws {
        let file = try ForgedFileTests.make(seed: TestScale.firstSeed)
        let offset = try #require(file.pages.first?.lowerBound)
        #expect(file.changing([(offset, file.bytes[offset])]) == file.bytes)
    }

    /// Runs the operations of programs that trust their database.
    private static func use(_ bytes: [UInt8], entropySeed: UInt64) throws(StoreError) {
        let disk = SimulatedFileSystem()
        disk.setContents(of: path, to: bytes)
        let services = disk.services(entropySeed: entropySeed)
        let reader = try Store.open(path, readOnly: true, services: services)
        // One failure must not keep the rest from being tried.
        let failures = [
            failure(of: { () throws(StoreError) in try readAll(reader) }),
            failure(of: { () throws(StoreError) in try verify(reader) }),
            failure(of: { () throws(StoreError) in
                try write(Store.open(path, readOnly: false, services: services))
            }),
        ]
        for case let failure? in failures { throw failure }
    }

    private static func failure(of step: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) {
            try step()
            return nil
        } catch {
            return error
        }
    }

    private static func readAll(_ store: Store) throws(StoreError) {
        var snapshots = [try store.snapshot()]
        for freeze in try snapshots[0].freezes() {
            snapshots.append(try store.snapshot(at: .freeze(freeze.name)))
        }
        for snapshot in snapshots {
            for schema in snapshot.schema.classes {
                guard let table = snapshot.table(schema.id) else { continue }
                for group in try table.rowGroups() {
                    let live = try group.liveRows()
                    for row in 0..<group.rowCount where live?[row] ?? true {
                        _ = try group.rowID(at: row)
                        _ = try group.values(at: row)
                    }
                }
                _ = try table.row(forKey: .int(7))
            }
        }
    }

    private static func verify(_ store: Store) throws(StoreError) {
        var verifier = Verifier(store, isDeep: true)
        _ = try verifier.run()
    }

    private static func write(_ store: Store) throws(StoreError) {
        let transaction = try store.beginWrite()
        for schema in transaction.schema.classes {
            guard let table = try transaction.snapshot().table(schema.id),
                let group = try table.rowGroups().first
            else { continue }
            let live = try group.liveRows()
            for row in 0..<min(group.rowCount, 3) where live?[row] ?? true {
                try transaction.delete(try group.rowID(at: row), in: schema.id)
            }
        }
        _ = try transaction.commit()
        try store.compactFile(CompactionFixture.options())
    }
}
