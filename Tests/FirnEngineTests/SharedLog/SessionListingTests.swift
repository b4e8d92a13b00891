import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Processes that use a database or keep its space, derived from the locks of the real system.
@Suite("Lists of the sessions of a database")
struct SessionListingTests {
    private let folder = TemporaryFolder()
    private let path: String

    init() throws {
        path = folder("x.firn")
        try makeSample(path, rowCount: 400, services: .real)
    }

    private func open(
        readOnly: Bool = false, logging: StoreOptions.Logging = .never
    ) throws -> Store {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        options.history = .off
        return try Store.open(path, readOnly: readOnly, options: options)
    }

    private func rewrite(_ store: Store) throws {
        let schema = try store.itemClass()
        let name = try #require(schema.propertyNamed("name")).id
        let transaction = try store.beginWrite()
        for row in UInt64(0)..<400 {
            try transaction.set(
                name, of: RowID(row), in: schema.id,
                to: .string("name \(row) after \(transaction.base.version.rawValue)"))
        }
        _ = try transaction.commit()
    }

    @Test("The list shows the activity of each process")
    func sessions() throws {
        let store = try open(logging: .always)
        #expect(try store.sessions().isEmpty)
        let reader = try open(readOnly: true)
        let snapshot = try reader.snapshot()
        let root = snapshot.root.superblock.rootVersion
        let reading = try #require(try store.sessions().first)
        #expect(reading.isThisProcess && reading.pinned == [root])
        #expect(!reading.isAttached && !reading.isWriting && !reading.isCheckpointing)
        try rewrite(store)
        let transaction = try store.beginWrite()
        let writing = try #require(try store.sessions().first)
        #expect(writing.isAttached && writing.isWriting)
        #expect(writing.process?.isStopped == false)
        transaction.rollback()
        #expect(try store.sessions().first?.isWriting == false)
        try store.close()
        withExtendedLifetime(snapshot) {}
    }

    /// A handle keeps the version that it showed last until it is asked for a newer one.
    @Test("An idle handle is named as the holder of the version that it keeps")
    func idleHolder() throws {
        let idle = try open(readOnly: true)
        var snapshot: Snapshot? = try idle.snapshot()
        let store = try open()
        for _ in 0..<3 { try rewrite(store) }
        let report = try store.spaceReport()
        let holder = try #require(
            report.holders.first {
                if case .reader = $0.kind { return true }
                return false
            })
        guard case .reader(_, let process) = holder.kind else { return }
        #expect(process != nil)
        #expect(holder.byteCount > 10_000)
        #expect(snapshot != nil)
        snapshot = nil
        withExtendedLifetime(idle) {}
        try rewrite(store)
        let after = try store.spaceReport()
        #expect(!after.holders.contains(holder))
        #expect(after.heldByteCount < report.heldByteCount)
    }

    @Test(
        "A handle that follows a log keeps its root until the next read, and is listed as its holder"
    )
    func idleFollower() throws {
        let store = try open(logging: .always)
        try rewrite(store)
        let idle = try open()
        _ = try idle.snapshot()
        for _ in 0..<3 {
            try rewrite(store)
            try store.checkpoint()
        }
        let held = try store.spaceReport().holders.contains { holder in
            if case .reader(_, let process?) = holder.kind {
                return process.pid > 0 && holder.byteCount > 0
            }
            return false
        }
        #expect(held)
        _ = try idle.snapshot()
        try rewrite(store)
        try store.checkpoint()
        let report = try store.spaceReport()
        #expect(
            report.liveByteCount + report.freeByteCount + report.heldByteCount
                == report.fileByteCount)
        try store.close()
        try idle.close()
        #expect(folder.names == ["x.firn"])
    }
}
