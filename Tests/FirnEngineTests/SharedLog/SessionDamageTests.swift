import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A database whose processes died with a log beside it, and whose files were then changed.
///
/// Only frames that no later frame proves to have been on disk may be lost without an error: a cut
/// there looks like the end that a power loss tears off. In a log that was written one commit after
/// the other that is the last frame.
@Suite("Damage to the files of a log")
struct SessionDamageTests {
    private static let files = ["-log0", "-log1", "-shm"]

    /// The files of a database that no process has open, and the acknowledged commits.
    private struct Remains {
        let ledger: Ledger
        let files: [String: [UInt8]]
        let newest: LSN

        /// - Parameters:
        ///   - count: the number of commits after the checkpoint.
        ///   - movesRoot: whether the root then moved to other pages, as in a compaction.
        init(seed: UInt64 = 70, count: Int = 3, movesRoot: Bool = false) throws {
            let disk = SimulatedFileSystem()
            try Ledger.make(disk.services(entropySeed: seed))
            let ledger = Ledger()
            let store = try Ledger.open(disk.services(entropySeed: seed + 1))
            for attempt in 100..<104 { try ledger.commit(attempt, to: store) }
            try store.checkpoint()
            for attempt in 104..<(104 + count) { try ledger.commit(attempt, to: store) }
            if movesRoot {
                _ = try store.withCheckpointLock(waitNanoseconds: 0) {
                    newest, writer throws(StoreError) in
                    try store.republish(
                        newest.root, as: newest.root.catalog, loggedFreezes: [], writer)
                }
            }
            let image = disk.processDeathImage()
            self.ledger = ledger
            newest = ledger.newestPromised
            var files: [String: [UInt8]] = [:]
            for name in image.fileNames { files[name] = image.contents(of: name) ?? [] }
            self.files = files
        }

        func disk(_ change: (inout [String: [UInt8]]) -> Void) -> SimulatedFileSystem {
            var files = files
            change(&files)
            let disk = SimulatedFileSystem()
            for (name, bytes) in files { disk.setContents(of: name, to: bytes) }
            return disk
        }
    }

    /// Opens changed files with a reader and then a writer.
    ///
    /// - Returns: the version that both found; `nil` if they refuse.
    private func open(_ disk: SimulatedFileSystem, _ remains: Remains) throws -> LSN? {
        let seen = try refusal {
            let reader = try Ledger.open(disk.services(entropySeed: 8), readOnly: true)
            let snapshot = try reader.snapshot()
            try remains.ledger.check(snapshot)
            return snapshot.version
        }
        let found = try refusal {
            let writer = try Ledger.open(disk.services(entropySeed: 9))
            let transaction = try writer.beginWrite()
            try remains.ledger.check(transaction.base)
            let version = transaction.base.version
            transaction.rollback()
            try writer.close()
            try expectSound(writer, allowingTornCopy: true)
            return version
        }
        guard seen == found else {
            throw TestFailure("a reader finds \(seen as Any), a writer \(found as Any)")
        }
        return found
    }

    private func refusal(_ body: () throws -> LSN) throws -> LSN? {
        do {
            return try body()
        } catch let error as StoreError {
            let expected: [StoreError.Code] = [.corrupt, .logMissing, .formatTooNew, .notADatabase]
            guard expected.contains(error.code) else { throw error }
            return nil
        }
    }

    /// - Parameter lost: the number of last commits that may be lost without an error.
    private func expect(
        _ disk: SimulatedFileSystem, _ remains: Remains, losing lost: UInt64, _ what: String
    ) {
        RunCounters.damagedFiles.add(1)
        do {
            guard let found = try open(disk, remains) else { return }
            if found.rawValue + lost < remains.newest.rawValue {
                Issue.record("\(what): \(found) of \(remains.newest) without an error")
            }
        } catch {
            Issue.record("\(what): \(error)")
        }
    }

    @Test("A changed byte is detected or harmless", arguments: files)
    func everyByte(file: String) throws {
        let remains = try Remains()
        let name = Ledger.path + file
        let bytes = try #require(remains.files[name])
        var generator = SplitMix64(seed: 11 + TestScale.firstSeed)
        for offset in Self.interesting(bytes) {
            let mask = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            let disk = remains.disk { $0[name]?[offset] ^= mask }
            expect(disk, remains, losing: 1, "\(file), byte \(offset), mask \(mask)")
        }
    }

