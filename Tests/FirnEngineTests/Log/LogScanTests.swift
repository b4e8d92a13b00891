import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Reading the commit log after a crash")
struct LogScanTests {
    private func data(_ byteCount: Int, seed: UInt64) throws -> RecordedOperations {
        var random = SplitMix64(seed: seed)
        var operations = RecordedOperations()
        try operations.appendSet(
            ClassID(1), RowID(seed), PropertyID(0), .data(random.bytes(byteCount)))
        return operations
    }

    @Test("All frames round-trip, small and large")
    func everything() throws {
        let fixture = try LogFixture()
        #expect(try fixture.recover().frames.isEmpty)
        try fixture.append(count: 50)
        for seed in 0..<12 as Range<UInt64> {
            try fixture.append(try data(Int(seed) * 30_000, seed: seed), lag: 2)
        }
        var text = RecordedOperations()
        try text.appendSet(
            ClassID(1), RowID(1), PropertyID(0),
            .string(String(repeating: "winter ", count: 20_000)))
        try fixture.append(text, lag: 2)
        let (frames, result) = try fixture.recover()
        #expect(frames == fixture.frames)
        #expect(
            result
                == LogScan.Result(
                    end: fixture.end, frameCount: 63, durable: LSN(160), damage: nil))
        try result.checkWhole(path: fixture.path)
    }

    @Test("Reading can start after any frame")
    func start() throws {
        let fixture = try LogFixture()
        var positions = [fixture.end]
        for _ in 0..<8 {
            try fixture.append(count: 1)
            positions.append(fixture.end)
        }
        for (index, position) in positions.enumerated() {
            var lsns: [LSN] = []
            let result = try LogScan.recover(fixture.segment, from: position) {
                frame throws(StoreError) in lsns.append(frame.header.lsn)
            }
            #expect(lsns == fixture.frames[index...].map(\.lsn))
            #expect(result.end == fixture.end && result.damage == nil)
        }
    }

    @Test("A tail torn at any byte ends the log before it")
    func tornTail() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 4)
        try fixture.append(try data(100, seed: 1))
        try fixture.trim()
        let whole = try #require(fixture.disk.contents(of: fixture.path))
        let (start, end) = (Int(fixture.offsets[4]), Int(fixture.offsets[5]))
        for cut in start..<end {
            for isFront in [true, false] {
                var bytes = whole
                for place in isFront ? cut..<end : start..<cut + 1 { bytes[place] = 0 }
                guard bytes != whole else { continue }
                fixture.disk.setContents(of: fixture.path, to: bytes)
                let (frames, result) = try fixture.recover()
                #expect(frames == Array(fixture.frames[..<4]), "byte \(cut), \(isFront)")
                #expect(result.damage == nil && result.end.offset == fixture.offsets[4])
            }
        }
    }

    @Test("A file that ends at any byte has all frames before the end")
    func truncated() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 6)
        let whole = try #require(fixture.disk.contents(of: fixture.path))
        for count in LogHeader.byteCount...Int(fixture.end.offset) {
            fixture.disk.setContents(of: fixture.path, to: Array(whole[..<count]))
            let (frames, result) = try fixture.recover()
            let expected = fixture.offsets.dropFirst().count { $0 <= count }
            #expect(frames == Array(fixture.frames[..<expected]), "\(count) bytes")
            #expect(result.damage == nil)
        }
    }

    /// The frame after a damaged one tells whether the damaged one was on disk: with that proof it
    /// is an error, without it a torn tail.
    @Test(
        "A flipped bit is detected, and is an error if the commit was proven durable",
        arguments: [0, 3, 9]
    )
    func everyBit(lag: UInt64) throws {
        let fixture = try LogFixture()
        try fixture.append(count: 6, lag: lag)
        try fixture.trim()
        for place in LogHeader.byteCount..<Int(fixture.end.offset) {
            let damaged = (fixture.offsets.firstIndex { $0 > place } ?? 0) - 1
            let missing = fixture.frames[damaged].lsn
            let isProven = fixture.frames[(damaged + 1)...].contains { $0.durable >= missing }
            for bit in 0..<8 as Range<UInt8> {
                fixture.disk.corrupt(fixture.path, at: place, xor: 1 << bit)
                let (frames, result) = try fixture.recover()
                #expect(frames == Array(fixture.frames[..<damaged]), "byte \(place), bit \(bit)")
                #expect(
                    result.damage == (isProven ? missing : nil), "byte \(place), bit \(bit)")
                fixture.disk.corrupt(fixture.path, at: place, xor: 1 << bit)
            }
        }
        #expect(try fixture.recover().frames == fixture.frames)
    }

    @Test("Damage is an error that names the commit")
    func damageError() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 4)
        fixture.disk.corrupt(fixture.path, at: Int(fixture.offsets[1]) + 3, xor: 1)
        let result = try fixture.recover().result
        let error = #expect(throws: StoreError.self) {
            try result.checkWhole(path: fixture.path)
        }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("commit 102") == true)
    }

    @Test("Frames that are missing, duplicated or swapped are damage")
    func lostWrites() throws {
        let fixture = try LogFixture()
        for seed in 0..<6 as Range<UInt64> { try fixture.append(try data(200, seed: seed)) }
        try fixture.trim()
        let whole = try #require(fixture.disk.contents(of: fixture.path))
        func slot(_ index: Int) -> Range<Int> {
            Int(fixture.offsets[index])..<Int(fixture.offsets[index + 1])
        }
        #expect(slot(0).count == slot(1).count)
        var lost = whole
        for place in slot(2).lowerBound..<slot(3).upperBound { lost[place] = 0 }
        var swapped = whole
        swapped.replaceSubrange(slot(2), with: whole[slot(3)])
        swapped.replaceSubrange(slot(3), with: whole[slot(2)])
        var twice = whole
        twice.replaceSubrange(slot(2), with: whole[slot(1)])
        for bytes in [lost, swapped, twice] {
            fixture.disk.setContents(of: fixture.path, to: bytes)
            let (frames, result) = try fixture.recover()
            #expect(frames == Array(fixture.frames[..<2]))
            #expect(result.damage == LSN(103))
        }
    }

    @Test("A log that ends before a frame that was certainly on disk is damaged")
    func provenElsewhere() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 3)
        let segment = try fixture.reopen()
        #expect(try LogFixture.recover(segment, proven: LSN(103)).result.damage == nil)
        let (frames, result) = try LogFixture.recover(segment, proven: LSN(104))
        #expect(frames == fixture.frames)
        #expect(result.damage == LSN(104))
    }

    @Test("Frames of an earlier use after the tail are ignored, at any position")
    func recycled() throws {
        for count in 0..<12 {
            let fixture = try LogFixture()
            try fixture.append(count: 12)
            try fixture.recycle(salt: 99)
            try fixture.append(count: count)
            let (frames, result) = try fixture.recover()
            #expect(frames == fixture.frames)
            #expect(result.end == fixture.end && result.damage == nil)
        }
    }

    /// They were never acknowledged: no frame proves that they were on disk.
    @Test("Frames after a torn one do not reappear when others take its place")
    func staleFollowers() throws {
        for lost in 0..<6 {
            let fixture = try LogFixture()
            for seed in 0..<6 as Range<UInt64> {
                try fixture.append(try data(40, seed: seed), lag: 6)
            }
            fixture.disk.corrupt(fixture.path, at: Int(fixture.offsets[lost]) + 70, xor: 4)
            let segment = try fixture.reopen()
            let found = try LogFixture.recover(segment)
            #expect(found.frames.count == lost && found.result.damage == nil)
            let frame = Frame(
                kind: .operations, lsn: LSN(101 + UInt64(lost)), durable: found.result.end.lsn,
                previous: found.result.end.chain, time: 9, writer: 1,
                operations: try data(40, seed: 50))
            var bytes: [UInt8] = []
            frame.write(
                to: &bytes, chain: frame.hash(fileID: LogFixture.fileID),
                salt: segment.header.salt)
            _ = try segment.append(
                bytes, at: found.result.end.offset, byteCountMaximum: LogFixture.capacity)
            let (frames, result) = try fixture.recover()
            #expect(frames == fixture.frames[..<lost] + [frame])
            #expect(result.damage == nil)
        }
    }

    @Test("Garbage of any kind after the last frame ends the log")
    func garbage() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 2)
        try fixture.trim(leaving: 2000)
        let whole = try #require(fixture.disk.contents(of: fixture.path))
        for seed in TestScale.seeds(300) {
            var random = SplitMix64(seed: seed)
            var bytes = whole[..<Int(fixture.end.offset)] + random.bytes(2000)
            for place in stride(from: Int(fixture.end.offset), to: bytes.count - 8, by: 8)
            where random.happens(oneIn: 3) {
                bytes.replaceSubrange(
                    place..<place + 8,
                    with: [UInt8(random.next() % 200), 0, 0, 0, UInt8(random.next() % 4)]
                        + Array("FRN".utf8))
            }
            fixture.disk.setContents(of: fixture.path, to: Array(bytes))
            let (frames, result) = try fixture.recover()
            #expect(frames == fixture.frames && result.damage == nil, "seed \(seed)")
        }
    }

    @Test("A file full of forged frames is refused in bounded time")
    func lies() throws {
        let fixture = try LogFixture(byteCount: 1 << 20)
        try fixture.append(count: 1)
        var lie = Frame(
            kind: .operations, lsn: LSN(900), durable: LSN(899), previous: .origin, time: 0,
            writer: 0, operations: RecordedOperations()
        ).encoded()
        lie[2] = 8
        lie[14] = 8
        fixture.damage { bytes in
            for place in stride(from: 20_000, to: bytes.count - 80, by: 72) {
                bytes.replaceSubrange(place..<place + 72, with: lie)
            }
        }
        #expect(try fixture.recover().result.damage == LSN(102))
    }

    @Test("Frames that another process appends during the scan are not damage")
    func concurrentAppends() throws {
        let fixture = try LogFixture(byteCount: 1 << 20)
        try fixture.append(count: 3)
        let large = try data(100_000, seed: 1)
        let segment = try fixture.reopen(readOnly: true)
        nonisolated(unsafe) let writer = fixture
        nonisolated(unsafe) var reads = 0
        fixture.disk.beforeEachOperation { operation in
            guard operation.kind == .read else { return }
            reads += 1
            // The first piece was read, and has nothing after the third frame.
            guard reads == 2 else { return }
            try? writer.append(large)
            try? writer.append(count: 2)
        }
        let (frames, result) = try LogFixture.recover(segment)
        fixture.disk.beforeEachOperation(nil)
        #expect(fixture.frames.count == 6 && frames == fixture.frames)
        #expect(result.damage == nil && result.end == fixture.end)
    }
}
