import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Files of a later build, which declares how earlier builds may use them.
@Suite("Unknown features")
struct FeatureTests {
    /// A database whose copies of the superblock all declare a feature.
    ///
    /// - Parameter leavesLog: whether its process died, so that the newest commits are in a log.
    private func disk(
        leavesLog: Bool, _ ledger: Ledger, _ change: (inout Superblock) -> Void
    ) throws -> SimulatedFileSystem {
        let disk = try Ledger.disk()
        let maker = disk.anotherProcess()
        let store = try Ledger.open(maker.services(entropySeed: 1))
        for number in 100..<104 { try ledger.commit(number, to: store) }
        if leavesLog { maker.kill() } else { try store.close() }
        var bytes = try #require(disk.contents(of: Ledger.path))
        for copy in 0..<4 {
            let start = Int(Superblock.offset(ofCopy: copy))
            let reading = try SuperblockReading.read(
                from: disk.open(Ledger.path, .readOnly))
            guard case .valid(var superblock) = reading.copies[copy] else { continue }
            change(&superblock)
            bytes.replaceSubrange(
                start..<start + Superblock.recordByteCount, with: superblock.record(copy: copy))
        }
        disk.setContents(of: Ledger.path, to: bytes)
        return disk
    }

    private func everything(_ disk: SimulatedFileSystem) -> [String: [UInt8]?] {
        Dictionary(uniqueKeysWithValues: disk.fileNames.map { ($0, disk.contents(of: $0)) })
    }

    @Test("Unknown optional features are ignored, and stay in the file", arguments: [false, true])
    func compatible(leavesLog: Bool) throws {
        let ledger = Ledger()
        let disk = try disk(leavesLog: leavesLog, ledger) { $0.compatibleFeatures = 1 << 40 }
        let store = try Ledger.open(disk.services(entropySeed: 2))
        for number in 110..<113 { try ledger.commit(number, to: store) }
        try store.close()
        let reading = try SuperblockReading.read(from: disk.open(Ledger.path, .readOnly))
        #expect(reading.newest.compatibleFeatures == 1 << 40)
        try ledger.checkEnd(disk, isAtRest: true)
    }

    @Test(
        "A feature for writers allows reading and refuses writing", arguments: [false, true])
    func readOnly(leavesLog: Bool) throws {
        let ledger = Ledger()
        let disk = try disk(leavesLog: leavesLog, ledger) { $0.readOnlyFeatures = 2 }
        let before = everything(disk)
        let reader = try Ledger.open(disk.services(entropySeed: 2), readOnly: true)
        #expect(try ledger.look(reader) == ledger.newestPromised)
        let writer = try Ledger.open(disk.services(entropySeed: 3))
        let failure = #expect(throws: StoreError.self) { try writer.beginWrite() }
        #expect(failure?.code == .formatTooNew)
        #expect(failure?.detail == "it uses features that this build can read but not write")
        #expect(failure?.remedy == "use a newer firn")
        #expect(throws: StoreError.self) { _ = try writer.compact() }
        try writer.close()
        #expect(everything(disk) == before, "nothing was recovered or removed either")
    }

    @Test("A required feature that is unknown is an error that names the feature")
    func incompatible() throws {
        let disk = try disk(leavesLog: false, Ledger()) { $0.incompatibleFeatures = 0x28 }
        let before = everything(disk)
        for isReadOnly in [true, false] {
            let failure = #expect(throws: StoreError.self) {
                _ = try Ledger.open(disk.services(entropySeed: 2), readOnly: isReadOnly)
            }
            #expect(failure?.code == .formatTooNew)
            #expect(failure?.detail.contains("bits 28") ?? false)
        }
        #expect(everything(disk) == before)
    }
}
