import FirnTesting
import Testing

@testable import FirnColumnar

@Suite("Compression of pages")
struct CodecTests {
    private static let codecs: [ColumnarCodec] = [.none, .snappy, .gzip, .zstd, .lz4]

    private static func inputs(seed: UInt64) -> [[UInt8]] {
        var generator = SplitMix64(seed: seed)
        let noise = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let words = (0..<20_000).flatMap { _ in
            Array(["alpha ", "beta ", "gamma "].randomElement(using: &generator)?.utf8 ?? "".utf8)
        }
        return [
            [7], Array(repeating: 0, count: 200_000), noise, words, Array(noise[..<61]),
            words + noise + words,
        ]
    }

    private func compressed(_ bytes: [UInt8], _ codec: ColumnarCodec) throws -> [UInt8] {
        let output = ByteOutput()
        let count = try bytes.withUnsafeBytes {
            try PageCompressor(codec).compress($0, to: output)
        }
        #expect(count == output.count)
        return Array(output.bytes)
    }

    private func decompressed(
        _ bytes: [UInt8], _ codec: ColumnarCodec, count: Int
    ) throws -> [UInt8] {
        let block = ByteBlock(capacity: count)
        try bytes.withUnsafeBytes { try codec.decompress($0, into: block.writable) }
        return Array(block.buffer)
    }

    @Test("Decompression restores the compressed bytes", arguments: codecs)
    func roundTrip(codec: ColumnarCodec) throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        for (index, input) in Self.inputs(seed: seed).enumerated() {
            let found = try decompressed(
                try compressed(input, codec), codec, count: input.count)
            #expect(found == input, "seed \(seed), input \(index)")
        }
    }

    @Test("A size that differs from the size of the page is an error", arguments: codecs)
    func sizes(codec: ColumnarCodec) throws {
        let input = Array("one two one two one two one two".utf8)
        let bytes = try compressed(input, codec)
        for count in [1, input.count - 1, input.count + 1, 100_000] {
            #expect(throws: ColumnarError.self) {
                try decompressed(bytes, codec, count: count)
            }
        }
    }

    @Test(
        "Bytes that are changed or cut off never lead beyond the end of the page", arguments: codecs
    )
    func damaged(codec: ColumnarCodec) throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SplitMix64(seed: seed)
        let input = Array(repeatElement("abcdefgh12345678", count: 40).joined().utf8)
        let bytes = try compressed(input, codec)
        for _ in 0..<2_000 {
            let changed = generator.damaging(bytes)
            // Not all damage can be seen without a checksum.
            let found = try? decompressed(changed, codec, count: input.count)
            #expect(found == nil || found?.count == input.count)
        }
    }

    /// Distances and lengths that only writers of other libraries make.
    @Test("Snappy copies with offsets of one, two and four bytes are read")
    func snappyCopies() throws {
        let text = Array("abcd".utf8)
        let literal: [UInt8] = [3 << 2] + text
        for copy: [UInt8] in [[0x01, 4], [0x0E, 4, 0], [0x0F, 4, 0, 0, 0]] {
            #expect(try decompressed([8] + literal + copy, .snappy, count: 8) == text + text)
        }
        // A distance of zero, one beyond the start, and a literal beyond the end.
        for damage: [UInt8] in [[0x01, 0], [0x01, 5], [0xF0, 200]] {
            #expect(throws: ColumnarError.self) {
                try decompressed([8] + literal + damage, .snappy, count: 8)
            }
        }
    }
}
