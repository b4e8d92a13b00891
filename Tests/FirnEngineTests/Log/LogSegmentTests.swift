import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

#if canImport(Glibc)
import Glibc
#endif

@Suite("Segments of the commit log")
struct LogSegmentTests {
    private let step = Int(LogSegment.growthByteCount)

    private func open(_ disk: SimulatedFileSystem) throws(StoreError) -> LogSegment {
        try LogSegment.open(
            LogSegment.path(of: LogFixture.database, number: 6), fileID: LogFixture.fileID,
            generation: 3, readOnly: true, files: disk)
    }

    @Test("The bytes of a header never change")
    func golden() throws {
        let record = LogFixture.header().record(copy: 2)
        let words = stride(from: 0, to: record.count, by: 8).map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(record[start + $1]) << UInt64($1 * 8) }
        }
        #expect(
            words[..<10] == [
                0x1A0A_0D4C_5249_4689, 0x0000_0002_0000_0001, 0x0102_0304_0506_0708,
                0x090A_0B0C_0D0E_0F10, 3, 6, 100, 0xC0, 0x5A17, 0,
            ])
        #expect(words[10..<63].allSatisfy { $0 == 0 })
        var sealed = record
        sealed.seal(seed: 2)
        #expect(words.count == 64 && sealed == record)
    }

    @Test("A new segment is on disk with its name, and full of zeros")
    func creation() throws {
        let disk = SimulatedFileSystem()
        let header = LogFixture.header()
        _ = try LogSegment.create(
            header, of: LogFixture.database, byteCount: UInt64(step + 1), files: disk)
        let after = disk.powerLossImage(.nothingSurvives)
        #expect(after.fileNames == ["/log.firn-log0"])
        #expect(try open(after).header == header.with(byteCount: 2 * step))
        let bytes = try #require(after.contents(of: "/log.firn-log0"))
        #expect(bytes.count == 2 * step)
        #expect(bytes[LogHeader.byteCount...].allSatisfy { $0 == 0 })
        let zeroed = disk.history.filter { $0.kind == .write }.reduce(0) { $0 + $1.count }
        #expect(zeroed >= 2 * step, "holes would make a sync write more than the commit")
        let folder = TemporaryFolder()
        let real = try LogSegment.create(
            LogFixture.header(number: 7), of: folder("x.firn"), byteCount: 1,
            files: SystemFileSystem())
        #expect(folder.names == ["x.firn-log1"])
        #expect(try real.file.status().size == UInt64(step))
    }

    @Test("A log of another database or another generation counts as missing")
    func missing() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 3)
        let other = UUID(high: 1, low: 2)
        let attempts: [(path: String, fileID: UUID, generation: UInt64)] = [
            ("/log.firn-log1", LogFixture.fileID, 3), ("/no/x-log0", LogFixture.fileID, 3),
            (fixture.path, other, 3), (fixture.path, LogFixture.fileID, 2),
            (fixture.path, LogFixture.fileID, 4),
        ]
        for attempt in attempts {
            let error = #expect(throws: StoreError.self) {
                try LogSegment.open(
                    attempt.path, fileID: attempt.fileID, generation: attempt.generation,
                    readOnly: false, files: fixture.disk)
            }
            #expect(error?.code == .logMissing, "\(attempt)")
        }
    }

    @Test("Swapped segments are refused")
    func swapped() throws {
        let fixture = try LogFixture()
        fixture.disk.setContents(
            of: "/log.firn-log1", to: fixture.disk.contents(of: fixture.path) ?? [])
        let error = #expect(throws: StoreError.self) {
            try LogSegment.open(
                "/log.firn-log1", fileID: LogFixture.fileID, generation: 3, readOnly: true,
                files: fixture.disk)
        }
        #expect(error?.code == .corrupt)
    }

    @Test("Another file in place of a log is refused")
    func otherKinds() throws {
        let disk = SimulatedFileSystem()
        disk.makeSpecialFile("/log.firn-log0")
        disk.makeFolder("/log.firn-log1")
        for number in [6, 7] as [UInt64] {
            let error = #expect(throws: StoreError.self) {
                try LogSegment.open(
                    LogSegment.path(of: LogFixture.database, number: number),
                    fileID: LogFixture.fileID, generation: 3, readOnly: true, files: disk)
            }
            #expect(error?.cause?.code == .notARegularFile)
            let other = #expect(throws: StoreError.self) {
                try LogSegment.create(
                    LogFixture.header(number: number), of: LogFixture.database, byteCount: 1,
                    files: disk)
            }
            #expect(other?.cause?.code == .notARegularFile)
        }
    }

    @Test("One damaged copy of the header is harmless, but two damaged copies are an error")
    func headerDamage() throws {
        let fixture = try LogFixture()
        let header = fixture.segment.header
        #expect(header == LogFixture.header().with(byteCount: step))
        try fixture.trim()
        for bit in 0..<LogHeader.recordByteCount * 8 {
            let places = [bit / 8, 2 * LogHeader.pageByteCount + bit / 8]
            let mask = UInt8(1 << (bit % 8))
            for place in places {
                fixture.disk.corrupt(fixture.path, at: place, xor: mask)
                #expect(try fixture.reopen().header == header, "bit \(bit)")
                fixture.disk.corrupt(fixture.path, at: place, xor: mask)
            }
            for place in places { fixture.disk.corrupt(fixture.path, at: place, xor: mask) }
            let error = #expect(throws: StoreError.self, "bit \(bit)") { try fixture.reopen() }
            #expect(error?.code == .corrupt, "bit \(bit)")
            for place in places { fixture.disk.corrupt(fixture.path, at: place, xor: mask) }
        }
    }

    @Test("A file that is truncated inside its header is damaged")
    func truncatedHeader() throws {
        let fixture = try LogFixture()
        try fixture.trim()
        let whole = try #require(fixture.disk.contents(of: fixture.path))
        for count in stride(from: 0, to: LogHeader.byteCount, by: 64) {
            fixture.disk.setContents(of: fixture.path, to: Array(whole[..<count]))
            let error = #expect(throws: StoreError.self) { try fixture.reopen() }
            #expect(error?.code == .corrupt, "\(count) bytes")
        }
    }

    @Test("A log of a later format is reported as such")
    func laterFormat() throws {
        let fixture = try LogFixture()
        fixture.damage { bytes in
            var record = Array(bytes[..<LogHeader.recordByteCount])
            record[8] = 9
            record.seal(seed: 0)
            bytes.replaceSubrange(..<record.count, with: record)
        }
        let error = #expect(throws: StoreError.self) { try fixture.reopen() }
        #expect(error?.code == .formatTooNew)
    }

    @Test(
        "A leftover log of the same database is replaced, other files are not",
        .tags(.security))
    func leftovers() throws {
        let foreign = LogHeader(
            fileID: UUID(high: 9, low: 9), generation: 3, number: 6, base: .zero, chain: .origin,
            salt: 1)
        let header = LogFixture.header()
        let old = LogFixture.header(salt: 1).record(copy: 0)
        let cases: [(bytes: [UInt8], isReplaced: Bool)] = [
            ([], true), ([0, 0], true), ([UInt8](repeating: 0, count: step), true), (old, true),
            (Array(old[..<100]), true), (Array(old[..<511]) + [0], true),
            (foreign.record(copy: 0), false), (Array("my diary".utf8), false),
        ]
        for (index, item) in cases.enumerated() {
            let disk = SimulatedFileSystem()
            disk.setContents(of: "/log.firn-log0", to: item.bytes)
            let made = Result {
                try LogSegment.create(header, of: LogFixture.database, byteCount: 1, files: disk)
            }
            if item.isReplaced {
                let whole = header.with(byteCount: step)
                #expect(try made.get().header == whole, "case \(index)")
                #expect(try open(disk).header == whole, "case \(index)")
            } else {
                let error = #expect(throws: StoreError.self) { try made.get() }
                #expect(error?.code == .exists, "case \(index)")
                #expect(disk.contents(of: "/log.firn-log0") == item.bytes, "case \(index)")
            }
        }
    }

    /// A power loss on a file system that exposes old disk content left garbage in a segment during
    /// its creation; the database was refused because of it, although nothing had been committed
    /// there.
    @Test("An unfinished segment has a name that is never read, and is removed unread")
    func unfinished() throws {
        let unfinished = "/log.firn-log-090a0b0c0d0e0f10"
        let disk = SimulatedFileSystem()
        let names = Guarded<Set<String>>([])
        disk.beforeEachOperation { operation in
            guard [.write, .sync].contains(operation.kind) else { return }
            names.withLock { _ = $0.insert(operation.path) }
        }
        disk.setContents(of: unfinished, to: Array("garbage".utf8))
        _ = try LogSegment.create(
            LogFixture.header(), of: LogFixture.database, byteCount: 1, files: disk)
        #expect(names.withLock { $0 } == [unfinished])
        #expect(disk.fileNames == ["/log.firn-log0"])
    }

    @Test("A segment is not created through a link", .tags(.security))
    func link() throws {
        let folder = TemporaryFolder()
        let (victim, files) = (folder("victim"), SystemFileSystem())
        try files.open(victim, .createNew).write(Array("keep".utf8), at: 0)
        let link = LogSegment.unfinishedPath(of: folder("x.firn"), fileID: LogFixture.fileID)
        try #require(symlink(victim, link) == 0)
        _ = try LogSegment.create(
            LogFixture.header(), of: folder("x.firn"), byteCount: 1, files: files)
        #expect(try files.open(victim, .readOnly).bytes(at: 0, count: 5) == Array("keep".utf8))
        #expect(folder.names == ["victim", "x.firn-log0"])
    }

    @Test("Removal removes the name, and succeeds if there is none")
    func removal() throws {
        let fixture = try LogFixture()
        try LogSegment.remove(fixture.path, files: fixture.disk)
        #expect(fixture.disk.fileNames.isEmpty)
        try LogSegment.remove(fixture.path, files: fixture.disk)
    }

    @Test("Recycling a header takes one sync and keeps the space")
    func recycling() throws {
        let fixture = try LogFixture(byteCount: UInt64(3 * step))
        try fixture.append(count: 5)
        fixture.disk.forgetHistory()
        try fixture.recycle(salt: 2)
        #expect(fixture.disk.history.filter { $0.kind == .sync }.count == 1)
        #expect(fixture.disk.contents(of: fixture.path)?.count == 3 * step)
        let image = fixture.disk.powerLossImage(.nothingSurvives)
        #expect(try open(image).header == fixture.segment.header)
        #expect(fixture.segment.header.number == 8)
        #expect(try fixture.recover().frames.isEmpty, "frames of the use before do not count")
        try fixture.append(count: 2)
        #expect(try fixture.recover().frames == fixture.frames)
        var next = fixture.segment.header
        next.number = 10
        try fixture.segment.recycle(as: next, byteCountMaximum: UInt64(step))
        #expect(fixture.disk.contents(of: fixture.path)?.count == step)
        #expect(try fixture.reopen().header == next.with(byteCount: step))
    }

    /// The segment before may already say that this one follows: a crash must not be able to tear
    /// it.
    @Test("A new use that another process has begun is continued byte for byte")
    func begunTwice() throws {
        let fixture = try LogFixture()
        try fixture.append(count: 2)
        try fixture.recycle(salt: 5)
        let bytes = fixture.disk.contents(of: fixture.path)
        var again = fixture.segment.header
        again.salt = 6
        let other = try fixture.reopen()
        try other.recycle(as: again, byteCountMaximum: LogFixture.capacity)
        #expect(other.header == fixture.segment.header && other.header.salt == 5)
        #expect(fixture.disk.contents(of: fixture.path) == bytes)
    }

    @Test("A header is never recycled to an older or another use")
    func recyclingBack() throws {
        let fixture = try LogFixture()
        let good = fixture.segment.header
        var headers = [LogHeader](repeating: good, count: 4)
        headers[0].number = 4
        headers[1].number = 9
        headers[2].fileID = UUID(high: 1, low: 1)
        headers[3].generation = 4
        for header in headers {
            let error = #expect(throws: StoreError.self) {
                try fixture.segment.recycle(as: header, byteCountMaximum: 1 << 20)
            }
            #expect(error?.code == .corrupt)
        }
        #expect(try fixture.reopen().header == good)
    }
}
