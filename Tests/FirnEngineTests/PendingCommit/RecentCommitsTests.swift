import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Commits that a process has just read")
struct RecentCommitsTests {
    /// The follower uses the frames that it has just read; the writer reads its log.
    @Test("Recent commits match the log, whether few or many, small or large")
    func equality() throws {
        let disk = SimulatedFileSystem()
        try makeSample("/r.firn", rowCount: 100, services: disk.services(entropySeed: 3))
        var options = StoreOptions()
        options.logging = .always
        options.checkpointsInBackground = false
        let writer = try Store.open(
            "/r.firn", readOnly: false, services: disk.services(entropySeed: 4), options: options)
        let item = try writer.itemClass()
        var generator = SplitMix64(seed: 11)
        var count = 0
        let commit = { (byteCount: Int) throws in
            count += 1
            let transaction = try writer.beginWrite()
            for _ in 0..<3 {
                let row = RowID(UInt64.random(in: 0..<100, using: &generator))
                let name = String(repeating: "n", count: byteCount) + "\(count)"
                try transaction.set(
                    item.properties[1].id, of: row, in: item.id, to: .string(name))
            }
            _ = try transaction.commit()
        }
        try commit(1)
        let follower = try Store.open(
            "/r.firn", readOnly: true, services: disk.anotherProcess().services(entropySeed: 5))
        var (old, followed) = (try writer.snapshot(), try follower.snapshot())
        for round in 0..<28 {
            for _ in 0...(round % 4) { try commit(round % 7 == 6 ? 9_000 : 20) }
            let (new, next) = (try writer.snapshot(), try follower.snapshot())
            #expect(next.version == new.version)
            let expected = try writer.changes(from: old, to: new)
            let found = try follower.changes(from: followed, to: next)
            #expect(found.classes == expected.classes && found.commit == expected.commit)
            #expect(!found.classes.isEmpty)
            (old, followed) = (new, next)
        }
        try writer.close()
    }

    @Test("Recent commits are kept only if they are few, and serve only their own versions")
    func limits() {
        let many = PendingCommit.RecentCommits(after: LSN(7), through: LSN(72))
        #expect(many.commits(after: LSN(7), through: LSN(7)) == nil)
        var commits = PendingCommit.RecentCommits(after: LSN(7), through: LSN(71))
        #expect(commits.commits(after: LSN(7), through: LSN(7))?.isEmpty == true)
        let payload = [UInt8](repeating: 1, count: 1_000)
        for number: UInt64 in 8...23 {
            payload.withUnsafeBytes { commits.append(LSN(number), count: 1, time: 5, $0) }
            #expect(commits.commits(after: LSN(7), through: LSN(number))?.count == Int(number - 7))
        }
        #expect(commits.commits(after: LSN(8), through: LSN(23)) == nil)
        #expect(commits.commits(after: LSN(7), through: LSN(22)) == nil)
        payload.withUnsafeBytes { commits.append(LSN(24), count: 1, time: 5, $0) }
        #expect(commits.commits(after: LSN(7), through: LSN(24)) == nil)
        #expect(commits.commits(after: LSN(7), through: LSN(23)) == nil)
    }
}
