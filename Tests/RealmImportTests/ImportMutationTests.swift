import FirnEngine
import FirnTesting
import RealmFile
import RealmImport
import Testing

/// Imports of damaged files: a sound database or an error, in a bounded time and memory.
@Suite("Imports of damaged Realm files")
struct ImportMutationTests {
    private static let samples = [
        ("groupwrite", 12), ("format22", 24), ("streaming", 6), ("types", 1),
    ]

    private static let memoryByteCountMax = 256 << 20

    @Test(
        "A damaged file is imported or refused, without a trap, a hang or much memory",
        arguments: TestScale.seeds(4))
    func damage(seed: UInt64) async {
        await #expect(processExitsWith: .success) { [seed] in
            try ImportMutationTests.loadMany(seed: seed)
            if let memory = ProcessMemory.highest {
                #expect(memory < ImportMutationTests.memoryByteCountMax, "seed \(seed)")
            }
        }
    }

    private static func loadMany(seed: UInt64) throws {
        for (name, share) in samples {
            let file = ChangingBytes(try RealmSample.bytes(name))
            var mutation = RealmMutation(file)
            var generator = SplitMix64(seed: seed &* 17 &+ UInt64(share))
            for round in 0..<share {
                mutation.apply(&generator)
                try load(file, "\(name), seed \(seed), round \(round)")
                mutation.undo()
            }
            RunCounters.damagedFiles.add(share)
        }
    }

    private static func load(_ file: ChangingBytes, _ run: String) throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        let creation = try Store.create("/new.firn", services: services)
        do throws(RealmImportError) {
            let reader = try reading { () throws(RealmFileError) in try RealmReader(file) }
            let plan = RealmImportPlan(reader)
            _ = try creation.importRealm(reader, plan) { _, _, _ in true }
        } catch {
            creation.abandon()
            #expect(disk.fileNames.isEmpty, "\(run)")
            switch error {
            case .realm(let error):
                #expect(error.code != .inUse && error.code != .unreadable, "\(run)")
            case .store(let error): #expect(error.code != .internalError, "\(run): \(error)")
            case .stopped: Issue.record("\(run) was stopped")
            }
            return
        }
        let store = try Store.open("/new.firn", readOnly: true, services: services)
        var verifier = Verifier(store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty, "\(run)")
    }

    private static func reading<Result>(
        _ body: () throws(RealmFileError) -> Result
    ) throws(RealmImportError) -> Result {
        do { return try body() } catch { throw .realm(error) }
    }
}
