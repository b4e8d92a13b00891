import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("The record of a transaction")
struct RecordingTests {
    private let store: Store
    private let item: ClassSchema

    init() throws {
        let services = SimulatedFileSystem().services(entropySeed: 3)
        try makeSample("/r.firn", rowCount: 20, services: services)
        store = try Store.open("/r.firn", readOnly: false, services: services)
        item = try store.itemClass()
    }

    private func begin(on base: Snapshot? = nil, isRecording: Bool = true) throws
        -> WriteTransaction
    {
        let base = try base ?? store.snapshot()
        return WriteTransaction(store: store, base: base, isRecording: isRecording) {
            [store] () throws(StoreError) in
            OpenedPages(base: base, writer: try store.pageWriter(for: base.root))
        }
    }

    private func operations(_ transaction: WriteTransaction) throws -> [Operation] {
        try #require(transaction.recorded).decoded()
    }

    @Test("The record has the operations of the caller in order")
    func order() throws {
        let transaction = try begin()
        let name = try #require(item.propertyNamed("name")).id
        let row = try transaction.create(in: item.id, Sample.values(100))
        try transaction.set(name, of: row, in: item.id, to: .string("x"))
        try transaction.delete(RowID(3), in: item.id)
        let key = try #require(item.key)
        let outcome = try transaction.put(
            [(property: key, value: .int(5)), (property: name, value: .string("five"))],
            in: item.id, policy: .update)
        #expect(
            try operations(transaction) == [
                .create(item.id, row, Sample.values(100)),
                .set(item.id, row, name, .string("x")),
                .delete(item.id, RowID(3)),
                .set(item.id, outcome.row, name, .string("five")),
            ])
    }

    @Test("The record omits operations that are refused or change nothing")
    func refusals() throws {
        let transaction = try begin()
        let name = try #require(item.propertyNamed("name")).id
        #expect(throws: StoreError.self) { try transaction.create(in: item.id, Sample.values(4)) }
        #expect(throws: StoreError.self) {
            try transaction.set(name, of: RowID(4), in: item.id, to: .int(1))
        }
        #expect(throws: StoreError.self) {
            try transaction.delete([RowID(1), RowID(999)], in: item.id)
        }
        #expect(throws: StoreError.self) { try transaction.addClass(Sample.definition) }
        #expect(throws: StoreError.self) { try transaction.dropFreeze("absent") }
        try transaction.set(name, of: RowID(1), in: item.id, to: Sample.values(1)[1])
        try transaction.renameClass(item.id, to: item.name)
        #expect(try operations(transaction).isEmpty)
        #expect(!transaction.hasChanges)
        #expect(try transaction.commit() == store.snapshot().version)
    }

    @Test("The record loses the operations of an attempt that failed halfway")
    func attempts() throws {
        let transaction = try begin()
        let name = try #require(item.propertyNamed("name")).id
        try transaction.set(name, of: RowID(1), in: item.id, to: .string("kept"))
        let failure = StoreError(.invalidValue, path: "", detail: "no more")
        #expect(throws: failure) {
            try transaction.atomically { () throws(StoreError) in
                try transaction.create(in: item.id, Sample.values(100))
                try transaction.delete(RowID(2), in: item.id)
                throw failure
            }
        }
        #expect(try operations(transaction) == [.set(item.id, RowID(1), name, .string("kept"))])
        #expect(try transaction.values(of: RowID(2), in: item.id) != nil)
    }

    @Test("Recording ends when a transaction loads rows or fills a property")
    func bulk() throws {
        let loading = try begin()
        try loading.create(in: item.id, Sample.values(100))
        _ = try loading.bulkLoader(for: item.id)
        #expect(loading.recorded == nil && loading.hasPages)
        let filling = try begin()
        let score = try #require(item.propertyNamed("score")).id
        try filling.fill(score, of: item.id) { view in
            Array(repeating: .double(1), count: view.rowCount)
        }
        #expect(filling.recorded == nil && filling.hasChanges)
    }

    @Test("Recording ends when the record grows past its limit")
    func limit() throws {
        var options = StoreOptions()
        options.recordedByteCountMaximum = 500
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 3)
        try makeSample("/l.firn", rowCount: 1, services: services)
        let store = try Store.open("/l.firn", readOnly: false, services: services, options: options)
        let base = try store.snapshot()
        let transaction = WriteTransaction(store: store, base: base, isRecording: true) {
            () throws(StoreError) in
            OpenedPages(base: base, writer: try store.pageWriter(for: base.root))
        }
        for number in 1...100 { try transaction.create(in: item.id, Sample.values(number)) }
        #expect(transaction.recorded == nil && transaction.hasPages)
        #expect(try transaction.snapshot().table(item.id)?.liveRowCount == 101)
    }

    @Test("An impossible record is damage, and the error names the commit")
    func damage() throws {
        var operations = RecordedOperations()
        try operations.append(.delete(item.id, RowID(1)))
        try operations.append(.delete(item.id, RowID(1)))
        let snapshot = try store.snapshot()
        let failure = #expect(throws: StoreError.self) {
            try Replay.apply(operations, to: snapshot, version: LSN(77))
        }
        #expect(failure?.code == .corrupt)
        #expect(failure?.detail.contains("operation 2 of commit 77") == true)
    }

    @Test(
        "The record of a thousand one-row commits makes few groups and keeps older versions unchanged"
    )
    func smallCommits() throws {
        var current = try store.snapshot()
        var older: [(snapshot: Snapshot, contents: [UInt64: [Value]])] = []
        for number in 0..<1000 {
            let transaction = try begin(on: current)
            let row = try transaction.create(in: item.id, Sample.values(1000 + number))
            if number % 3 == 0 {
                try transaction.set(
                    item.properties[1].id, of: RowID(row.rawValue - 1), in: item.id,
                    to: .string("changed"))
            }
            if number % 7 == 0 { try transaction.delete(RowID(row.rawValue - 2), in: item.id) }
            let version = try #require(current.version.next)
            current = try current.with(
                transaction.snapshot().overlay, version: version, chain: current.chain)
            transaction.rollback()
            if number % 250 == 3 { older.append((current, try contents(of: current))) }
        }
        let groups = try #require(current.table(item.id)?.overlay).appended
        // Groups of the sample have at most eight rows.
        #expect(groups.count <= 1000 / 4)
        for (snapshot, before) in older {
            let after = try contents(of: snapshot)
            #expect(after == before)
        }
    }
}
