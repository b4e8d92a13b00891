import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Following a commit log that another process writes")
struct LogFollowingTests {
    private func follow(
        _ segment: LogSegment, _ header: LogHeader, from start: LogPosition, through last: LSN
    ) throws -> (lsns: [UInt64], progress: LogScan.Progress) {
        var lsns: [UInt64] = []
        let progress = try LogScan.follow(segment, header, from: start, through: last) {
            frame throws(StoreError) in lsns.append(frame.header.lsn.rawValue)
        }
        return (lsns, progress)
    }

    @Test("Each call continues where the last one ended, and stops at the requested commit")
    func progress() throws {
        let fixture = try LogFixture()
        let reader = try fixture.reopen(readOnly: true)
        var position = reader.header.start
        for round in 0..<40 as Range<UInt64> {
            try fixture.append(count: 3)
            let last = 102 + round * 3
            let (lsns, progress) = try follow(
                reader, reader.header, from: position, through: LSN(last))
            #expect(progress.end == .reached && progress.position.lsn == LSN(last))
            #expect(lsns == Array((last - (round == 0 ? 1 : 2))...last))
            position = progress.position
        }
        let none = try follow(reader, reader.header, from: position, through: position.lsn)
        #expect(none.lsns.isEmpty && none.progress.end == .reached)
    }

    @Test("A commit that does not exist is reported as missing, without an endless wait")
    func missing() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 3)
        let reader = try fixture.reopen(readOnly: true)
        let (lsns, progress) = try follow(
            reader, reader.header, from: reader.header.start, through: LSN(104))
        #expect(lsns == [101, 102, 103])
        #expect(progress == LogScan.Progress(end: .missing, position: fixture.end))
    }

    @Test("A reused segment is reported as such, whatever it contains")
    func recycled() throws {
        for newCount in [0, 1, 3, 10] {
            let fixture = try LogFixture()
            try fixture.append(count: 4)
            let reader = try fixture.reopen(readOnly: true)
            let position = fixture.end
            try fixture.append(count: 2)
            let last = fixture.end.lsn
            try fixture.recycle(salt: 0xBEEF)
            try fixture.append(count: newCount)
            let (lsns, progress) = try follow(
                reader, reader.header, from: position, through: LSN(110))
            // Frames that were not overwritten yet are right, and may be returned.
            #expect([[], [105, 106]].contains(lsns))
            #expect(progress.end == .recycled && progress.position.lsn <= last)
            #expect(try reader.reload() == fixture.segment.header)
        }
    }

    @Test("A segment that is reused during a read never gives a wrong frame")
    func recycledInBetween() throws {
        for moment in 0..<6 {
            let fixture = try LogFixture(byteCount: 1 << 20)
            let bytes = [UInt8](repeating: 7, count: 3000)
            for row in 0..<20 as Range<UInt64> {
                var operations = RecordedOperations()
                try operations.appendSet(ClassID(1), RowID(row), PropertyID(0), .data(bytes))
                try fixture.append(operations)
            }
            let reader = try fixture.reopen(readOnly: true)
            let expected = fixture.frames
            nonisolated(unsafe) let writer = fixture
            nonisolated(unsafe) var reads = 0
            fixture.disk.beforeEachOperation { operation in
                guard operation.kind == .read else { return }
                reads += 1
                guard reads == moment + 1 else { return }
                try? writer.recycle(salt: 0xF00D)
                try? writer.append(count: 30)
            }
            var frames: [Frame] = []
            let progress = try LogScan.follow(
                reader, reader.header, from: reader.header.start, through: LSN(120)
            ) { frame throws(StoreError) in
                if let frame = try? frame.frame() { frames.append(frame) }
            }
            fixture.disk.beforeEachOperation(nil)
            #expect(frames == Array(expected[..<frames.count]), "moment \(moment)")
            #expect(progress.end == (frames.count == 20 ? .reached : .recycled))
            #expect(progress.position.lsn.rawValue == 100 + UInt64(frames.count))
        }
    }
}
