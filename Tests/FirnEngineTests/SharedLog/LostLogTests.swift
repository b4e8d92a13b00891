import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A segment of the log that was missing, or shorter than before, counted as a log that ends
/// earlier: acknowledged commits were gone with status 0, and the next write made that final.
///
/// Every file of the log is removed, cut at every 4 KiB, and replaced by every older copy of it, in
/// the states of two segments that crashed writers leave. The result is all acknowledged commits,
/// or an error; except for losses that no log can detect after a reboot: last frames that are zeros
/// or missing, because an older copy of the segment took its place.
@Suite("Lost files of a log", .serialized)
struct LostLogTests {
    /// The files in the state that a killed writer left, and its acknowledged commits.
    private struct State {
        let name: String
        let ledger: Ledger
        let disk: SimulatedFileSystem
        /// The same files at earlier moments of the same writer, oldest first.
        let older: [[String: [UInt8]]]
        let newest: LSN

        var files: [String: [UInt8]] { LostLogTests.files(of: disk) }
    }

    private static let logs = ["-log0", "-log1"]

    private static func files(of disk: SimulatedFileSystem) -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: disk.fileNames.map { ($0, disk.contents(of: $0) ?? []) })
    }

    /// The state after a writer that did some steps was killed.
    private static func state(
        _ name: String, _ steps: (Ledger, Store, () -> Void) throws -> Void
    ) throws -> State {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let ledger = Ledger()
        let store = try Ledger.open(disk.services(entropySeed: 71))
        var older: [[String: [UInt8]]] = []
        try steps(ledger, store) { older.append(files(of: disk)) }
        return State(
            name: name, ledger: ledger, disk: disk.processDeathImage(), older: older,
            newest: ledger.newestPromised)
    }

    /// The start of a checkpoint, left by a writer that dies before its root.
    private static func beginSegment(_ store: Store) throws {
        let attachment = try #require(store.state.withLock { $0.attachment })
        try attachment.changeSegmentIfFree(try #require(try attachment.newestHead()))
    }

    private static func states() throws -> [State] {
        func commit(_ ledger: Ledger, _ range: Range<Int>, _ store: Store) throws {
            for attempt in range { try ledger.commit(attempt, to: store) }
        }
        return try [
            state("one segment") { ledger, store, note in
                try commit(ledger, 100..<105, store)
                note()
                try commit(ledger, 105..<110, store)
            },
            state("one segment that grew") { ledger, store, note in
                try commit(ledger, 100..<150, store)
                note()
                try commit(ledger, 150..<260, store)
            },
            state("two segments, no root has the first") { ledger, store, note in
                try commit(ledger, 100..<105, store)
                note()
                try beginSegment(store)
                note()
                try commit(ledger, 105..<110, store)
            },
            state("a second segment without frames") { ledger, store, note in
                try commit(ledger, 100..<105, store)
                note()
                try beginSegment(store)
            },
            state("two segments, a root has the first") { ledger, store, note in
                try commit(ledger, 100..<105, store)
                note()
                try store.checkpoint()
                note()
                try commit(ledger, 105..<110, store)
            },
            state("the first file used again, no root has the second segment") {
                ledger, store, note in
                try commit(ledger, 100..<105, store)
                note()
                try store.checkpoint()
                try commit(ledger, 105..<110, store)
                note()
                try beginSegment(store)
                try commit(ledger, 110..<200, store)
            },
            state("both files used again") { ledger, store, note in
                for round in 0..<4 {
                    try commit(ledger, 100 + round * 10..<110 + round * 10, store)
                    note()
                    try store.checkpoint()
                }
                try commit(ledger, 140..<145, store)
                try beginSegment(store)
                try commit(ledger, 145..<150, store)
            },
        ]
    }

    /// - Returns: the version that is found; `nil` for an error that reports a loss.
    private func outcome(_ disk: SimulatedFileSystem, _ ledger: Ledger) throws -> LSN? {
        func refusal(_ body: () throws -> LSN) throws -> LSN? {
            do {
                return try body()
            } catch let error as StoreError {
                guard [.corrupt, .logMissing].contains(error.code), error.remedy != nil else {
                    throw error
                }
                return nil
            }
        }
        let seen = try refusal {
            let reader = try Ledger.open(disk.services(entropySeed: 8), readOnly: true)
            let snapshot = try reader.snapshot()
            try ledger.check(snapshot)
            return snapshot.version
        }
        let found = try refusal {
            let writer = try Ledger.open(disk.services(entropySeed: 9))
            let transaction = try writer.beginWrite()
            try ledger.check(transaction.base)
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

    /// - Parameter isTold: whether every loss must be an error.
    private func expect(
        _ state: State, keepsMemory: Bool, isTold: Bool, _ what: String,
        _ change: (inout [String: [UInt8]]) -> Void
    ) -> Bool {
        RunCounters.damagedFiles.add(1)
        var files = state.files
        if !keepsMemory { files[Ledger.path + "-shm"] = nil }
        change(&files)
        let disk = SimulatedFileSystem()
        for (name, bytes) in files { disk.setContents(of: name, to: bytes) }
        let comment = "\(state.name), \(keepsMemory ? "killed" : "started again"): \(what)"
        do {
            guard let found = try outcome(disk, state.ledger) else { return true }
            if isTold, found < state.newest {
                Issue.record("\(comment): \(found) of \(state.newest) without an error")
            }
        } catch {
            Issue.record("\(comment): \(error)")
        }
        return false
    }

    @Test(
        "A lost file of the log is an error, unless it contained nothing", arguments: [true, false]
    )
    func lost(keepsMemory: Bool) throws {
        var count = 0
        var errors = 0
        for state in try Self.states() {
            func attempt(
                _ what: String, isTold: Bool = true,
                _ change: (inout [String: [UInt8]]) -> Void
            ) {
                count += 1
                let isError = expect(
                    state, keepsMemory: keepsMemory, isTold: isTold, what, change)
                errors += isError ? 1 : 0
            }
            attempt("untouched") { _ in }
            for log in Self.logs {
                let name = Ledger.path + log
                guard let whole = state.files[name] else { continue }
                attempt("no \(log)") { $0[name] = nil }
                for length in stride(from: 0, to: whole.count, by: 4096) {
                    attempt("\(log) cut to \(length)") { $0[name] = Array(whole[..<length]) }
                }
                for (index, files) in state.older.enumerated() {
                    guard let copy = files[name], copy != whole else { continue }
                    // The last segment then looks as if a power loss had removed its end. The
                    // shared memory of a killed process shows the difference.
                    attempt("\(log) of moment \(index)", isTold: keepsMemory) { $0[name] = copy }
                    attempt("both logs of moment \(index)", isTold: keepsMemory) {
                        for log in Self.logs {
                            $0[Ledger.path + log] = files[Ledger.path + log]
                        }
                    }
                }
                attempt("\(log) zeroed behind its header", isTold: keepsMemory) {
                    $0[name]?.replaceSubrange(
                        LogHeader.byteCount..<whole.count,
                        with: repeatElement(0, count: whole.count - LogHeader.byteCount))
                }
            }
            attempt("no log at all") { files in
                for log in Self.logs { files[Ledger.path + log] = nil }
            }
        }
        print("lost files of logs in \(count) ways: \(errors) errors")
        #expect(count > 60 && errors > 30)
    }

    /// The last file is not the only one that can be replaced: each older copy of a segment that
    /// another one follows is an error even after a reboot.
    @Test("An older copy of a segment that another segment follows is an error")
    func olderFirst() throws {
        for state in try Self.states() where state.name.hasPrefix("two segments, no root") {
            let name = Ledger.path + "-log0"
            for (index, files) in state.older.enumerated() {
                guard let copy = files[name], copy != state.files[name] else { continue }
                _ = expect(
                    state, keepsMemory: false, isTold: true, "moment \(index)"
                ) { $0[name] = copy }
            }
        }
    }

    @Test("The newest file size that a segment stored for its own use is read back")
    func extents() throws {
        let fixture = try LogFixture(byteCount: 20_000)
        let whole = fixture.segment.knownByteCount
        #expect(try fixture.reopen().header.fileByteCount == whole)
        #expect(try fixture.reopen().extent == nil)
        let large = try LogFixture(LogFixture.header(number: 8), byteCount: 1)
        while large.segment.knownByteCount < 1 << 20 {
            var operations = RecordedOperations()
            for row in 0..<9000 { operations.appendDelete(ClassID(1), RowID(UInt64(row))) }
            try large.append(operations)
            #expect(
                try large.reopen().extent?.fileByteCount ?? large.segment.header.fileByteCount
                    == large.segment.knownByteCount)
        }
        try large.segment.sayNext(9, end: large.end.offset)
        let said = SegmentExtent(fileByteCount: large.segment.knownByteCount, next: 9)
        #expect(try large.reopen().extent == said)
        // Either record may be torn: the other one had the length.
        for copy in 0..<LogHeader.copyCount {
            let offset = copy * LogHeader.pageByteCount + SegmentExtent.offset + 20
            large.disk.corrupt(large.path, at: offset, xor: 0xFF)
            #expect(try large.reopen().extent.map { $0.fileByteCount >= 1 << 19 } ?? true)
            large.disk.corrupt(large.path, at: offset, xor: 0xFF)
        }
        try large.recycle(salt: 77)
        #expect(try large.reopen().extent == nil)
        #expect(try large.reopen().header.fileByteCount == large.segment.knownByteCount)
    }
}
