import FirnTesting
import Testing

@testable import FirnCodec

@Suite("Bytes")
struct ByteReaderTests {
    private func read<R>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(CodecError) -> R
    ) throws(CodecError) -> R {
        let result = bytes.withUnsafeBytes { bytes -> Result<R, CodecError> in
            var reader = ByteReader(bytes)
            do throws(CodecError) {
                let value = try body(&reader)
                try reader.finish()
                return .success(value)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    @Test(
        "Varints have known bytes",
        arguments: [
            (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
            (UInt64(UInt32.max), [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
            (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
        ] as [(UInt64, [UInt8])])
    func varints(value: UInt64, bytes: [UInt8]) throws {
        var writer = ByteWriter()
        writer.varint(value)
        #expect(writer.bytes == bytes)
        #expect(try read(bytes) { reader throws(CodecError) in try reader.varint() } == value)
    }

    @Test(
        "Signed varints have known bytes",
        arguments: [
            (0, [0]), (-1, [1]), (1, [2]), (-64, [0x7F]), (64, [0x80, 1]),
            (.max, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
            (.min, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
        ] as [(Int64, [UInt8])])
    func zigzags(value: Int64, bytes: [UInt8]) throws {
        var writer = ByteWriter()
        writer.zigzag(value)
        #expect(writer.bytes == bytes)
        #expect(try read(bytes) { reader throws(CodecError) in try reader.zigzag() } == value)
    }

    @Test(
        "Non-canonical varints are refused",
        arguments: [
            [], [0x80], [0x80, 0], [0xFF, 0], Array(repeating: 0xFF, count: 9) + [2],
            Array(repeating: 0x80, count: 11),
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: CodecError.self) {
            try read(bytes) { reader throws(CodecError) in try reader.varint() }
        }
    }

    /// Numbers of several bytes are read eight bytes at a time, near the end together with the
    /// bytes before them.
    @Test("A varint is read at any position, whatever bytes surround it")
    func neighbouringBytes() throws {
        for bitCount in 0...64 {
            for value in [UInt64.max, 1 << 63, 0x9249_2492_4924_9249].map({
                bitCount == 0 ? 0 : $0 >> UInt64(64 - bitCount)
            }) {
                var writer = ByteWriter()
                writer.varint(value)
                for (before, after, byte) in [0, 1, 8].flatMap({ before in
                    (0...8).flatMap { after in
                        [UInt8(0), 0x80, 0xFF].map { (before, after, $0) }
                    }
                }) {
                    let around = [UInt8](repeating: byte, count: before)
                    let bytes = around + writer.bytes + [UInt8](repeating: byte, count: after)
                    let found = try read(bytes) { reader throws(CodecError) in
                        _ = try reader.skip(before)
                        let found = try reader.varint()
                        _ = try reader.skip(after)
                        return found
                    }
                    #expect(found == value)
                    try read(bytes) { reader throws(CodecError) in
                        _ = try reader.skip(before)
                        try reader.skipVarint()
                        _ = try reader.skip(after)
                    }
                    // A truncated or longer form is not a varint.
                    guard value > 0x7F else { continue }
                    #expect(throws: CodecError.self) {
                        try read(around + writer.bytes.dropLast()) { reader throws(CodecError) in
                            _ = try reader.skip(before)
                            return try reader.varint()
                        }
                    }
                    guard let last = writer.bytes.last, writer.bytes.count < 10 else { continue }
                    let longer = writer.bytes.dropLast() + [last | 0x80, 0]
                    #expect(throws: CodecError.self) {
                        try read(around + longer + Array(repeating: byte, count: after)) {
                            reader throws(CodecError) in
                            _ = try reader.skip(before)
                            _ = try reader.varint()
                            _ = try reader.skip(after)
                        }
                    }
                }
            }
        }
    }

    @Test("The UTF-8 check of a short string works at any position, whatever bytes surround it")
    func shortTexts() throws {
        for (count, after) in (0...10).flatMap({ count in (0...9).map { (count, $0) } }) {
            let text = [UInt8](repeating: UInt8(ascii: "t"), count: count)
            let rest = [UInt8](repeating: 0xFF, count: after)
            let found = try read(text + rest) { reader throws(CodecError) in
                let found = Array(try reader.utf8(count))
                _ = try reader.skip(after)
                return found
            }
            #expect(found == text)
            for place in 0..<count {
                var broken = text
                broken[place] = 0x80
                #expect(throws: CodecError.self, "\(place) of \(count) before \(after)") {
                    try read(broken + rest) { reader throws(CodecError) in
                        _ = try reader.utf8(count)
                        _ = try reader.skip(after)
                    }
                }
            }
        }
    }

    @Test("Integers are little-endian, and strings have a length prefix")
    func forms() throws {
        var writer = ByteWriter()
        writer.u8(1)
        writer.u16(0x0203)
        writer.u32(0xFF)
        writer.u64(0x0809_0A0B_0C0D_0E0F)
        writer.string("é")
        #expect(
            writer.bytes == [
                1, 3, 2, 0xFF, 0, 0, 0, 0xF, 0xE, 0xD, 0xC, 0xB, 0xA, 9, 8, 2, 0xC3, 0xA9,
            ])
        try read(writer.bytes) { reader throws(CodecError) in
            #expect(try reader.u8() == 1)
            #expect(try reader.u16() == 0x0203)
            #expect(try reader.u32() == 0xFF)
            #expect(try reader.u64() == 0x0809_0A0B_0C0D_0E0F)
            #expect(try reader.string() == "é")
        }
    }

    @Test("An error names the position at which it was detected")
    func offsets() {
        let error = #expect(throws: CodecError.self) {
            try read([1, 2, 3]) { reader throws(CodecError) in
                _ = try reader.u16()
                return try reader.u32()
            }
        }
        #expect(error?.offset == 2)
        #expect(throws: CodecError.self) {
            try read([5, 0x61]) { reader throws(CodecError) in try reader.string() }
        }
        #expect(throws: CodecError.self) {
            try read([5]) { reader throws(CodecError) in try reader.bytes(-1) }
        }
    }

    @Test(
        "Text that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0x61, 0xE2, 0x82], [0xFF], Array("abcdefgh".utf8) + [0xC3, 0x28],
        ] as [[UInt8]])
    func badText(bytes: [UInt8]) {
        #expect(throws: CodecError.self) {
            try read([UInt8(bytes.count)] + bytes) { reader throws(CodecError) in
                try reader.string()
            }
        }
    }

    @Test("The UTF-8 check agrees with the standard library")
    func agreesWithStandardLibrary() throws {
        var random = SplitMix64(seed: 11)
        let alphabet: [UInt8] = [
            0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0,
            0xF4,
        ]
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...6, using: &random)
            let bytes = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let expected = String(validating: bytes, as: UTF8.self)
            let found = try? read([UInt8(length)] + bytes) { reader throws(CodecError) in
                try reader.string()
            }
            #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(bytes)")
        }
    }
}
