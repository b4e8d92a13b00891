import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Freezes")
struct FreezeTests {
    private func failure(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch { return error as? StoreError }
    }

    @Test("A freeze keeps exactly its version, however many commits follow, until it is dropped")
    func keeps() throws {
        let fixture = try VersionFixture(rowCount: 400) { $0.history.commitCount = 20 }
        for _ in 0..<7 { try fixture.commit() }
        let frozen = try fixture.store.snapshot().version
        try fixture.commit { try $0.freeze(name: "before", note: "the import") }
        let earlier = try fixture.commit(rows: 0..<400)
        try fixture.commit { try $0.freeze(name: "earlier", at: .back(0)) }
        for _ in 0..<TestScale.scaled(200) { try fixture.commit(rows: 0..<400) }
        #expect(try fixture.store.snapshot(at: .freeze("before")).version == frozen)
        try fixture.expect(frozen)
        try fixture.expect(earlier)
        #expect(
            failure { try fixture.expect(LSN(earlier.rawValue + 35)) }?.code == .versionGone)
        #expect(failure { try fixture.expect(LSN(frozen.rawValue - 1)) }?.code == .versionGone)
        try expectSound(fixture.store)
        let report = try fixture.store.spaceReport()
        let held = try #require(report.holders.first { $0.kind == .freeze("before") })
        #expect(held.byteCount > 0)
        #expect(
            report.liveByteCount + report.freeByteCount + report.heldByteCount
                == report.fileByteCount)
        try fixture.commit {
            try $0.dropFreeze("before")
            try $0.dropFreeze("earlier")
        }
        for _ in 0..<3 { try fixture.commit() }
        let after = try fixture.store.spaceReport()
        #expect(after.holders.allSatisfy { $0.kind == .history })
        #expect(after.freeByteCount >= report.freeByteCount + held.byteCount)
        try expectSound(fixture.store)
    }

    @Test("A freeze of a version between two roots keeps the commits up to it")
    func betweenRoots() throws {
        let fixture = try VersionFixture { $0.history.commitCount = 12 }
        for _ in 0..<9 { try fixture.commit() }
        try fixture.commit { try $0.freeze(name: "five", at: .number(LSN(5))) }
        for _ in 0..<60 {
            try fixture.commit()
            try fixture.expect(LSN(5))
        }
        #expect(try fixture.store.snapshot(at: .freeze("five")).version == LSN(5))
        try expectSound(fixture.store)
    }

    /// The size of each freeze was found by examining all others: the report of one of 600 took
    /// most of its 17 ms.
    @Test(
        "A freeze reports the space that dropping it would free, even if it shares its version"
    )
    func heldAlone() throws {
        let fixture = try VersionFixture(rowCount: 200) { $0.history.commitCount = 6 }
        var generator = SplitMix64(seed: 7)
        for round in 0..<40 {
            let start = Int(generator.next() % 150)
            try fixture.commit(rows: start..<start + 20) { transaction in
                guard round % 3 != 2 else { return }
                try transaction.freeze(name: "f\(round)")
                if round % 5 == 0 { try transaction.freeze(name: "again \(round)") }
            }
        }
        let newest = try fixture.store.snapshot()
        let accounts = try SpaceUsage(fixture.store, newest)
        let freezes = try fixture.store.versions().freezes
        #expect(freezes.count > 20 && freezes.contains { $0.heldByteCount > 0 })
        for kept in freezes {
            let base = accounts.history.base(for: kept.freeze.version)?.version
            let isShared = freezes.contains { other in
                other.freeze.name != kept.freeze.name
                    && accounts.history.base(for: other.freeze.version)?.version == base
            }
            let others = accounts.history.roots.map(\.version).filter { $0 != base }
            let alone = base.map { base in
                accounts.freeSpace.heldByteCount(
                    by: RetainedRoots([base]), besides: RetainedRoots(others))
            }
            #expect(kept.heldByteCount == (isShared ? 0 : alone ?? 0), "\(kept.freeze.name)")
        }
        try expectSound(fixture.store)
    }

    @Test("A freeze ends when it expires, and its name can be used again")
    func expiry() throws {
        let fixture = try VersionFixture { $0.history = .off }
        let now = fixture.store.services.clock.wallTime().seconds
        let version = try fixture.store.snapshot().version
        try fixture.commit {
            try $0.freeze(name: "short", expires: now - 1)
            try $0.freeze(name: "long", expires: now + 1_000_000)
        }
        let expired = failure { _ = try fixture.store.snapshot(at: .freeze("short")) }
        #expect(expired?.code == .freezeMissing)
        try fixture.commit { try $0.freeze(name: "short") }
        #expect(
            try fixture.store.versions().freezes.map(\.freeze.name).sorted() == ["long", "short"])
        try fixture.expect(version)
        try expectSound(fixture.store)
    }

    @Test("The name of a freeze must be valid and unique")
    func names() throws {
        let fixture = try VersionFixture()
        try fixture.commit { try $0.freeze(name: "release 1.0 é") }
        let transaction = try fixture.store.beginWrite()
        for name in ["", "@1", "-x", "a/b", "12", "a\u{7}", String(repeating: "x", count: 256)] {
            #expect(
                failure { try transaction.freeze(name: name) }?.code == .invalidValue, "\(name)")
        }
        #expect(
            failure { try transaction.freeze(name: "release 1.0 é") }?.code == .freezeExists)
        #expect(
            failure { try transaction.freeze(name: "x", at: .number(LSN(77))) }?.code
                == .versionGone)
        #expect(failure { try transaction.dropFreeze("y") }?.code == .freezeMissing)
        transaction.rollback()
        let missing = failure {
            _ = try fixture.store.snapshot(at: .freeze("relaese 1.0 é"))
        }
        #expect(missing?.code == .freezeMissing)
    }
}
