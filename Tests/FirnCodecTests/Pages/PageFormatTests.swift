import FirnCodec
import FirnValues
import Testing

/// The bytes of one small page per encoding: if one of these changes, existing files become
/// unreadable.
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

    @Test("A constant page has known bytes")
    func constant() throws {
        let (encoding, bytes) = try hex([.int(5), .null, .int(5)], .int)
        #expect(encoding == .constant)
        #expect(
            bytes == "010200000300000001000000080000000100000002000000020a080000006d5d"
                + "7ddd0a7a3bbf0200000000000000")
    }

    @Test("A packed page has known bytes")
    func packed() throws {
        let (encoding, bytes) = try hex([.int(300), .int(100), .null, .int(500)], .int)
        #expect(encoding == .packed)
        #expect(
            bytes == "020200000400000001000000100000000100000006000000c801c80102021000"
                + "0000fa1a77ecde97449104000000000000008100000000000000")
    }

    @Test("A dictionary page has known bytes")
    func dictionary() throws {
        let values = ["JFK", "EWR", "JFK", "LGA", "EWR", "JFK"].map { Value.string($0) }
        let (encoding, bytes) = try hex(values, .string)
        #expect(encoding == .dictionary)
        #expect(
            bytes == "0304000006000000000000001800000001000000050000000302030009180000"
                + "00d5b04597619ab4f091040000000000004557524a464b4c4741000000000000"
                + "00")
    }

    @Test("A heap page has known bytes")
    func heap() throws {
        let (encoding, bytes) = try hex([.string("é"), .string(""), .string("abc")], .string)
        #expect(encoding == .heap)
        #expect(
            bytes == "0404000003000000000000001000000001000000030000000002051000000077"
                + "e5d03bf1c92bb63200000000000000c3a9616263000000")
    }

    @Test("A fixed page has known bytes")
    func fixed() throws {
        let (encoding, bytes) = try hex([.double(1), .double(-0.0), .double(.pi)], .double)
        #expect(encoding == .fixed)
        #expect(
            bytes == "050300000300000000000000180000000100000000000000180000003ef0ce4a"
                + "e99b465f000000000000f03f0000000000000080182d4454fb210940")
    }

    @Test("A decimal page has known bytes")
    func decimal() throws {
        let (encoding, bytes) = try hex([.double(1.25), .double(-3), .double(0.1)], .double)
        #expect(encoding == .decimal)
        #expect(
            bytes == "060300000300000000000000080000000100000006000000d704055507020800"
                + "0000ecc26955eaa38a0e55800f0000000000")
    }

    @Test("A page of pairs has known bytes")
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

    @Test("An ascending page has known bytes")
    func ascending() throws {
        let (encoding, bytes) = try hex([1, 2, 4, 5, 6, 8, 9, 10].map { .int($0) }, .int)
        #expect(encoding == .ascending)
        #expect(
            bytes == "0802000008000000000000000800000001000000050000000201090402080000"
                + "00fe003f4e495b283a6459000000000000")
    }

    @Test("Decimal and fixed pages of floats have known bytes")
    func floats() throws {
        let short = try hex([.float(1.25), .float(-3), .float(0.1)], .float)
        #expect(short.0 == .decimal)
        #expect(
            short.1 == "060b00000300000000000000080000000100000006000000d704055507020800"
                + "0000ecc26955eaa38a0e55800f0000000000")
        let exact = try hex([.float(1), .float(-0.0), .float(.pi)], .float)
        #expect(exact.0 == .fixed)
        #expect(
            exact.1 == "050b000003000000000000001000000001000000000000001000000066c84aa0"
                + "6a9d752b0000803f00000080da0f494000000000")
    }

    @Test("A heap of identifiers has no bits for lengths and none for nulls")
    func identifiers() throws {
        let ids = (1...3).map { Value.objectID(ObjectID(high: $0 << 56, low: 0xFF)) }
        let (encoding, bytes) = try hex(ids + [.null], .objectID)
        #expect(encoding == .heap)
        #expect(
            bytes == "0408000004000000010000003000000001000000030000000c00243000000048"
                + "8b9e8a6296e17b08000000000000000100000000000000000000ff0200000000"
                + "000000000000ff0300000000000000000000ff00000000")
    }

    @Test("Dictionary and constant pages of tagged values have known bytes")
    func any() throws {
        let values: [Value] = [.int(1), .list([.null]), .int(1), .int(1), .int(1), .int(1)]
        let (encoding, bytes) = try hex(values, .any)
        #expect(encoding == .dictionary)
        #expect(
            bytes == "030f000006000000000000001800000001000000050000000201020105180000"
                + "00a386cda0eca896250200000000000000020000000000000002020c01000000"
                + "00")
        let constant = try hex([.map(["a": .bool(true)]), .null], .any)
        #expect(constant.0 == .constant)
        #expect(
            constant.1 == "010f000002000000010000000800000001000000060000000e01016101010800"
                + "00006d5d7ddd0a7a3bbf0200000000000000")
    }

    @Test("The numbers of encodings never change")
    func numbers() {
        let numbers = PageEncoding.allCases.map { "\($0) \($0.rawValue)" }
        #expect(
            numbers == [
                "constant 1", "packed 2", "dictionary 3", "heap 4", "fixed 5", "decimal 6",
                "pairs 7", "ascending 8",
            ])
    }
}
