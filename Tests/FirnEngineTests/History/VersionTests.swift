import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A database of ``Sample`` rows on a simulated disk, and the expected content of each version.
final class VersionFixture {
    static let path = "/versions.firn"
    let disk = SimulatedFileSystem()
    var store: Store
    let options: StoreOptions
    private(set) var contents: [LSN: [UInt64: [Value]]] = [:]

    init(rowCount: Int = 24, _ change: (inout StoreOptions) -> Void = { _ in }) throws {
        var options = StoreOptions()
        options.logging = .never
        change(&options)
        self.options = options
        let services = disk.services(entropySeed: 1)
        try makeSample(Self.path, rowCount: rowCount, services: services)
        store = try Store.open(
            Self.path, readOnly: false, services: services, options: options)
        try note()
    }

    /// Continues as another process.
    func reopen() throws {
        try store.close()
        store = try Store.open(
            Self.path, readOnly: false, services: disk.services(entropySeed: 2), options: options)
    }

    private func note() throws {
        let newest = try store.snapshot()
        contents[newest.version] = try FirnEngineTests.contents(of: newest)
    }

    /// Updates some rows in one commit, or makes another change in it.
    @discardableResult
    func commit(
        rows: Range<Int> = 0..<1, _ other: (WriteTransaction) throws -> Void = { _ in }
    ) throws -> LSN {
        let item = try store.itemClass()
        let score = try #require(item.propertyNamed("score")).id
        let transaction = try store.beginWrite()
        let number = Double(transaction.base.version.rawValue)
        for row in rows {
            try transaction.set(score, of: RowID(UInt64(row)), in: item.id, to: .double(number))
        }
        try other(transaction)
        let version = try transaction.commit()
        try note()
        return version
    }

    func expect(_ version: LSN, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let snapshot = try store.snapshot(at: .number(version))
        #expect(snapshot.version == version, sourceLocation: sourceLocation)
        let found = try FirnEngineTests.contents(of: snapshot)
        #expect(
            found == contents[version], "version \(version.rawValue)",
            sourceLocation: sourceLocation)
    }

    var size: UInt64 {
        get throws { try store.fileStatus().size }
    }
}

@Suite("Older versions")
struct VersionTests {
    private func code(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch { return error as? StoreError }
    }

    @Test("Every older version has its original content", arguments: [false, true])
    func every(reopens: Bool) throws {
        let fixture = try VersionFixture()
        for _ in 0..<30 {
            try fixture.commit()
            if reopens { try fixture.reopen() }
        }
        let versions = try fixture.store.versions()
        #expect(versions.oldest == LSN(1) && versions.newest == LSN(31))
        for version in 1...31 { try fixture.expect(LSN(UInt64(version))) }
        #expect(try fixture.store.snapshot(at: .back(0)).version == LSN(31))
        #expect(try fixture.store.snapshot(at: .back(3)).version == LSN(28))
        try expectSound(fixture.store)
    }

    @Test("Versions are readable within the policy, and the error names the oldest one")
    func reach() throws {
        let fixture = try VersionFixture { $0.history.commitCount = 10 }
        for _ in 0..<40 {
            try fixture.commit()
            try expectSound(fixture.store)
        }
        let oldest = try fixture.store.versions().oldest
        #expect((LSN(31)...LSN(37)).contains(oldest))
        for version in oldest.rawValue...41 { try fixture.expect(LSN(version)) }
        let gone = code {
            _ = try fixture.store.snapshot(at: .number(LSN(oldest.rawValue - 1)))
        }
        #expect(gone?.code == .versionGone)
        #expect(gone?.detail.contains("versions \(oldest.rawValue) to 41 can be read") == true)
        #expect(
            code { _ = try fixture.store.snapshot(at: .number(LSN(42))) }?.code == .versionGone)
        #expect(code { _ = try fixture.store.snapshot(at: .back(99)) }?.code == .versionGone)
    }

    @Test("No versions are kept when the history is off")
    func off() throws {
        let fixture = try VersionFixture { $0.history = .off }
        for _ in 0..<5 { try fixture.commit() }
        let versions = try fixture.store.versions()
        #expect(versions.oldest == versions.newest && versions.historyByteCount == 0)
        let gone = code { _ = try fixture.store.snapshot(at: .back(1)) }
        #expect(gone?.detail.contains("only version 6 can be read") == true)
        try expectSound(fixture.store)
    }

    /// A writer that starts a fresh process for each commit pays neither with blobs nor with the
    /// size of each commit.
    @Test("A thousand small commits make few blobs, and each commit costs the same")
    func manyCommits() throws {
        let count = TestScale.scaled(300)
        let fixture = try VersionFixture { $0.history.commitCount = 200 }
        var sizes: [UInt64] = []
        for _ in 0..<count {
            try fixture.commit()
            try fixture.reopen()
            sizes.append(try fixture.size)
        }
        let root = try fixture.store.snapshot().root.superblock
        let history = try fixture.store.history(of: root)
        #expect(history.chunks.count <= 16, "\(history.chunks.map(\.byteCount))")
        #expect(history.roots.count <= 3)
        #expect(
            sizes[count - 1] <= sizes[count / 2] * 3 / 2, "\(sizes[count / 2]) \(sizes[count - 1])")
        for version in stride(from: root.lsn.rawValue, to: root.lsn.rawValue - 100, by: -9) {
            try fixture.expect(LSN(version))
        }
        try expectSound(fixture.store)
    }

    /// A pin keeps the pages of its root, not all that were created and freed since.
    @Test("A version in use by a reader keeps only its own pages")
    func longReader() throws {
        let fixture = try VersionFixture(rowCount: 400) { $0.history = .off }
        for _ in 0..<5 { try fixture.commit(rows: 0..<400) }
        let before = try fixture.size
        let reader = try Store.open(
            VersionFixture.path, readOnly: true, services: fixture.disk.services(entropySeed: 5))
        let old = try reader.snapshot()
        let expected = try contents(of: old)
        for _ in 0..<TestScale.scaled(150) { try fixture.commit(rows: 0..<400) }
        let after = try fixture.size
        #expect(after <= 3 * before, "\(before) to \(after)")
        #expect(try contents(of: old) == expected)
        try expectSound(fixture.store)
    }

    @Test("Versions keep at most a quarter of the file or 1 MiB of pages")
    func heldPages() throws {
        let fixture = try VersionFixture(rowCount: 30_000)
        let schema = try fixture.store.itemClass()
        for round in 0..<6 {
            let transaction = try fixture.store.beginWrite()
            let name = try #require(schema.propertyNamed("name")).id
            for row in stride(from: round, to: 30_000, by: 9) {
                try transaction.set(
                    name, of: RowID(UInt64(row)), in: schema.id, to: .string("\(round) \(row * 7)"))
            }
            _ = try transaction.commit()
        }
        let accounts = try SpaceUsage(fixture.store, fixture.store.snapshot())
        let limit = HistoryPolicy.heldByteCountMaximum(fileByteCount: try fixture.size)
        #expect(accounts.historyPageByteCount <= limit)
        try expectSound(fixture.store)
    }
}
