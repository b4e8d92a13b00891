import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A log whose processes died, in an environment that has changed.
@Suite("Logs left behind")
struct LeftLogTests {
    private func leave(_ ledger: Ledger) throws -> SimulatedFileSystem {
        let disk = try Ledger.disk()
        let dead = disk.anotherProcess()
        let store = try Ledger.open(dead.services(entropySeed: 1))
        for number in 100..<105 { try ledger.commit(number, to: store) }
        dead.kill()
        return disk
    }

    @Test("A log on read-only media is read, and nothing is changed")
    func readOnlyMedia() throws {
        let ledger = Ledger()
        let disk = try leave(ledger)
        let names = disk.fileNames
        let bytes = names.map { disk.contents(of: $0) }
        disk.setReadOnly(true)
        let reader = try Ledger.open(disk.services(entropySeed: 2), readOnly: true)
        #expect(try ledger.look(reader) == ledger.newestPromised)
        let failure = #expect(throws: StoreError.self) {
            _ = try Ledger.open(disk.services(entropySeed: 3))
        }
        #expect(failure?.code == .readOnly || failure?.code == .permissionDenied)
        try reader.close()
        #expect(disk.fileNames == names && names.map { disk.contents(of: $0) } == bytes)
        disk.setReadOnly(false)
        try ledger.checkEnd(disk, isAtRest: false)
    }

    @Test("A log in use without its shared memory is an error for others, and nothing is lost")
    func memoryGone() throws {
        let ledger = Ledger()
        let disk = try Ledger.disk()
        let first = try Ledger.open(disk.anotherProcess().services(entropySeed: 1))
        for number in 100..<103 { try ledger.commit(number, to: first) }
        let memory = Ledger.path + "-shm"
        try disk.remove(memory)
        let second = try Ledger.open(disk.anotherProcess().services(entropySeed: 2))
        let failure = #expect(throws: StoreError.self) { try second.beginWrite() }
        #expect(failure?.code == .inputOutput && failure?.path == memory)
        #expect(
            failure?.detail
                == "the shared memory of the log is missing or damaged, while other processes use it"
        )
        #expect(failure?.remedy?.contains("firn stats") ?? false)
        // The process that has it open continues, and ends the log.
        for number in 103..<106 { try ledger.commit(number, to: first) }
        try first.close()
        try ledger.commit(106, to: second)
        try second.close()
        try ledger.checkEnd(disk, isAtRest: true)
    }
}
