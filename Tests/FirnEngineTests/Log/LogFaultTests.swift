import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("A commit log on a failing disk")
struct LogFaultTests {
    private let step = Int(LogSegment.growthByteCount)

    private func bytes(of fixture: LogFixture, byteCount: Int) throws -> [UInt8] {
        var random = SplitMix64(seed: 1)
        var operations = RecordedOperations()
        try operations.appendSet(
            ClassID(1), RowID(1), PropertyID(0), .data(random.bytes(byteCount)))
        let end = fixture.end
        let frame = Frame(
            kind: .operations, lsn: LSN(end.lsn.rawValue + 1), durable: end.lsn,
            previous: end.chain, time: 0, writer: 1, operations: operations)
        var bytes: [UInt8] = []
        frame.write(
            to: &bytes, chain: frame.hash(fileID: LogFixture.fileID),
            salt: fixture.segment.header.salt)
        return bytes
    }

    @Test("A full disk refuses the commit, and accepts it when there is space again")
    func diskFull() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 3)
        let large = try bytes(of: fixture, byteCount: 2 * step)
        for capacity in [step, step + 1, 2 * step, 3 * step - 1] {
            fixture.disk.setCapacity(capacity)
            let error = #expect(throws: StoreError.self) {
                try fixture.segment.append(
                    large, at: fixture.end.offset, byteCountMaximum: LogFixture.capacity)
            }
            #expect(error?.code == .diskFull)
            #expect(try fixture.recover().frames == fixture.frames)
        }
        try fixture.append(count: 1)
        #expect(try fixture.recover().frames == fixture.frames, "what has room goes on")
        fixture.disk.setCapacity(nil)
        let again = try bytes(of: fixture, byteCount: 2 * step)
        let end = try fixture.segment.append(
            again, at: fixture.end.offset, byteCountMaximum: LogFixture.capacity)
        #expect(end == fixture.end.offset + UInt64(again.count))
        #expect(try fixture.recover().frames.count == 5)
    }

    @Test("A segment does not grow past the limit of the caller")
    func limit() throws {
        let fixture = try LogFixture()
        let large = try bytes(of: fixture, byteCount: 2 * step)
        let error = #expect(throws: StoreError.self) {
            try fixture.segment.append(large, at: fixture.end.offset, byteCountMaximum: 100_000)
        }
        #expect(error?.code == .limitExceeded)
        #expect(fixture.disk.contents(of: fixture.path)?.count == step)
        #expect(throws: StoreError.self) {
            try fixture.segment.append([0], at: .max, byteCountMaximum: .max)
        }
    }

    @Test("New space is on disk as zeros before it contains a frame")
    func growth() throws {
        let fixture = try LogFixture()
        let large = try bytes(of: fixture, byteCount: step + 9)
        fixture.disk.forgetHistory()
        _ = try fixture.segment.append(
            large, at: fixture.end.offset, byteCountMaximum: LogFixture.capacity)
        // Blocks, the zeros, the file length, the frame.
        #expect(fixture.disk.history.map(\.kind) == [.reserve, .write, .sync, .write, .write])
        let durable = fixture.disk.durableContents(of: fixture.path)
        #expect(durable?.count == 2 * step)
        #expect(durable?[LogHeader.byteCount...].allSatisfy { $0 == 0 } == true)
        #expect(try fixture.reopen().extent?.fileByteCount == UInt64(2 * step))
    }

    /// A process that extends a file that is longer than it knew must not overwrite commits with
    /// zeros.
    @Test("A segment that another process extended keeps its frames")
    func growthByOthers() throws {
        let fixture = try LogFixture()
        let other = try fixture.reopen()
        for _ in 0..<4 {
            var operations = RecordedOperations()
            try operations.appendSet(
                ClassID(1), RowID(1), PropertyID(0), .data(SplitMix64.noise(step)))
            try fixture.append(operations)
        }
        let last = try bytes(of: fixture, byteCount: step)
        _ = try other.append(
            last, at: fixture.end.offset, byteCountMaximum: LogFixture.capacity)
        let found = try fixture.recover()
        #expect(found.frames.count == 5 && found.result.damage == nil)
    }

    @Test("A failed write leaves no commit, and the next one takes its place")
    func failedWrite() throws {
        for part in AppliedPart.allCases where part != .everything {
            let fixture = try LogFixture()
            try fixture.append(count: 3)
            fixture.disk.plan(
                Fault(
                    .fails(errno: SystemErrno.inputOutput, applying: part), at: 0,
                    of: [.write]))
            let frame = try bytes(of: fixture, byteCount: 500)
            let error = #expect(throws: StoreError.self) {
                try fixture.segment.append(
                    frame, at: fixture.end.offset, byteCountMaximum: LogFixture.capacity)
            }
            #expect(error?.code == .inputOutput)
            #expect(!fixture.segment.isPoisoned)
            let found = try fixture.recover()
            #expect(found.frames == fixture.frames && found.result.damage == nil)
            try fixture.append(count: 2)
            #expect(try fixture.recover().frames == fixture.frames)
        }
    }

    @Test("A failed read is an error, not the end of the log")
    func failedRead() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 3)
        let segment = try fixture.reopen()
        fixture.disk.plan(
            Fault(.fails(errno: SystemErrno.inputOutput), at: 0, of: [.read], isSticky: true))
        let error = #expect(throws: StoreError.self) { try LogFixture.recover(segment) }
        #expect(error?.code == .inputOutput)
        #expect(throws: StoreError.self) { try segment.reload() }
    }

    @Test("A handle whose sync failed writes no more", arguments: [false, true])
    func failedSync(whileGrowing: Bool) throws {
        let fixture = try LogFixture()
        try fixture.append(count: 1)
        fixture.disk.plan(Fault(.fails(errno: SystemErrno.inputOutput), at: 0, of: [.sync]))
        let frame = try bytes(of: fixture, byteCount: whileGrowing ? step : 10)
        let error = #expect(throws: StoreError.self) {
            _ = try fixture.segment.append(
                frame, at: fixture.end.offset, byteCountMaximum: LogFixture.capacity)
            try fixture.segment.sync()
        }
        #expect(error?.code == .inputOutput && fixture.segment.isPoisoned)
        fixture.disk.forgetPlans()
        let calls: [() throws -> Void] = [
            { try fixture.segment.sync() }, { try fixture.append(count: 1) },
            { try fixture.segment.cut(at: 16_384) },
            { try fixture.segment.rewrite(from: 16_384, to: 16_400) },
            { try fixture.recycle(salt: 1) },
        ]
        for call in calls {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.code == .poisoned)
        }
    }

    /// The next sync alone succeeds and writes nothing: the system considers the frames clean.
    @Test("Frames of a process whose sync failed are on disk after they are rewritten")
    func rewriting() throws {
        for isRewritten in [false, true] {
            let fixture = try LogFixture(byteCount: 1 << 20)
            for _ in 0..<3 {
                var operations = RecordedOperations()
                try operations.appendSet(
                    ClassID(1), RowID(1), PropertyID(0), .data(SplitMix64.noise(step / 2)))
                try fixture.append(operations)
            }
            fixture.disk.plan(Fault(.fails(errno: SystemErrno.inputOutput), at: 0, of: [.sync]))
            #expect(throws: StoreError.self) { try fixture.segment.sync() }
            fixture.disk.forgetPlans()
            let next = try fixture.reopen()
            let end = try LogFixture.recover(next).result.end
            #expect(end == fixture.end)
            if isRewritten {
                try next.rewrite(from: UInt64(LogHeader.byteCount), to: end.offset)
            }
            try next.sync()
            let image = fixture.disk.powerLossImage(.nothingSurvives)
            let found = try LogFixture.recover(
                try LogSegment.open(
                    fixture.path, fileID: LogFixture.fileID, generation: 3, readOnly: true,
                    files: image))
            #expect(found.frames.count == (isRewritten ? 3 : 0))
        }
    }

    @Test("Rewriting past the end of the file is an error")
    func rewritingTooMuch() throws {
        let fixture = try LogFixture()
        let error = #expect(throws: StoreError.self) {
            try fixture.segment.rewrite(from: 16_384, to: UInt64(step) + 1)
        }
        #expect(error?.code == .corrupt)
        try fixture.segment.rewrite(from: 20_000, to: 16_384)
    }

    @Test("A truncated log ends at the cut")
    func cutting() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 4, lag: 9)
        try fixture.segment.cut(at: fixture.offsets[2])
        let found = try fixture.recover()
        #expect(found.frames.count == 2 && found.result.damage == nil)
        for offset in [UInt64(step) - 8, UInt64(step), UInt64(step) + 8] {
            try fixture.segment.cut(at: offset)
            #expect(fixture.disk.contents(of: fixture.path)?.count == step)
        }
    }

    @Test("A failed creation leaves nothing, and one that crashed can be repeated")
    func creationCrashes() throws {
        let header = LogFixture.header()
        var count = 0
        while true {
            let disk = SimulatedFileSystem()
            disk.plan(Fault(.fails(errno: SystemErrno.diskFull), at: count))
            let made = try? LogSegment.create(
                header, of: LogFixture.database, byteCount: 1, files: disk)
            if made != nil { break }
            #expect(disk.fileNames.isEmpty, "operation \(count)")
            count += 1
        }
        // Create, reserve blocks, fill, sync, two copies of the header, sync, sync of the folder.
        #expect(count == 8)
        for operation in 0..<count {
            for part in AppliedPart.allCases {
                for seed in TestScale.seeds(2) {
                    let disk = SimulatedFileSystem()
                    disk.crash(at: operation, applying: part)
                    _ = try? LogSegment.create(
                        header, of: LogFixture.database, byteCount: 1, files: disk)
                    let after = disk.powerLossImage(.random(seed: seed))
                    let segment = try LogSegment.create(
                        header, of: LogFixture.database, byteCount: 1, files: after)
                    #expect(try LogFixture.recover(segment).frames.isEmpty)
                }
            }
        }
    }

    @Test("A crash while a segment is reused leaves the whole old use or the whole new one")
    func recyclingCrashes() throws {
        for uses in 0..<3 {
            for operation in 0..<4 {
                for part in AppliedPart.allCases {
                    for seed in TestScale.seeds(2) {
                        try crash(uses: uses, operation: operation, part: part, seed: seed)
                    }
                }
            }
        }
    }

    private func crash(uses: Int, operation: Int, part: AppliedPart, seed: UInt64) throws {
        let fixture = try LogFixture()
        for use in 0..<uses { try fixture.recycle(salt: UInt64(use) + 1) }
        try fixture.append(count: 2)
        try fixture.trim()
        try fixture.segment.sync()
        let (old, frames) = (fixture.segment.header, fixture.frames)
        fixture.disk.forgetHistory()
        fixture.disk.crash(at: operation, applying: part)
        let isDone = (try? fixture.recycle(salt: 50)) != nil
        let image = fixture.disk.powerLossImage(.random(seed: seed))
        let segment = try LogSegment.open(
            fixture.path, fileID: LogFixture.fileID, generation: 3, readOnly: false, files: image)
        let found = try LogFixture.recover(segment)
        let isNew = segment.header != old
        #expect(isNew || !isDone)
        #expect(found.frames == (isNew ? [] : frames) && found.result.damage == nil)
        // The interrupted attempt can be repeated, with another salt.
        var next = old
        next.number += 2
        next.salt = 51
        try segment.recycle(as: next, byteCountMaximum: LogFixture.capacity)
        let after = image.powerLossImage(.nothingSurvives)
        let reopened = try LogSegment.open(
            fixture.path, fileID: LogFixture.fileID, generation: 3, readOnly: true, files: after)
        #expect(reopened.header.with(byteCount: 0) == next.with(byteCount: 0))
    }
}

extension SplitMix64 {
    /// Incompressible bytes.
    fileprivate static func noise(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(count))
        return random.bytes(count)
    }
}
