import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Disks without a free block")
struct FullDiskRemovalTests {
    private static let byteCount = 400_000

    /// Removes some rows one by one and then all others, the first of every three before the rest.
    private func removeAll(_ database: FullDatabase, _ handle: () throws -> Store) throws {
        var rows = try database.rowIDs()
        #expect(rows.count > 1000)
        for row in rows.prefix(150) { try database.remove([row], from: handle()) }
        rows.removeFirst(150)
        let scattered = rows.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        try database.remove(scattered, from: handle())
        #expect(try database.rowIDs() == rows.filter { !Set(scattered).contains($0) })
        try database.remove(Set(rows).subtracting(scattered), from: handle())
        #expect(try database.rowIDs().isEmpty)
    }

    @Test(
        "Separate processes can remove every object on a full disk, and then new objects fit again",
        arguments: [nil, 16])
    func oneShots(recordedByteCountMaximum: Int?) throws {
        let database = try FullDatabase(byteCount: Self.byteCount)
        try removeAll(database) {
            try database.handle(recordedByteCountMaximum: recordedByteCountMaximum)
        }
        // The disk has no more room than before: this is the space of the removed objects.
        for _ in 0..<5 { try database.insert(100, into: database.handle()) }
        #expect(try database.rowIDs().count == 500)
        try expectSound(try database.handle())
        #expect(database.disk.fileNames == [FullDatabase.path])
    }

    @Test(
        "On a full disk, one handle can remove every object, and then new objects fit again",
        arguments: [StoreOptions.Logging.never, .automatic, .always])
    func session(logging: StoreOptions.Logging) throws {
        let database = FullDatabase(on: SimulatedFileSystem())
        try database.make(byteCount: Self.byteCount)
        let store = try database.handle(logging)
        try database.fill { store }
        try removeAll(database) { store }
        try database.insert(100, into: store)
        try store.close()
        #expect(try database.rowIDs().count == 100)
        try expectSound(try database.handle())
        #expect(database.disk.fileNames == [FullDatabase.path])
    }

    @Test("On a full disk, objects can be removed while two processes have the log open")
    func twoProcesses() throws {
        let database = FullDatabase(on: SimulatedFileSystem())
        try database.make(byteCount: Self.byteCount)
        let stores = try (0..<2).map { _ in try database.handle(.always) }
        var turn = 0
        try database.fill {
            turn += 1
            return stores[turn % 2]
        }
        let rows = try database.rowIDs()
        for (index, row) in rows.prefix(40).enumerated() {
            try database.remove([row], from: stores[index % 2])
        }
        #expect(try database.rowIDs() == Array(rows.dropFirst(40)))
        try stores[0].close()
        try removeAll(database) { stores[1] }
        try stores[1].close()
        try expectSound(try database.handle())
        #expect(database.disk.fileNames == [FullDatabase.path])
    }

    @Test("On a full disk, dropping a freeze also frees the data that only the freeze kept")
    func freeze() throws {
        let database = try FullDatabase(byteCount: Self.byteCount, freeze: "old")
        let rows = try database.rowIDs()
        do {
            // It keeps its first root, as every reader does.
            let transaction = try database.handle().beginWrite()
            try transaction.dropFreeze("old")
            _ = try transaction.commit()
        }
        #expect(try database.handle().versions().freezes.isEmpty)
        #expect(try database.rowIDs() == rows)
        try database.remove(rows.dropFirst(10), from: database.handle())
        #expect(try database.rowIDs() == Array(rows.prefix(10)))
        try database.handle().compactFile(CompactionOptions())
        #expect(try database.handle().fileStatus().size < UInt64(Self.byteCount) / 2)
        try database.insert(100, into: database.handle())
        try expectSound(try database.handle())
    }

    @Test("Compaction after deletions returns space to a full disk")
    func compaction() throws {
        let database = try FullDatabase(byteCount: Self.byteCount)
        let before = try database.handle().fileStatus().size
        let rows = try database.rowIDs()
        try database.remove(rows.dropFirst(50), from: database.handle())
        try database.handle().compactFile(CompactionOptions())
        #expect(try database.handle().fileStatus().size < before / 2)
        #expect(try database.rowIDs() == Array(rows.prefix(50)))
        try database.insert(300, into: database.handle())
        try expectSound(try database.handle())
    }

    @Test("On a full disk, everything except removal is refused with a remedy")
    func others() throws {
        let database = try FullDatabase(byteCount: Self.byteCount)
        let rows = try database.rowIDs()
        let store = try database.handle()
        let transaction = try store.beginWrite()
        let schema = try store.itemClass()
        try transaction.delete(RowID(rows[0]), in: schema.id)
        for number in 200_000..<202_000 {
            try transaction.create(in: schema.id, Sample.values(number))
        }
        let error = #expect(throws: StoreError.self) { try transaction.commit() }
        #expect(error?.code == .diskFull)
        #expect(
            database.remedies.contains("make room on the disk, or delete objects, and try again"))
        #expect(try database.rowIDs() == rows)
    }

    @Test("On a file system without reserves, nothing is lost")
    func withoutReserve() throws {
        let disk = SimulatedFileSystem()
        disk.setCanReserve(false)
        let database = try FullDatabase(on: disk, byteCount: Self.byteCount)
        let rows = try database.rowIDs()
        let error = #expect(throws: StoreError.self) {
            try database.tryToRemove(
                rows.enumerated().filter { $0.offset % 2 == 0 }.map(\.element),
                from: database.handle())
        }
        #expect(error?.code == .diskFull)
        #expect(try database.rowIDs() == rows)
        disk.setCapacity(nil)
        try removeAll(database) { try database.handle() }
        try expectSound(try database.handle())
    }
}
