import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Bulk loads")
struct BulkLoadTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("items.firn") }

    private func fill(_ loader: BulkLoader, _ numbers: Range<Int>) throws {
        for number in numbers {
            for (column, value) in zip(loader.columns, Sample.values(number)) {
                try column.append(value)
            }
            try loader.endRow()
        }
    }

    /// The groups became part of the transaction before their keys were compared, so that a caller
    /// that committed in spite of the error had a duplicate key.
    @Test("A bulk load with a duplicate key can never be committed")
    func duplicate() throws {
        try makeSample(path, rowCount: 10, services: .real)
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: try store.itemClass().id)
        try fill(loader, 5..<12)
        #expect(throws: StoreError.self) { try loader.finish() }
        #expect(throws: StoreError.self) { try transaction.commit() }
        #expect(try store.contents().count == 10)
        _ = try store.beginWrite(waitNanoseconds: 0)
    }

    /// The loader kept the list of free space of its transaction, and overwrote the pages of the
    /// next writer.
    @Test("A bulk load writes nothing after its transaction has ended")
    func late() throws {
        try makeSample(path, rowCount: 10, services: .real)
        let store = try Store.open(path, readOnly: false)
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: schema.id)
        transaction.rollback()
        let next = try store.beginWrite()
        let other = try next.bulkLoader(for: schema.id)
        try fill(other, 100..<140)
        try other.finish()
        _ = try next.commit()
        #expect(throws: StoreError.self) { try fill(loader, 200..<240) }
        #expect(throws: StoreError.self) { try loader.finish() }
        try expectSound(try Store.open(path, readOnly: true))
    }

    /// Its groups would have stayed in the file as space that is neither used nor free.
    @Test("A bulk load that is not finished cannot be committed")
    func unfinished() throws {
        try makeSample(path, rowCount: 10, services: .real)
        let store = try Store.open(path, readOnly: false)
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: schema.id)
        #expect(throws: StoreError.self) { _ = try transaction.bulkLoader(for: schema.id) }
        try fill(loader, 100..<140)
        #expect(throws: StoreError.self) { try transaction.commit() }
        try expectSound(store)
    }

    @Test("A bulk load of records that lack a value leaves no damage")
    func unevenColumns() throws {
        try makeSample(path, rowCount: 10, services: .real)
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: try store.itemClass().id)
        loader.columns[0].append(int: 77)
        try loader.endRow()
        let error = #expect(throws: StoreError.self) { try loader.finish() }
        #expect(error?.code == .missingValue)
        #expect(try store.contents().count == 10)
    }

    @Test("Rows encoded by other threads belong to the same load and its row groups")
    func parts() throws {
        try makeSample(path, rowCount: 10, services: .real)
        let store = try Store.open(path, readOnly: false)
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: schema.id)
        let makeRows = loader.rowMaker
        try fill(loader, 100..<107)
        let work = OrderedWork(threadCount: 3) { (numbers: Range<Int>) in
            Result {
                let rows = makeRows()
                rows.begin(at: RowID(UInt64(numbers.lowerBound - 90)))
                for number in numbers {
                    for (column, value) in zip(rows.columns, Sample.values(number)) {
                        try column.append(value)
                    }
                    try rows.endRow()
                }
                return try rows.finish()
            }
        }
        for start in stride(from: 107, to: 307, by: 50) { work.add(start..<start + 50) }
        while let rows = work.takeNext() { try loader.append(try rows.get()) }
        try fill(loader, 307..<310)
        try loader.finish()
        _ = try transaction.commit()
        let expected = Array(0..<10) + Array(100..<310)
        let contents = try store.contents()
        #expect(contents.count == expected.count)
        for (row, number) in expected.enumerated() {
            #expect(contents[UInt64(row)] == Sample.values(number))
        }
        try expectSound(store)
    }

    @Test("A row from another thread that lacks a value is an error, and the load leaves no damage")
    func unevenPart() throws {
        try makeSample(path, rowCount: 10, services: .real)
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: try store.itemClass().id)
        let rows = loader.rowMaker()
        rows.begin(at: loader.nextRowID)
        rows.columns[0].append(int: 77)
        try rows.endRow()
        let error = #expect(throws: StoreError.self) { try rows.finish() }
        #expect(error?.code == .missingValue)
        transaction.rollback()
        try expectSound(store)
    }
}
