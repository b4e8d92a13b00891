import FirnCodec
import FirnTesting
import FirnValues
import Testing

@Suite("Choosing an encoding")
struct ColumnBuilderTests {
    private func page(_ values: [Value], _ kind: ValueTag) throws -> EncodedPage {
        let builder = ColumnBuilder(kind: kind)
        for value in values { try builder.append(value) }
        return try builder.encode(.none)
    }

    @Test("Hourly timestamps take only the bits that their number of hours needs")
    func steps() throws {
        let hours = (0..<1_000).shuffledOnce().map { Int64($0) * 3_600 - 7_000_000 }
        let encoded = try page(hours.map { .date(Timestamp(seconds: $0)) }, .date)
        #expect(encoded.encoding == .packed)
        #expect(encoded.rawByteCount == (1_000 * 10 + 63) / 64 * 8)
    }

    @Test("The whole range of integers fits a frame of reference")
    func wholeRange() throws {
        let encoded = try page([.int(.min), .int(.max), .int(0)], .int)
        #expect(encoded.encoding == .packed)
        #expect(encoded.rawByteCount == 24)
        let ends = try page([.int(.min), .int(.max)], .int)
        #expect(ends.rawByteCount == 8)
    }

    @Test("Ascending keys take only the bits of their differences")
    func ascending() throws {
        let encoded = try page((0..<1_000).map { .int($0 * 7 / 3 + $0 % 2) }, .int)
        #expect(encoded.encoding == .ascending)
        #expect(encoded.rawByteCount <= 1_000 * 3 / 8 + 8)
    }

    @Test("Doubles with few decimals are stored as integers, others unchanged")
    func doubles() throws {
        let cents = (0..<100).map { Value.double(Double($0 * 37 - 1_000) / 100) }
        #expect(try page(cents, .double).encoding == .decimal)
        for other in [-0.0, .nan, .infinity, .pi, 0x1p54, .leastNonzeroMagnitude] {
            #expect(try page(cents + [.double(other)], .double).encoding == .fixed)
        }
        #expect(try page([.double(-0.0), .double(0.0)], .double).encoding == .fixed)
        #expect(try page([.double(.nan), .double(.nan)], .double).encoding == .constant)
    }

    @Test("Repeated strings are stored as a dictionary, other strings as a heap")
    func strings() throws {
        let few = (0..<5_000).map { Value.string("plane \($0 % 700)") }
        #expect(try page(few, .string).encoding == .dictionary)
        let all = (0..<5_000).map { Value.string("plane \($0)") }
        #expect(try page(all, .string).encoding == .heap)
        // Only after many distinct strings is it clear that nothing repeats.
        let late = all + few + [.null]
        let builder = ColumnBuilder(kind: .string)
        for value in late { try builder.append(value) }
        let made = try builder.makePage()
        #expect(late.indices.allSatisfy { made.value(at: $0) == late[$0] })
    }

    @Test("A long string shared by every row is stored once")
    func longConstant() throws {
        let text = Value.string(String(repeating: "ab", count: 1_000))
        let encoded = try page(Array(repeating: text, count: 100) + [.null], .string)
        #expect(encoded.encoding == .dictionary)
        #expect(encoded.rawByteCount < 2_100)
        let page = try SealedPage(encoded).decode()
        #expect(page.value(at: 99) == text && page.value(at: 100) == .null)
    }
}

extension Range<Int> {
    fileprivate func shuffledOnce() -> [Int] {
        var random = SplitMix64(seed: 3)
        return shuffled(using: &random)
    }
}
