import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@Suite("Stores")
struct StoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("items.firn") }

    @Test(
        "A store returns what was stored after it is closed and opened again",
        arguments: [0, 1, 7, 8, 9, 100])
    func roundTrip(rowCount: Int) throws {
        try makeSample(path, rowCount: rowCount, services: .real)
        let store = try Store.open(path, readOnly: true)
        let rows = try store.contents()
        #expect(rows.count == rowCount)
        for number in 0..<rowCount { #expect(rows[UInt64(number)] == Sample.values(number)) }
        #expect(try store.snapshot().version == LSN(1))
        try expectSound(store)
    }

    @Test("A closed store leaves one file and no temporary one")
    func oneFile() throws {
        try makeSample(path, rowCount: 20, services: .real)
        #expect(folder.names == ["items.firn"])
    }

    @Test(
        "Creation refuses an existing file and does not touch it", .tags(.security))
    func existing() throws {
        try makeSample(path, rowCount: 3, services: .real)
        #expect(throws: StoreError.self) { try makeSample(path, rowCount: 9, services: .real) }
        #expect(try Store.open(path, readOnly: true).contents().count == 3)
        #expect(folder.names == ["items.firn"])
    }

    @Test("A cancelled creation removes its temporary file")
    func abandoned() throws {
        do {
            let creation = try Store.create(path)
            let transaction = try creation.store.beginWrite()
            try transaction.addClass(Sample.definition)
        }
        #expect(folder.names.isEmpty)
    }

    @Test("Before the commit, only the transaction itself sees its changes")
    func ownChanges() throws {
        try makeSample(path, rowCount: 20, services: .real)
        let store = try Store.open(path, readOnly: false)
        let schema = try store.itemClass()
        let name = try #require(schema.propertyNamed("name")).id
        let transaction = try store.beginWrite()
        let row = try transaction.create(in: schema.id, Sample.values(20))
        try transaction.set(name, of: row, in: schema.id, to: .string("new"))
        try transaction.set(name, of: RowID(3), in: schema.id, to: .string("changed"))
        try transaction.delete(RowID(5), in: schema.id)
        let seen = try contents(of: try transaction.snapshot())
        #expect(seen.count == 20)
        #expect(seen[20]?[1] == .string("new"))
        #expect(seen[3]?[1] == .string("changed"))
        #expect(seen[5] == nil)
        #expect(try store.contents()[3] == Sample.values(3))
        #expect(try transaction.commit() == LSN(2))
        #expect(try store.contents() == seen)
        try expectSound(store)
    }

    @Test("A transaction that is rolled back or dropped has no effect")
    func rollback() throws {
        try makeSample(path, rowCount: 20, services: .real)
        let store = try Store.open(path, readOnly: false)
        let before = try store.contents()
        let schema = try store.itemClass()
        do {
            let transaction = try store.beginWrite()
            try transaction.delete(RowID(1), in: schema.id)
        }
        let transaction = try store.beginWrite()
        try transaction.delete(RowID(2), in: schema.id)
        transaction.rollback()
        #expect(try store.contents() == before)
        #expect(throws: StoreError.self) { try transaction.commit() }
        #expect(try store.snapshot().version == LSN(1))
    }

    @Test("A snapshot keeps its content while later commits reuse space")
    func snapshotIsolation() throws {
        try makeSample(path, rowCount: 64, services: .real)
        let store = try Store.open(path, readOnly: false)
        let other = try Store.open(path, readOnly: true)
        let schema = try store.itemClass()
        let score = try #require(schema.propertyNamed("score")).id
        let here = try store.snapshot()
        let there = try other.snapshot()
        let before = try contents(of: here)
        for round in 0..<12 {
            let transaction = try store.beginWrite()
            for row in 0..<64 {
                try transaction.set(
                    score, of: RowID(UInt64(row)), in: schema.id, to: .double(Double(round)))
            }
            _ = try transaction.commit()
            // A fresh store has an empty cache: it reads what is on disk.
            #expect(try contents(of: there) == before)
        }
        #expect(try contents(of: here) == before)
        #expect(try store.contents().values.allSatisfy { $0[2] == .double(11) })
        try expectSound(store)
    }

    @Test("Updates reuse the space of old versions, so that the file does not grow")
    func boundedSize() throws {
        try makeSample(path, rowCount: 64, services: .real)
        // The history keeps commits, by design: with it the file grows up to its limit.
        var options = StoreOptions()
        options.history = .off
        let store = try Store.open(path, readOnly: false, options: options)
        let schema = try store.itemClass()
        let score = try #require(schema.propertyNamed("score")).id
        var sizes: [UInt64] = []
        for round in 0..<40 {
            let transaction = try store.beginWrite()
            for row in 0..<64 {
                try transaction.set(
                    score, of: RowID(UInt64(row)), in: schema.id, to: .double(Double(round)))
            }
            _ = try transaction.commit()
            sizes.append(try store.fileStatus().size)
        }
        #expect(sizes[39] == sizes[10])
        try expectSound(store)
    }

    @Test("Only one writer gets in at a time, within a process and among several")
    func oneWriter() throws {
        try makeSample(path, rowCount: 1, services: .real)
        let store = try Store.open(path, readOnly: false)
        let other = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        for contender in [store, other] {
            let error = #expect(throws: StoreError.self) {
                _ = try contender.beginWrite(waitNanoseconds: 0)
            }
            #expect(error?.code == .lockHeld)
        }
        transaction.rollback()
        _ = try other.beginWrite(waitNanoseconds: 0)
    }

    /// A commit into a file without a name is acknowledged, and is gone when the file is closed.
    @Test("A store accepts no commit after its file was removed or replaced", .tags(.security))
    func removed() throws {
        let files = SystemServices.real.files
        for replacing in [false, true] {
            try makeSample(path, rowCount: 1, services: .real)
            let store = try Store.open(path, readOnly: false)
            if replacing {
                try makeSample(folder("other.firn"), rowCount: 2, services: .real)
                try files.rename(folder("other.firn"), to: path, replacing: true)
            } else {
                try files.remove(path)
            }
            let error = #expect(throws: StoreError.self) { _ = try store.beginWrite() }
            #expect(error?.code == .missing)
            #expect(try store.contents().count == 1, "reading goes on")
        }
    }

    @Test(
        "Invalid file names are refused", arguments: ["", "new/", "no/a.firn"])
    func impossibleNames(name: String) throws {
        let path = name.isEmpty ? "" : folder(name)
        let error = #expect(throws: StoreError.self) { _ = try Store.create(path) }
        #expect(error?.code == .missing)
        #expect(error?.path == path)
        #expect(folder.names.isEmpty)
    }

    /// Without a commit the header was never synced, and a crash left an empty file of that name.
    @Test("A published store survives a power loss even without a commit")
    func emptyCreation() throws {
        let disk = SimulatedFileSystem()
        try Store.create("/e.firn", services: disk.services(entropySeed: 1)).publish()
        let image = disk.powerLossImage(.nothingSurvives)
        let store = try Store.open(
            "/e.firn", readOnly: true, services: image.services(entropySeed: 2))
        #expect(try store.snapshot().version == .zero)
        try expectSound(store)
    }

    @Test("A handle opened for reading refuses to write")
    func readOnly() throws {
        try makeSample(path, rowCount: 1, services: .real)
        let error = #expect(throws: StoreError.self) {
            _ = try Store.open(path, readOnly: true).beginWrite()
        }
        #expect(error?.code == .readOnly)
    }
}