    @Test("A truncated file is detected or harmless", arguments: files)
    func everyLength(file: String) throws {
        let remains = try Remains()
        let name = Ledger.path + file
        let bytes = try #require(remains.files[name])
        for length in Self.interesting(bytes) {
            let disk = remains.disk { $0[name]?.removeLast(bytes.count - length) }
            // A cut after frames proves nothing about the content there: it is a torn end.
            let isFrames = file != "-shm" && length >= LogHeader.byteCount
            expect(
                disk, remains, losing: isFrames ? .max / 2 : 0, "\(file), \(length) bytes")
        }
    }

    /// All offsets with content, and some of the zeros.
    private static func interesting(_ bytes: [UInt8]) -> [Int] {
        let step = max(1, 7 / TestScale.factor)
        let first = Int(TestScale.firstSeed / 1_000_000 % UInt64(step))
        return bytes.indices.filter { index in
            (bytes[index] != 0 && index % step == first) || index % 509 == 0
        }
    }

    /// A root that compaction had moved lost the segment in which the log continues: without the
    /// newer segment, three acknowledged commits were gone without an error.
    @Test(
        "A missing file of the log is an error, unless nothing depends on it",
        arguments: [false, true])
    func missing(movesRoot: Bool) throws {
        let remains = try Remains(movesRoot: movesRoot)
        for file in Self.files {
            let disk = remains.disk { $0[Ledger.path + file] = nil }
            expect(disk, remains, losing: 0, "no \(file)")
        }
        let disk = remains.disk { files in
            for file in Self.files { files[Ledger.path + file] = nil }
        }
        #expect(try open(disk, remains) == nil)
    }

    @Test("Files of another database, of another time or of an older state are not trusted")
    func foreign() throws {
        let remains = try Remains()
        let others = [
            ("another database", try Remains(seed: 90)), ("older", try Remains(count: 0)),
        ]
        for (what, other) in others {
            for file in Self.files {
                let name = Ledger.path + file
                let disk = remains.disk { $0[name] = other.files[name] }
                // An older copy of the segment in use ends like one that a power loss tore.
                let lost: UInt64 = what == "older" && file == "-log1" ? 3 : 0
                expect(disk, remains, losing: lost, "\(file) of \(what)")
            }
            let disk = remains.disk { files in
                for file in Self.files {
                    files[Ledger.path + file] = other.files[Ledger.path + file]
                }
            }
            // All of the log in an earlier state is valid: only the database itself can contradict.
            expect(disk, remains, losing: what == "older" ? 3 : 0, "all of \(what)")
        }
    }

    @Test("Shared memory with arbitrary content is not trusted")
    func garbageInMemory() throws {
        let remains = try Remains()
        let name = Ledger.path + "-shm"
        let whole = try #require(remains.files[name])
        for seed in TestScale.seeds(40) {
            var generator = SplitMix64(seed: seed)
            let count = seed % 3 == 0 ? whole.count : Int(generator.next() % 2000)
            var garbage: [UInt8] = (0..<count).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            // Sometimes the head is right: it names this file, this boot and this log.
            if seed % 3 == 0 { garbage.replaceSubrange(..<64, with: whole[..<64]) }
            let disk = remains.disk { $0[name] = garbage }
            expect(disk, remains, losing: 0, "seed \(seed)")
        }
    }

    @Test(
        "A database that is moved or replaced while it is open accepts no more commits",
        .tags(.security))
    func moved() throws {
        for isReplaced in [false, true] {
            let remains = try Remains()
            let disk = remains.disk { _ in }
            let store = try Ledger.open(disk.services(entropySeed: 3))
            try remains.ledger.commit(200, to: store)
            try disk.rename(Ledger.path, to: "/moved.firn", replacing: false)
            if isReplaced {
                disk.setContents(of: Ledger.path, to: remains.files[Ledger.path] ?? [])
            }
            let error = #expect(throws: StoreError.self) {
                try remains.ledger.tryCommit(201, .operations, to: store)
            }
            #expect(error?.code == .missing)
            try remains.ledger.look(store)
        }
    }
}
