import FirnPlatform
import FirnValues

/// Walks over the frames of a segment.
///
/// A frame counts if its seal is right and it goes on where the one before ended: with the next
/// number and the hash of that commit. Payloads are not decoded unless the caller does.
struct LogScan: ~Copyable {
    private static let recoveryChunkByteCount = 64 * 1024
    private static let followingChunkByteCount = 4 * 1024

    /// What recovery finds.
    struct Result: Hashable, Sendable {
        /// Behind the last frame that counts.
        let end: LogPosition
        let frameCount: Int
        /// The newest commit that certainly was on disk when the last frame was written.
        let durable: LSN
        /// A commit that was on disk once and cannot be read any more; `nil` if what follows the
        /// end was never acknowledged.
        let damage: LSN?

        func checkWhole(path: String) throws(StoreError) {
            if let damage {
                throw .corrupt(
                    path, "commit \(damage.rawValue) in the commit log, at byte \(end.offset)")
            }
        }
    }

    /// How far a follower came.
    struct Progress: Hashable, Sendable {
        enum End: Hashable, Sendable {
            /// All frames that were asked for.
            case reached
            /// The segment has another use by now. The frames handed out are right all the same.
            case recycled
            /// The next frame is not there, though the segment is the same.
            case missing
        }

        let end: End
        /// Behind the last frame handed out.
        let position: LogPosition
    }

    /// Behind the last frame.
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
    ///   - start: behind a frame that is known; `nil` for all frames.
    ///   - proven: a commit that certainly is on disk, from elsewhere: the base of the segment that
    ///     came next, or the version of the root.
    ///   - body: gets each frame, valid during the call.
    /// - Complexity: O(bytes of the file): what stands behind the last frame is searched for proof
    ///   that it was not the last.
    static func recover(
        _ segment: LogSegment, from start: LogPosition? = nil, proven: LSN = .zero,
        _ body: (ValidatedFrame) throws(StoreError) -> Void
    ) throws(StoreError) -> Result {
        let header = segment.header
        var scan = LogScan(
            segment, header, from: start ?? header.start, chunkByteCount: recoveryChunkByteCount)
        // What is written meanwhile is none of the crash.
        _ = try scan.window.fileByteCount()
        var isDamaged = false
        while let frame = try scan.next(isDamaged: &isDamaged, proven) { try body(frame) }
        return Result(
            end: scan.position, frameCount: scan.frameCount, durable: scan.durable,
            damage: isDamaged ? scan.position.lsn.next : nil)
    }

    /// Reads what another process appended.
    ///
    /// - Parameters:
    ///   - header: of the use of the segment that the position is from.
    ///   - last: the commit to come to; its frame was written before it was announced.
    ///   - body: gets each frame, valid during the call.
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

    /// The next frame; if there is none, whether that is damage.
    private mutating func next(
        isDamaged: inout Bool, _ proven: LSN
    ) throws(StoreError) -> ValidatedFrame? {
        if let frame = try next() { return frame }
        isDamaged = position.lsn < proven
        if !isDamaged { isDamaged = try findProof() }
        guard isDamaged else { return nil }
        // Another process may have written what was missing, and the proof, since it was read.
        window.forget()
        guard let frame = try next() else { return nil }
        isDamaged = false
        return frame
    }

    /// The next frame, valid until the next call; `nil` if there is none that counts.
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

    // MARK: Proof

    /// Whether the frame that is missing was on disk once.
    ///
    /// A power loss tears what was not synced: the last frames, of which none was acknowledged. If
    /// a whole frame behind the missing one says that the missing one was on disk before it, then
    /// it is not torn but damaged, and to go on without it would lose a commit in silence.
    private mutating func findProof() throws(StoreError) -> Bool {
        guard let missing = position.lsn.next else { return false }
        var offset = position.offset
        // Frames of one use that pass for proof and are none do not exist; whoever makes a file
        // full of them gets no more work out of us than this.
        let fileByteCount = try window.fileByteCount()
        var budget = 2 * (fileByteCount - min(offset, fileByteCount))
        while let run = try window.run(at: offset, atLeast: FrameHeader.frameByteCountMinimum) {
            guard let (place, header) = LogScan.candidate(in: run, after: missing) else {
                // The rest that is shorter than a frame is looked at again with what follows.
                let step = run.count - FrameHeader.frameByteCountMinimum + FrameHeader.alignment
                offset += UInt64(step & ~(FrameHeader.alignment - 1))
                continue
            }
            offset += UInt64(place)
            if let bytes = try window.bytes(at: offset, count: header.frameByteCount) {
                guard budget >= UInt64(header.frameByteCount) else { return true }
                budget -= UInt64(header.frameByteCount)
                if ValidatedFrame(header, in: bytes, salt: salt) != nil { return true }
            }
            offset += UInt64(FrameHeader.alignment)
        }
        return false
    }

    /// The first place where a header says that a missing commit was on disk.
    private static func candidate(
        in run: UnsafeRawBufferPointer, after missing: LSN
    ) -> (place: Int, header: FrameHeader)? {
        var place = 0
        while place <= run.count - FrameHeader.frameByteCountMinimum {
            let bytes = UnsafeRawBufferPointer(rebasing: run[place...])
            if let header = FrameHeader(bytes), header.lsn > missing, header.durable >= missing {
                return (place, header)
            }
            place += FrameHeader.alignment
        }
        return nil
    }
}
