import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Frames")
struct FrameTests {
    private let fileID = UUID(high: 0x1122, low: 0x3344)

    private func frame(
        kind: Frame.Kind = .operations, _ operations: RecordedOperations = RecordedOperations()
    ) -> Frame {
        Frame(
            kind: kind, lsn: LSN(0x0102), durable: LSN(0x0101), previous: ChainHash(0xAABB),
            time: -2, writer: 0xCCDD, operations: operations)
    }

    private func deletion() -> RecordedOperations {
        var operations = RecordedOperations()
        operations.appendDelete(ClassID(1), RowID(5))
        return operations
    }

    /// An annotation that is as long as possible, and compresses well.
    private let longest = Annotation(
        author: String(repeating: "a", count: Annotation.authorByteCountMaximum),
        note: String(repeating: "n", count: Annotation.noteByteCountMaximum))

    @Test("The header of a root may contain an annotation, but nothing longer")
    func rootPayload() {
        let annotated = frame(kind: .root, RecordedOperations().annotated(with: longest))
        #expect(annotated.operations.byteCount <= Annotation.byteCountMaximum)
        var bytes = annotated.encoded()
        #expect(bytes.withUnsafeBytes { FrameHeader($0) }?.isCompressed == false)
        let tooLong = UInt32(Annotation.byteCountMaximum + 1)
        for offset in [0, 12] {
            bytes.withUnsafeMutableBytes {
                $0.storeBytes(of: tooLong.littleEndian, toByteOffset: offset, as: UInt32.self)
            }
        }
        #expect(bytes.withUnsafeBytes { FrameHeader($0) } == nil)
    }

    /// Operations that compress well, or not at all.
    private func large(isRandom: Bool, byteCount: Int) throws -> RecordedOperations {
        var random = SplitMix64(seed: UInt64(byteCount))
        var operations = RecordedOperations()
        let data =
            isRandom ? random.bytes(byteCount) : [UInt8](repeating: 0x61, count: byteCount)
        try operations.appendSet(ClassID(1), RowID(5), PropertyID(0), .data(data))
        return operations
    }

