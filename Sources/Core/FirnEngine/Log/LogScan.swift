import FirnPlatform
import FirnValues

/// A scan over the frames of a segment.
///
/// A frame counts if its seal is valid and it continues where the previous frame ended: with the
/// next number and the hash of that commit. Payloads are decoded only by the caller.
struct LogScan: ~Copyable {
    private static let recoveryChunkByteCount = 64 * 1024
    private static let followingChunkByteCount = 4 * 1024

    /// The result of recovery.
    struct Result: Hashable, Sendable {
        /// The position after the last frame that counts.
        let end: LogPosition
        let frameCount: Int
        /// The newest commit that was certainly on disk when the last frame was written.
        let durable: LSN
        /// A commit that was once on disk and is no longer readable.
        ///
        /// It is `nil` if the bytes after the end were never acknowledged.
        let damage: LSN?

        func checkWhole(path: String) throws(StoreError) {
            if let damage {
                throw .corrupt(
                    path, "commit \(damage.rawValue) in the commit log, at byte \(end.offset)")
            }
        }
    }

    /// The result of following the log.
    struct Progress: Hashable, Sendable {
        enum End: Hashable, Sendable {
            /// All requested frames were visited.
            case reached
            /// The segment has been reused; the frames already visited are valid nevertheless.
            case recycled
            /// The next frame is missing, although the segment has the same use.
            case missing
        }

        let end: End
        /// The position after the last visited frame.
        let position: LogPosition
    }

    /// The position after the last frame.
    private(set) var position: LogPosition
    private(set) var frameCount = 0
    private(set) var durable: LSN
    private let salt: UInt64
    var window: LogWindow

    private init(
        _ segment: LogSegment, _ header: LogHeader, from position: LogPosition,
        chunkByteCount: Int
    ) {
        self.position = position
        durable = header.base
        salt = header.salt
        window = LogWindow(segment.file, chunkByteCount: chunkByteCount)
    }

    /// Reads a segment after a crash, to its end.
    ///
    /// - Parameters:
    ///   - start: The position after a known frame; `nil` to read all frames.
    ///   - proven: A commit that is known to be on disk from another source: the base of the next
    ///     segment, or the version of the root.
    ///   - body: Receives each frame, which is valid during the call.
    /// - Complexity: O(bytes of the file), because the bytes after the last frame are searched for
    ///   proof that another frame followed it.
    static func recover(
        _ segment: LogSegment, from start: LogPosition? = nil, proven: LSN = .zero,
        _ body: (ValidatedFrame) throws(StoreError) -> Void
    ) throws(StoreError) -> Result {
        let header = segment.header
        var scan = LogScan(
            segment, header, from: start ?? header.start, chunkByteCount: recoveryChunkByteCount)
        // Bytes that are appended from now on do not stem from the crash.
        _ = try scan.window.fileByteCount()
        var isDamaged = false
        while let frame = try scan.next(isDamaged: &isDamaged, proven) { try body(frame) }
        return Result(
            end: scan.position, frameCount: scan.frameCount, durable: scan.durable,
            damage: isDamaged ? scan.position.lsn.next : nil)
    }

    /// Reads the frames that another process appended.
    ///
    /// - Parameters:
    ///   - header: The header of the use of the segment that the position refers to.
    ///   - last: The last commit to read; its frame was written before it was announced.
    ///   - body: Receives each frame, which is valid during the call.
    static func follow(
        _ segment: LogSegment, _ header: LogHeader, from start: LogPosition, through last: LSN,
        _ body: (ValidatedFrame) throws(StoreError) -> Void
    ) throws(StoreError) -> Progress {
        var scan = LogScan(
            segment, header, from: start, chunkByteCount: followingChunkByteCount)
        while scan.position.lsn < last {
            guard let frame = try scan.next() else {
                // The header is written and synced before the first frame of a new use.
                let now = try LogHeaderReading.read(from: segment.file).newest(segment.path).header
                return Progress(
                    end: now == header ? .missing : .recycled, position: scan.position)
            }
            try body(frame)
        }
        return Progress(end: .reached, position: scan.position)
    }

    /// Returns the next frame; if there is none, sets whether that is damage.
    private mutating func next(
        isDamaged: inout Bool, _ proven: LSN
    ) throws(StoreError) -> ValidatedFrame? {
        if let frame = try next() { return frame }
        isDamaged = position.lsn < proven
        if !isDamaged { isDamaged = try findProof() }
        guard isDamaged else { return nil }
        // Since the read, another process may have written the missing frame as well as the proof.
        window.forget()
        guard let frame = try next() else { return nil }
        isDamaged = false
        return frame
    }

    /// Returns the next frame, valid until the next call, or `nil` if no frame counts there.
    private mutating func next() throws(StoreError) -> ValidatedFrame? {
        guard let head = try window.bytes(at: position.offset, count: FrameHeader.byteCount),
            let header = FrameHeader(head), header.lsn == position.lsn.next,
            header.previous == position.chain,
            let bytes = try window.bytes(at: position.offset, count: header.frameByteCount),
            let frame = ValidatedFrame(header, in: bytes, salt: salt)
        else { return nil }
        position = LogPosition(
            offset: position.offset + UInt64(header.frameByteCount), lsn: header.lsn,
            chain: header.chain)
        frameCount += 1
        durable = max(durable, header.durable)
        return frame
    }

    // MARK: Proof of durability

    /// Whether the missing frame was once on disk.
    ///
    /// A power loss tears frames that were not synced: the last ones, none of which was
    /// acknowledged. If a complete frame after the missing one states that the missing one was on
    /// disk, the missing frame is not torn but damaged. To continue without it would silently lose
    /// a commit.
    private mutating func findProof() throws(StoreError) -> Bool {
        guard let missing = position.lsn.next else { return false }
        var offset = position.offset
        // Frames of the same use that only look like proof do not occur, so a file crafted to be
        // full of them gets no more work than this.
        let fileByteCount = try window.fileByteCount()
        var budget = 2 * (fileByteCount - min(offset, fileByteCount))
        while let run = try window.run(at: offset, atLeast: FrameHeader.frameByteCountMinimum) {
            guard let (index, header) = LogScan.candidate(in: run, after: missing) else {
                // The rest is shorter than a frame and is examined again with the next bytes.
                let step = run.count - FrameHeader.frameByteCountMinimum + FrameHeader.alignment
                offset += UInt64(step & ~(FrameHeader.alignment - 1))
                continue
            }
            offset += UInt64(index)
            if let bytes = try window.bytes(at: offset, count: header.frameByteCount) {
                guard budget >= UInt64(header.frameByteCount) else { return true }
                budget -= UInt64(header.frameByteCount)
                if ValidatedFrame(header, in: bytes, salt: salt) != nil { return true }
            }
            offset += UInt64(FrameHeader.alignment)
        }
        return false
    }

    /// Returns the first index at which a header states that a missing commit was on disk.
    private static func candidate(
        in run: UnsafeRawBufferPointer, after missing: LSN
    ) -> (index: Int, header: FrameHeader)? {
        var index = 0
        while index <= run.count - FrameHeader.frameByteCountMinimum {
            let bytes = UnsafeRawBufferPointer(rebasing: run[index...])
            if let header = FrameHeader(bytes), header.lsn > missing, header.durable >= missing {
                return (index, header)
            }
            index += FrameHeader.alignment
        }
        return nil
    }
}
