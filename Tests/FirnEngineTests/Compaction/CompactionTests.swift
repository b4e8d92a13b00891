import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Compaction in place")
struct CompactionTests {
    @Test(
        "Compaction makes the file nearly as small as a copy and keeps its content",
        arguments: TestScale.seeds(4))
    func afterDeleting(seed: UInt64) throws {
        var fixture = try CompactionFixture(rowCount: 8000, seed: seed, rowsPerGroup: 128)
        let inode = try fixture.store.fileStatus().identity
        try fixture.delete(percent: seed % 2 == 0 ? 90 : 20, commits: seed < 2 ? 1 : 4)
        let before = try CompactionFixture.contents(of: fixture.store.snapshot())
        let version = try fixture.store.snapshot().version
        let start = try fixture.byteCount
        let peak = Guarded(start)
        fixture.disk.beforeEachOperation { operation in
            guard operation.kind == .write else { return }
            peak.withLock { $0 = max($0, operation.offset + UInt64(operation.count)) }
        }
        let options = CompactionFixture.options()
        try fixture.store.compactFile(options)
        fixture.disk.beforeEachOperation(nil)
        let copied = try fixture.copiedByteCount()
        let end = try fixture.byteCount
        #expect(Double(end) <= 1.15 * Double(copied), "\(start) to \(end), a copy has \(copied)")
        #expect(
            peak.withLock { $0 } <= start + start / 10 + 2 * UInt64(options.stepByteCount))
        #expect(try CompactionFixture.contents(of: fixture.store.snapshot()) == before)
        #expect(try fixture.store.snapshot().version == version)
        #expect(try fixture.store.fileStatus().identity == inode)
        try expectSound(fixture.store)
        #expect(
            try fixture.store.fileStatus().size
                == fixture.store.snapshot().root.superblock.fileByteCount)
    }

    @Test(
        "Compaction leaves every snapshot unchanged while others write between the steps",
        arguments: TestScale.seeds(3))
    func amongOthers(seed: UInt64) throws {
        var fixture = try CompactionFixture(rowCount: 1200, seed: seed)
        try fixture.delete(percent: 70)
        var snapshots = [try fixture.store.snapshot()]
        var contents = [try CompactionFixture.contents(of: snapshots[0])]
        let services = fixture.disk.services(entropySeed: seed + 50)
        // This includes readers and writers of other processes.
        let other = try Store.open(CompactionFixture.path, readOnly: true, services: services)
        var failure: (any Error)?
        var stepCount = 0
        try fixture.store.compactFile(CompactionFixture.options()) { _ in
            stepCount += 1
            do {
                if stepCount % 3 == 0 { try fixture.edit() }
                if stepCount % 4 == 0 {
                    let snapshot = try (stepCount % 8 == 0 ? other : fixture.store).snapshot()
                    snapshots.append(snapshot)
                    contents.append(try CompactionFixture.contents(of: snapshot))
                }
                if snapshots.count > 5 {
                    let old = Int(fixture.generator.next() % 5)
                    #expect(
                        try CompactionFixture.contents(of: snapshots[old]) == contents[old],
                        "seed \(seed), step \(stepCount)")
                    snapshots.remove(at: old)
                    contents.remove(at: old)
                }
            } catch {
                failure = error
                return false
            }
            return true
        }
        if let failure { throw failure }
        #expect(stepCount > 8)
        for (snapshot, wanted) in zip(snapshots, contents) {
            #expect(try CompactionFixture.contents(of: snapshot) == wanted, "seed \(seed)")
        }
        try expectSound(fixture.store)
    }

    @Test(
        "Compaction in the middle of a random history changes nothing",
        arguments: TestScale.seeds(6))
    func randomHistories(seed: UInt64) throws {
        let history = try ObjectHistory(seed: seed, population: seed % 3 == 0 ? 120 : 25)
        let options = CompactionFixture.options(stepByteCount: seed % 2 == 0 ? 4096 : 1 << 20)
        do {
            for round in 1...3 {
                try history.run(
                    operations: round * 150, perTransaction: seed % 2 == 0 ? 40 : 150)
                try history.store.compactFile(options)
                try history.model.compare(
                    with: history.store.snapshot(), &history.generator, what: "compacted")
                // The verifier examines pages, so the log is folded first.
                try history.store.checkpoint()
                try history.model.compare(
                    with: history.store.snapshot(), &history.generator, what: "and folded")
                try expectSound(history.store)
            }
        } catch {
            Issue.record("seed \(seed): \(error)\n\(history.log.joined(separator: "\n"))")
        }
    }

    @Test("A cancelled compaction keeps its progress and can be continued later")
    func ended() throws {
        var fixture = try CompactionFixture(rowCount: 1500)
        try fixture.delete(percent: 90)
        let before = try CompactionFixture.contents(of: fixture.store.snapshot())
        for stepCountMax in [1, 2, 5] {
            var stepCount = 0
            try fixture.store.compactFile(CompactionFixture.options()) { _ in
                stepCount += 1
                return stepCount < stepCountMax
            }
            #expect(stepCount == stepCountMax)
            #expect(try CompactionFixture.contents(of: fixture.store.snapshot()) == before)
            try expectSound(fixture.store)
        }
        try fixture.store.compactFile(CompactionFixture.options())
        #expect(Double(try fixture.byteCount) <= 1.15 * Double(try fixture.copiedByteCount()))
    }

    @Test("Compaction keeps the version of a reader until the reader ends")
    func pinned() throws {
        var fixture = try CompactionFixture(rowCount: 2000)
        let start = try fixture.byteCount
        let services = fixture.disk.anotherProcess().services(entropySeed: 9)
        var reader: Store? = try Store.open(
            CompactionFixture.path, readOnly: true, services: services)
        var old = try reader?.snapshot()
        let contents = try CompactionFixture.contents(of: #require(old))
        try fixture.delete(percent: 90)
        let options = CompactionFixture.options()
        try fixture.store.compactFile(options)
        #expect(
            try fixture.byteCount <= start + start / 2,
            "what cannot be used again must not make the file grow without bound")
        #expect(try CompactionFixture.contents(of: #require(old)) == contents)
        try expectSound(fixture.store)
        old = nil
        reader = nil
        try fixture.store.compactFile(options)
        #expect(Double(try fixture.byteCount) <= 1.15 * Double(try fixture.copiedByteCount()))
        try expectSound(fixture.store)
    }

    /// A compaction shrank the live data of a frozen database of 6.2 MiB well and made a file of
    /// 12.2 MiB: the old pages stayed for the freeze, in addition to the new ones.
    @Test(
        "Compaction does not move pages that a freeze keeps", arguments: [0, 10, 60] as [UInt64])
    func frozen(percent: UInt64) throws {
        var fixture = try CompactionFixture(rowCount: 3000, rowsPerGroup: 128)
        try fixture.write { transaction in try transaction.freeze(name: "kept") }
        let kept = try CompactionFixture.contents(of: fixture.store.snapshot(at: .freeze("kept")))
        if percent > 0 { try fixture.delete(percent: percent) }
        for _ in 0..<3 { try fixture.edit() }
        let start = try fixture.byteCount
        let before = try CompactionFixture.contents(of: fixture.store.snapshot())
        try fixture.store.compactFile(CompactionFixture.options())
        #expect(try fixture.byteCount <= start)
        #expect(try CompactionFixture.contents(of: fixture.store.snapshot()) == before)
        #expect(
            try CompactionFixture.contents(of: fixture.store.snapshot(at: .freeze("kept"))) == kept)
        try expectSound(fixture.store)
        try fixture.write { transaction in try transaction.dropFreeze("kept") }
        try fixture.store.compactFile(CompactionFixture.options())
        #expect(Double(try fixture.byteCount) <= 1.15 * Double(try fixture.copiedByteCount()))
        try expectSound(fixture.store)
    }

    /// A freeze of an older version was only in the log; a compaction looked for freezes in the
    /// root, and dropped the version.
    @Test("Compaction keeps an older version whose freeze is only in the log")
    func frozenInLog() throws {
        var fixture = try CompactionFixture(rowCount: 1500)
        let version = try fixture.store.snapshot().version
        let kept = try CompactionFixture.contents(of: fixture.store.snapshot())
        try fixture.delete(percent: 60)
        fixture.store = try Store.open(
            CompactionFixture.path, readOnly: false, services: fixture.disk.services(entropySeed: 4)
        )
        for _ in 0..<4 { try fixture.edit() }
        try fixture.write { transaction in
            try transaction.freeze(name: "old", at: .number(version))
        }
        #expect(try fixture.store.snapshot().withoutOverlay.freezes().isEmpty, "it is in the log")
        try fixture.store.compactFile(CompactionFixture.options())
        #expect(
            try CompactionFixture.contents(of: fixture.store.snapshot(at: .freeze("old"))) == kept)
        try fixture.store.checkpoint()
        #expect(
            try CompactionFixture.contents(of: fixture.store.snapshot(at: .freeze("old"))) == kept)
        try expectSound(fixture.store)
    }

    @Test("Compaction leaves commits in the log and runs concurrently with new commits")
    func withLog() throws {
        var fixture = try CompactionFixture(rowCount: 1500)
        try fixture.delete(percent: 80)
        fixture.store = try Store.open(
            CompactionFixture.path, readOnly: false, services: fixture.disk.services(entropySeed: 4)
        )
        for _ in 0..<6 { try fixture.edit() }
        let version = try fixture.store.snapshot().version
        #expect(try fixture.store.snapshot().root.superblock.lsn < version, "there is a log")
        let before = try CompactionFixture.contents(of: fixture.store.snapshot())
        var stepCount = 0
        try fixture.store.compactFile(CompactionFixture.options()) { _ in
            stepCount += 1
            return true
        }
        #expect(stepCount > 5)
        #expect(try CompactionFixture.contents(of: fixture.store.snapshot()) == before)
        #expect(try fixture.store.snapshot().version == version)
        try fixture.edit()
        let after = try CompactionFixture.contents(of: fixture.store.snapshot())
        try fixture.store.close()
        let reopened = try Store.open(
            CompactionFixture.path, readOnly: true, services: fixture.disk.services(entropySeed: 6))
        #expect(try CompactionFixture.contents(of: reopened.snapshot()) == after)
        try expectSound(reopened)
    }

    @Test("Compaction names a reader that keeps deleted data")
    func report() throws {
        var fixture = try CompactionFixture(rowCount: 1500)
        let services = fixture.disk.anotherProcess().services(entropySeed: 9)
        let reader = try Store.open(CompactionFixture.path, readOnly: true, services: services)
        let old = try reader.snapshot()
        try fixture.delete(percent: 90)
        let report = try fixture.store.compact(CompactionFixture.options())
        #expect(report.version == (try fixture.store.snapshot().version))
        let readers = report.after.holders.filter { holder in
            if case .reader = holder.kind { holder.byteCount > 50_000 } else { false }
        }
        #expect(readers.count == 1)
        #expect(old.version < report.version)
    }

    @Test("Only one compaction runs at a time")
    func oneAtATime() throws {
        var fixture = try CompactionFixture(rowCount: 600)
        try fixture.delete(percent: 90)
        let other = try Store.open(
            CompactionFixture.path, readOnly: false,
            services: fixture.disk.anotherProcess().services(entropySeed: 9),
            options: CompactionFixture.storeOptions())
        var refusals = 0
        try fixture.store.compactFile(CompactionFixture.options()) { _ in
            for store in [fixture.store, other] {
                let error = #expect(throws: StoreError.self) {
                    try store.compactFile(CompactionFixture.options())
                }
                #expect(error?.code == .lockHeld)
                #expect(error?.detail.contains("another compaction") == true)
                refusals += 1
            }
            return true
        }
        #expect(refusals > 2)
        try other.compactFile(CompactionFixture.options())
    }

    @Test(
        "Compaction of a database without rows only drops its history, and readers may not run it"
    )
    func empty() throws {
        let fixture = try CompactionFixture(rowCount: 0)
        try fixture.store.compactFile(CompactionOptions())
        let root = try fixture.store.snapshot().root.superblock
        let history = try fixture.store.history(of: root)
        #expect(history.roots.isEmpty && history.chunks.isEmpty)
        try fixture.store.compactFile(CompactionOptions())
        #expect(try fixture.store.snapshot().root.superblock == root)
        let reader = try Store.open(
            CompactionFixture.path, readOnly: true, services: fixture.disk.services(entropySeed: 3))
        let error = #expect(throws: StoreError.self) { try reader.compactFile(CompactionOptions()) }
        #expect(error?.code == .readOnly)
    }

    @Test("Compaction does not write to a compact file")
    func alreadyCompact() throws {
        var fixture = try CompactionFixture(rowCount: 1500)
        try fixture.delete(percent: 50)
        try fixture.store.compactFile(CompactionFixture.options())
        let root = try fixture.store.snapshot().root.superblock
        let count = fixture.disk.operationCount
        try fixture.store.compactFile(CompactionFixture.options())
        #expect(try fixture.store.snapshot().root.superblock == root)
        #expect(fixture.disk.operationCount == count)
        // A copy, which is always compact, is not written to either.
        try fixture.store.copy(fixture.store.snapshot(), to: "/copied.firn")
        let copy = try Store.open(
            "/copied.firn", readOnly: false, services: fixture.disk.services(entropySeed: 5),
            options: CompactionFixture.storeOptions())
        try copy.compactFile(CompactionFixture.options())
        #expect(try copy.snapshot().root.superblock.rootVersion == RootVersion(1))
    }
}
