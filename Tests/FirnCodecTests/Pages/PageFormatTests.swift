import FirnCodec
import FirnValues
import Testing

/// The bytes of one small page per encoding: if one of these changes, files that exist cannot be
/// read any more.
@Suite("The format of pages")
struct PageFormatTests {
    private func hex(_ values: [Value], _ kind: ValueTag) throws -> (PageEncoding, String) {
        let builder = ColumnBuilder(kind: kind)
        for value in values { try builder.append(value) }
        let encoded = try builder.encode(.none)
        let bytes = SealedPage(encoded, seed: 1).bytes
        let digits = bytes.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }
        return (encoded.encoding, digits.joined())
    }

    @Test("constant")
    func constant() throws {
        let (encoding, bytes) = try hex([.int(5), .null, .int(5)], .int)
        #expect(encoding == .constant)
        #expect(
            bytes == "010200000300000001000000080000000100000002000000020a080000006d5d"
                + "7ddd0a7a3bbf0200000000000000")
    }

    @Test("packed")
    func packed() throws {
        let (encoding, bytes) = try hex([.int(300), .int(100), .null, .int(500)], .int)
        #expect(encoding == .packed)
        #expect(
            bytes == "020200000400000001000000100000000100000006000000c801c80102021000"
                + "0000fa1a77ecde97449104000000000000008100000000000000")
    }

    @Test("dictionary")
    func dictionary() throws {
        let values = ["JFK", "EWR", "JFK", "LGA", "EWR", "JFK"].map { Value.string($0) }
        let (encoding, bytes) = try hex(values, .string)
        #expect(encoding == .dictionary)
        #expect(
            bytes == "0304000006000000000000002000000001000000040000000302020920000000"
                + "f296a9fc9ed03e4d91040000000000003f000000000000004557524a464b4c47"
                + "4100000000000000")
    }

    @Test("heap")
    func heap() throws {
        let (encoding, bytes) = try hex([.string("é"), .string(""), .string("abc")], .string)
        #expect(encoding == .heap)
        #expect(
            bytes == "04040000030000000000000010000000010000000200000002051000000077e5"
                + "d03bf1c92bb63200000000000000c3a9616263000000")
    }

    @Test("fixed")
    func fixed() throws {
        let (encoding, bytes) = try hex([.double(1), .double(-0.0), .double(.pi)], .double)
        #expect(encoding == .fixed)
        #expect(
            bytes == "050300000300000000000000180000000100000000000000180000003ef0ce4a"
                + "e99b465f000000000000f03f0000000000000080182d4454fb210940")
    }

    @Test("decimal")
    func decimal() throws {
        let (encoding, bytes) = try hex([.double(1.25), .double(-3), .double(0.1)], .double)
        #expect(encoding == .decimal)
        #expect(
            bytes == "060300000300000000000000080000000100000006000000d704055507020800"
                + "0000ecc26955eaa38a0e55800f0000000000")
    }

    @Test("pairs")
    func pairs() throws {
        let dates = [(3_600, 0), (7_200, 500), (-3_600, 1_000)].map { seconds, nanoseconds in
            Value.date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        }
        let (encoding, bytes) = try hex(dates, .date)
        #expect(encoding == .pairs)
        #expect(
            bytes == "07060000030000000000000010000000010000000b0000009f38901c030200f4"
                + "030202100000006a7489c5a682f82c0e000000000000002400000000000000")
    }

    @Test("ascending")
    func ascending() throws {
        let (encoding, bytes) = try hex([1, 2, 4, 5, 6, 8, 9, 10].map { .int($0) }, .int)
        #expect(encoding == .ascending)
        #expect(
            bytes == "0802000008000000000000000800000001000000050000000201090402080000"
                + "00fe003f4e495b283a6459000000000000")
    }

    @Test("The numbers of encodings stay")
    func numbers() {
        let numbers = PageEncoding.allCases.map { "\($0) \($0.rawValue)" }
        #expect(
            numbers == [
                "constant 1", "packed 2", "dictionary 3", "heap 4", "fixed 5", "decimal 6",
                "pairs 7", "ascending 8",
            ])
    }
}
