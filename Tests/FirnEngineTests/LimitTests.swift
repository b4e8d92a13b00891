import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("The limits of the format")
struct LimitTests {
    private static let path = "/limits.firn"

    /// Groups of 32 KiB instead of 32 MiB.
    private static var options: StoreOptions {
        var options = StoreOptions()
        options.bytesPerGroup = 32 * 1024
        return options
    }

    private static func definition(_ name: String, _ count: Int) -> ClassDefinition {
        // 240 bytes each, all different.
        let padding = String(repeating: "\u{E9}", count: 117)
        return ClassDefinition(
            name: name,
            properties: (0..<count).map {
                .init(name: "\(padding)\(100_000 + $0)", type: PropertyType(.int))
            })
    }

    /// The catalog was written whatever its size, although readers accept at most 64 MiB: the
    /// commit succeeded and the database could not be opened again.
    @Test("A catalog that would be too large to read is refused")
    func catalog() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.services(entropySeed: 1).files.open("/w", .createNew)
        var writer = PageWriter(
            file: file, fileID: UUID(high: 1, low: 2), level: .fast,
            space: SpaceAllocator(
                freeSpace: FreeSpace(), endUnit: 32, building: RootVersion(3),
                retained: RetainedRoots(),
                bookkeeping: RetainedRoots()))
        let error = #expect(throws: StoreError.self) {
            _ = try writer.write(blob: Array(repeating: 7, count: Blob.maximumRawByteCount + 1))
        }
        #expect(error?.code == .limitExceeded)
    }

    /// Only texts were counted: a class of many numbers took gigabytes before its first group was
    /// written.
    @Test("A group of very many columns is closed at its byte limit")
    func wide() throws {
        let disk = SimulatedFileSystem()
        let creation = try Store.create(
            LimitTests.path, services: disk.services(entropySeed: 1),
            options: LimitTests.options)
        let transaction = try creation.store.beginWrite()
        let schema = try transaction.addClass(LimitTests.definition("Wide", 100))
        let loader = try transaction.bulkLoader(for: schema.id)
        let rowCount = LimitTests.options.bytesPerGroup / 800 + 2
        for number in 0..<rowCount {
            for column in loader.columns { column.append(int: Int64(number)) }
            try loader.endRow()
        }
        try loader.finish()
        let table = try #require(try transaction.snapshot().table(schema.id))
        #expect(try table.rowGroups().count == 2)
        transaction.rollback()
    }

    /// A group closed by its bytes has few rows, and each small commit once merged and rewrote all
    /// of them up to the start of the leaf.
    @Test("Small commits do not rewrite groups of long strings")
    func longTexts() throws {
        let disk = SimulatedFileSystem()
        let creation = try Store.create(
            LimitTests.path, services: disk.services(entropySeed: 1), options: LimitTests.options)
        let store = creation.store
        var schema: ClassSchema?
        let text = String(repeating: "x", count: 17 << 10)
        for round in 0..<2 {
            let transaction = try store.beginWrite()
            let known =
                try schema
                ?? transaction.addClass(
                    ClassDefinition(
                        name: "Text", properties: [.init(name: "t", type: PropertyType(.string))]))
            schema = known
            try transaction.create(in: known.id, [.string("\(round) \(text)")])
            let before = try transaction.base.table(known.id)?.directory.groups() ?? []
            _ = try transaction.commit()
            let after = try #require(try store.snapshot().table(known.id)).directory.groups()
            #expect(after.count == round + 1)
            #expect(Array(after.prefix(before.count)) == before, "the same pages")
        }
        let transaction = try store.beginWrite()
        let id = try #require(schema).id
        let huge = String(repeating: "y", count: WriteTransaction.textByteCountMaximum + 1)
        let error = #expect(throws: StoreError.self) {
            try transaction.create(in: id, [.string(huge)])
        }
        #expect(error?.code == .limitExceeded)
        transaction.rollback()
    }

    @Test("Row ids run out before their sums overflow")
    func rowIDs() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample(LimitTests.path, rowCount: 3, services: services)
        let store = try Store.open(LimitTests.path, readOnly: false, services: services)
        let id = try store.itemClass().id
        func begin() throws -> WriteTransaction {
            let transaction = try store.beginWrite()
            var record = try transaction.record(id)
            record.nextRowID = RowID(RowID.limit.rawValue - 1)
            transaction.overlay.catalog[id] = record
            return transaction
        }
        let loading = try begin()
        let loader = try loading.bulkLoader(for: id)
        var error: StoreError?
        do {
            for number in 10..<12 {
                for (column, value) in zip(loader.columns, Sample.values(number)) {
                    try column.append(value)
                }
                try loader.endRow()
            }
        } catch let failure as StoreError { error = failure }
        #expect(error?.code == .limitExceeded)
        let transaction = try begin()
        let row = try transaction.create(in: id, Sample.values(10))
        #expect(throws: StoreError.self) { try transaction.create(in: id, Sample.values(11)) }
        _ = try transaction.commit()
        #expect(try store.contents()[row.rawValue] == Sample.values(10))
        try expectSound(store)
    }
}