    @Test("The bytes of a frame never change")
    func golden() {
        var bytes: [UInt8] = []
        frame(deletion()).write(to: &bytes, chain: ChainHash(0xEE), salt: 7)
        let words = stride(from: 0, to: bytes.count, by: 8).map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
        }
        #expect(
            words[..<9] == [
                0x4E52_4600_0000_0003, 0x0000_0003_0000_0001, 0x0102, 0x0101, 0xAABB, 0xEE,
                UInt64(bitPattern: -2), 0xCCDD, 0x05_0182,
            ])
        let seal = bytes[..<72].withUnsafeBytes { Checksum.xxh64($0, seed: 7) }
        #expect(words[9...] == [seal])
        #expect(FrameHeader.byteCount == 64 && FrameHeader.frameByteCountMinimum == 72)
    }

    @Test("The hash of a commit never changes")
    func goldenHash() {
        #expect(frame(deletion()).hash(fileID: fileID) == ChainHash(0xB581_B4A9_D22D_9DD5))
        #expect(frame(kind: .root).hash(fileID: fileID) == ChainHash(0x8C0B_D93B_659B_27FE))
    }

    @Test("The hash covers only the content, the previous commit and the file")
    func hash() throws {
        let whole = frame(deletion())
        let hash = whole.hash(fileID: fileID)
        var same = whole
        same.durable = LSN(3)
        #expect(same.hash(fileID: fileID) == hash)
        #expect(whole.hash(fileID: UUID(high: 0x1122, low: 0x3345)) != hash)
        var others = [Frame](repeating: whole, count: 6)
        others[0].lsn = LSN(0x0103)
        others[1].previous = ChainHash(0xAABC)
        others[2].time = -3
        others[3].writer = 0xCCDE
        others[4].operations.appendDelete(ClassID(1), RowID(5))
        others[5].operations = RecordedOperations(bytes: whole.operations.bytes, count: 2)
        for other in others { #expect(other.hash(fileID: fileID) != hash) }
        #expect(frame(kind: .root).hash(fileID: fileID) != frame().hash(fileID: fileID))
    }

    @Test(
        "Frames of every size round-trip, compressed if that saves space",
        arguments: [0, 1, 7, 8, 4000, 4096, 5000, 65_536, 65_550, 200_000], [false, true])
    func roundTrip(byteCount: Int, isRandom: Bool) throws {
        let whole = frame(try large(isRandom: isRandom, byteCount: byteCount))
        let bytes = whole.encoded()
        #expect(bytes.count % FrameHeader.alignment == 0)
        #expect(try Frame(decoding: bytes) == whole)
        let isCompressed = bytes.count < whole.operations.byteCount
        #expect(isCompressed == (!isRandom && byteCount >= 4096))
        if !isCompressed { #expect(bytes.count < whole.operations.byteCount + 80) }
        #expect(try Frame(decoding: bytes).hash(fileID: fileID) == whole.hash(fileID: fileID))
    }

    @Test("Frames follow one another")
    func several() throws {
        let frames = [
            frame(deletion()), frame(kind: .root),
            frame(kind: .root, RecordedOperations().annotated(with: longest)),
            frame(deletion().annotated(with: longest)),
            frame(try large(isRandom: false, byteCount: 9000)), frame(),
        ]
        let bytes = frames.flatMap { $0.encoded() }
        #expect(try Frame.all(in: bytes) == frames)
        #expect(try Frame.all(in: []).isEmpty)
        #expect(throws: CodecError.self) { try Frame.all(in: Array(bytes.dropLast())) }
        #expect(throws: CodecError.self) { try Frame.all(in: bytes + [0]) }
        #expect(throws: CodecError.self) { try Frame(decoding: bytes) }
    }

    @Test("A frame with a flipped bit, or one that ends too early, is refused")
    func damage() throws {
        for operations in [deletion(), try large(isRandom: false, byteCount: 70_000)] {
            let bytes = frame(operations).encoded()
            for bit in 0..<bytes.count * 8 {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(throws: CodecError.self, "bit \(bit)") { try Frame(decoding: damaged) }
            }
            for count in 0..<bytes.count {
                let cut = Array(bytes[..<count])
                #expect(throws: CodecError.self, "\(count) bytes") { try Frame(decoding: cut) }
            }
        }
    }

    /// An attacker who can write a file can also recompute the seal.
    @Test("Forged lengths and kinds are refused without allocating memory for them")
    func lies() throws {
        let bytes = frame(try large(isRandom: false, byteCount: 70_000)).encoded()
        let changes: [(offset: Int, value: UInt32)] = [
            (0, .max), (0, 0), (0, 0x7FFF_FFF8), (4, 0x4E52_4603), (4, 0x4E52_4600),
            (4, 0x4E52_4604), (4, 0), (12, .max), (12, 16 << 20), (12, 70_100), (12, 60_000),
            (8, .max),
        ]
        for change in changes {
            var lie = bytes
            for index in 0..<4 {
                lie[change.offset + index] = UInt8(
                    truncatingIfNeeded: change.value >> UInt32(index * 8))
            }
            lie.seal(seed: 0)
            #expect(throws: CodecError.self, "\(change)") { try Frame(decoding: lie) }
        }
    }

    @Test("Random bytes are not a frame")
    func garbage() {
        for seed in TestScale.seeds(5000) {
            var random = SplitMix64(seed: seed)
            var bytes = random.bytes(72 + Int(random.next() % 64))
            bytes.replaceSubrange(4..<8, with: [UInt8(seed % 4), 0x46, 0x52, 0x4E])
            if seed % 3 == 0 { bytes.replaceSubrange(0..<4, with: [16, 0, 0, 0]) }
            #expect(throws: CodecError.self, "seed \(seed)") { try Frame(decoding: bytes) }
        }
    }
}
