import FirnCodec
import FirnTesting
import Testing

@Suite("LZ4 blocks")
struct LZ4BlockTests {
    private let repeating = (0..<65_536).map { UInt8($0 / 7 % 50) }

    @Test("Repeating bytes round-trip", arguments: [CompressionLevel.fast, .high])
    func roundTrip(level: CompressionLevel) throws {
        var compressed: [UInt8] = [9, 9]
        let written = repeating.withUnsafeBytes {
            LZ4Block.compress($0, level: level, to: &compressed)
        }
        let count = try #require(written)
        #expect(compressed.count == count + 2)
        #expect(count < 65_536 / 8 * 7)
        var back = [UInt8](repeating: 0, count: repeating.count)
        try compressed[2...].withUnsafeBytes { source in
            try back.withUnsafeMutableBytes { target in
                try LZ4Block.decompress(source, into: target)
            }
        }
        #expect(back == repeating)
    }

    @Test("The example block in the format specification decompresses")
    func golden() throws {
        // Token: 1 literal, match of 4 + 10; literal "a", offset 1; then 5 literals.
        let block: [UInt8] = [0x1A, 0x61, 1, 0, 0x50, 0x62, 0x63, 0x64, 0x65, 0x66]
        var text = [UInt8](repeating: 0, count: 20)
        try block.withUnsafeBytes { source in
            try text.withUnsafeMutableBytes { target in
                try LZ4Block.decompress(source, into: target)
            }
        }
        #expect(String(decoding: text, as: UTF8.self) == "aaaaaaaaaaaaaaabcdef")
    }

    @Test("A block that is short or does not shrink by an eighth stays uncompressed")
    func notWorthIt() {
        var random = SplitMix64(seed: 1)
        let noise = (0..<4_096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var target: [UInt8] = [1]
        for bytes in [noise, Array(repeating: 0, count: 511)] {
            let written = bytes.withUnsafeBytes {
                LZ4Block.compress($0, level: .fast, to: &target)
            }
            #expect(written == nil)
            #expect(target == [1])
        }
    }

    @Test("Every truncation and every wrong length is refused", .tags(.security))
    func damaged() throws {
        var compressed: [UInt8] = []
        _ = repeating[..<2_048].withUnsafeBytes {
            LZ4Block.compress($0, level: .fast, to: &compressed)
        }
        func decompress(_ bytes: ArraySlice<UInt8>, _ size: Int) throws {
            var target = [UInt8](repeating: 0, count: size)
            try bytes.withUnsafeBytes { source in
                try target.withUnsafeMutableBytes { target in
                    try LZ4Block.decompress(source, into: target)
                }
            }
        }
        for count in 0..<compressed.count {
            #expect(throws: CodecError.self) { try decompress(compressed[..<count], 2_048) }
        }
        #expect(throws: CodecError.self) { try decompress(compressed[...], 2_047) }
        #expect(throws: CodecError.self) { try decompress(compressed[...], 2_049) }
        #expect(throws: CodecError.self) { try decompress(compressed[...], 0) }
    }
}
