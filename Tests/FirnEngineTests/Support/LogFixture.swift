import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnEngine

/// A segment on a simulated disk, and the frames that were appended to it.
final class LogFixture {
    static let database = "/log.firn"
    static let fileID = UUID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
    static let capacity: UInt64 = 4 << 20

    let disk: SimulatedFileSystem
    let segment: LogSegment
    private(set) var frames: [Frame] = []
    /// The offset of each frame, and the end of the last.
    private(set) var offsets: [UInt64] = [UInt64(LogHeader.byteCount)]
    private var chain: ChainHash

    var path: String { segment.path }
    var end: LogPosition {
        LogPosition(
            offset: offsets.last ?? 0, lsn: frames.last?.lsn ?? segment.header.base, chain: chain)
    }

    static func header(number: UInt64 = 6, salt: UInt64 = 0x5A17) -> LogHeader {
        LogHeader(
            fileID: fileID, generation: 3, number: number, base: LSN(100), chain: ChainHash(0xC0),
            salt: salt)
    }

    init(
        _ header: LogHeader = LogFixture.header(), on disk: SimulatedFileSystem = .init(),
        byteCount: UInt64 = 1
    ) throws {
        self.disk = disk
        segment = try LogSegment.create(
            header, of: LogFixture.database, byteCount: byteCount, files: disk)
        chain = header.chain
    }

    /// Opens the file of the segment as another process does.
    func reopen(readOnly: Bool = false) throws(StoreError) -> LogSegment {
        try LogSegment.open(
            path, fileID: LogFixture.fileID, generation: 3, readOnly: readOnly, files: disk)
    }

    /// Appends a commit.
    ///
    /// - Parameter lag: the number of preceding commits that are not known to be on disk.
    func append(_ operations: RecordedOperations, lag: UInt64 = 0) throws {
        let lsn = end.lsn.rawValue + 1
        let frame = Frame(
            kind: operations.isEmpty ? .root : .operations, lsn: LSN(lsn),
            durable: LSN(lsn - 1 - min(lag, lsn - 1)), previous: chain, time: Int64(lsn) * 1000,
            writer: 77, operations: operations)
        var bytes: [UInt8] = []
        let hash = frame.hash(fileID: LogFixture.fileID)
        frame.write(to: &bytes, chain: hash, salt: segment.header.salt)
        let start = end.offset
        offsets.append(
            try segment.append(bytes, at: start, byteCountMaximum: LogFixture.capacity))
        chain = hash
        frames.append(frame)
    }

    /// Appends commits of different sizes.
    func append(count: Int, lag: UInt64 = 0) throws {
        for _ in 0..<count {
            var operations = RecordedOperations()
            for row in 0..<(frames.count % 3) {
                operations.appendDelete(ClassID(1), RowID(UInt64(row)))
            }
            try append(operations, lag: lag)
        }
    }

    /// Begins a new use of the file, after the appended frames.
    func recycle(salt: UInt64) throws {
        var header = segment.header
        header.number += 2
        header.base = end.lsn
        header.chain = chain
        header.salt = salt
        try segment.recycle(as: header, byteCountMaximum: LogFixture.capacity)
        frames = []
        offsets = [UInt64(LogHeader.byteCount)]
    }

    /// The result of a recovery, with all frames decoded.
    static func recover(
        _ segment: LogSegment, proven: LSN = .zero
    ) throws -> (frames: [Frame], result: LogScan.Result) {
        var frames: [Frame] = []
        let result = try LogScan.recover(segment, proven: proven) { sealed throws(StoreError) in
            do throws(CodecError) {
                frames.append(try sealed.frame())
            } catch {
                throw .corrupt(segment.path, error.reason)
            }
        }
        return (frames, result)
    }

    func recover() throws -> (frames: [Frame], result: LogScan.Result) {
        try LogFixture.recover(reopen(readOnly: true))
    }

    /// Cuts the file short after the last frame, so that a test need not search all its zeros.
    func trim(leaving byteCount: Int = 256) throws {
        try segment.file.truncate(to: end.offset + UInt64(byteCount))
    }

    /// Changes the file without the knowledge of the fixture.
    func damage(_ change: (inout [UInt8]) -> Void) {
        var bytes = disk.contents(of: path) ?? []
        change(&bytes)
        disk.setContents(of: path, to: bytes)
    }
}

extension LogHeader {
    /// The header for a file of another length.
    func with(byteCount: Int) -> LogHeader {
        var header = self
        header.fileByteCount = UInt64(byteCount)
        return header
    }
}

extension [UInt8] {
    /// Recomputes the last eight bytes, as an attacker with write access could.
    mutating func seal(seed: UInt64) {
        let end = count - 8
        let seal = self[..<end].withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
        for index in 0..<8 {
            self[end + index] = UInt8(truncatingIfNeeded: seal >> UInt64(index * 8))
        }
    }
}
