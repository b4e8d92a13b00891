import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Memory cannot be shared with another machine; byte-range locks can.
@Suite("Databases on network volumes")
struct NetworkVolumeTests {
    @Test("Commits to a network volume have no log and one writer at a time, and readers see them")
    func commits() throws {
        let disk = try Ledger.disk()
        disk.setVolume(.network)
        let ledger = Ledger()
        let stores = try (1...2).map {
            try Ledger.open(disk.anotherProcess().services(entropySeed: $0), logging: .automatic)
        }
        let reader = try Ledger.open(disk.anotherProcess().services(), readOnly: true)
        for number in 100..<112 {
            try ledger.commit(number, to: stores[number % 2])
            #expect(try ledger.look(reader) == ledger.newestPromised)
            #expect(disk.fileNames == [Ledger.path], "nothing that only this machine could use")
        }
        let transaction = try stores[0].beginWrite()
        let failure = #expect(throws: StoreError.self) {
            try stores[1].beginWrite(waitNanoseconds: 0)
        }
        #expect(failure?.code == .lockHeld)
        transaction.rollback()
        for store in stores { try store.close() }
        disk.setVolume(.local)
        try ledger.checkEnd(disk, isAtRest: true)
    }

    @Test("Waiting for commits on a network volume polls the file")
    func waiting() throws {
        let disk = try Ledger.disk()
        disk.setVolume(.network)
        let ledger = Ledger()
        let store = try Ledger.open(
            disk.anotherProcess().services(entropySeed: 1), logging: .automatic)
        let reader = try Ledger.open(disk.anotherProcess().services(), readOnly: true)
        let known = try ledger.look(reader)
        var looks = 0
        let newest = try reader.waitForVersion(after: known, nanoseconds: .max) {
            looks += 1
            if looks == 3 { try? ledger.commit(100, to: store) }
            return looks < 100
        }
        #expect(newest > known && looks == 3)
        #expect(disk.fileNames == [Ledger.path])
        try store.close()
    }

    /// The log was made on the machine with the disk, and its process died.
    @Test("A log on a network volume that no process has open is recovered into one file")
    func leftLog() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let dead = disk.anotherProcess()
        let store = try Ledger.open(dead.services(entropySeed: 1))
        for number in 100..<104 { try ledger.commit(number, to: store) }
        dead.kill()
        disk.setVolume(.network)
        let reader = try Ledger.open(disk.anotherProcess().services(), readOnly: true)
        #expect(try ledger.look(reader) == ledger.newestPromised)
        let next = try Ledger.open(
            disk.anotherProcess().services(entropySeed: 2), logging: .automatic)
        try ledger.commit(104, to: next)
        try next.close()
        disk.setVolume(.local)
        try ledger.checkEnd(disk, isAtRest: true)
    }
}
