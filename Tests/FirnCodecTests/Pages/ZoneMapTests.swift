import FirnTesting
import FirnValues
import Testing

@testable import FirnCodec

@Suite("Zone maps")
struct ZoneMapTests {
    private func zone(_ values: [Value], _ kind: ValueTag) throws -> ZoneMap {
        let builder = ColumnBuilder(kind: kind)
        for value in values { try builder.append(value) }
        return try builder.encode(.none).zone
    }

    @Test("Minimum and maximum ignore nulls and NaN")
    func bounds() throws {
        let numbers = try zone([.null, .double(3), .double(.nan), .double(-1)], .double)
        #expect(numbers.minimum == .double(-1) && numbers.maximum == .double(3))
        #expect(numbers.hasNaN && numbers.nullCount == 1 && numbers.rowCount == 4)
        let none = try zone([.double(.nan), .null], .double)
        #expect(none.minimum == nil && none.hasNaN)
        #expect(try zone([.null, .null], .int).minimum == nil)
        let dates = try zone(
            [.date(Timestamp(seconds: 5, nanoseconds: 7)), .date(Timestamp(seconds: 5))], .date)
        #expect(dates.maximum == .date(Timestamp(seconds: 5, nanoseconds: 7)))
    }

    /// Directory nodes only check zone maps when they are read, and decode them later: the check
    /// must accept exactly what is readable.
    @Test("The check refuses exactly the bytes that cannot be read")
    func checks() throws {
        var random = SplitMix64(seed: 0x20AE_C4EC)
        var (read, refused) = (0, 0)
        for sample in SampleColumn.all(rows: 20, seed: random.next()) {
            var writer = ByteWriter()
            try zone(sample.values, sample.kind).write(to: &writer)
            for round in 0..<400 {
                var bytes = writer.bytes
                if round > 0 {
                    for _ in 0...(random.next() % 3) {
                        let place = Int(random.next() % UInt64(bytes.count))
                        // Small values are tags, flags and lengths.
                        bytes[place] = UInt8(random.next() % (random.next() % 2 == 0 ? 256 : 16))
                    }
                }
                let zone = outcome(bytes) { reader throws(CodecError) in try ZoneMap(from: &reader)
                }
                let check = outcome(bytes) { reader throws(CodecError) in
                    try ZoneMap.check(&reader)
                }
                #expect(zone?.value.rowCount == check?.value && zone?.end == check?.end, "\(bytes)")
                if zone == nil { refused += 1 } else { read += 1 }
            }
        }
        #expect(read > 1000 && refused > 1000)
    }

    @Test("The check accepts exactly the bounds of numbers that can be read")
    func numbers() {
        let doubles: [Double] = [
            -.infinity, -1, -0.0, 0, .leastNonzeroMagnitude, 1, .infinity, .nan, .signalingNaN,
        ]
        let values =
            doubles.map { Value.double($0) } + [Int64.min, -1, 0, .max].map { .int($0) }
            + [(0, 0), (0, 1), (-1, 999_999_999)].map { seconds, rest in
                .date(Timestamp(seconds: seconds, nanoseconds: rest))
            } + [.null, .bool(true), .float(.nan), .string(""), .string("a"), .data([])]
        for low in values {
            for high in values {
                for flags: UInt8 in [1, 3] {
                    var writer = ByteWriter()
                    writer.varint(9)
                    writer.varint(0)
                    writer.u8(flags)
                    low.writeScalar(to: &writer)
                    high.writeScalar(to: &writer)
                    let zone = outcome(writer.bytes) { reader throws(CodecError) in
                        try ZoneMap(from: &reader)
                    }
                    let check = outcome(writer.bytes) { reader throws(CodecError) in
                        try ZoneMap.check(&reader)
                    }
                    #expect(zone?.end == check?.end, "\(low) \(high) \(flags)")
                }
            }
        }
    }

    private func outcome<R>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(CodecError) -> R
    ) -> (value: R, end: Int)? {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            do throws(CodecError) {
                return (try body(&reader), reader.offset)
            } catch {
                return nil
            }
        }
    }

    @Test("Verdicts are as precise as the bounds allow")
    func verdicts() throws {
        let numbers = try zone([.int(10), .int(20)], .int)
        #expect(numbers.verdict(.compare(.greater, .int(20))) == .none)
        #expect(numbers.verdict(.compare(.greaterOrEqual, .double(9.5))) == .all)
        #expect(numbers.verdict(.compare(.less, .int(15))) == .some)
        #expect(numbers.verdict(.compare(.notEqual, .int(21))) == .all)
        #expect(numbers.verdict(.compare(.equal, .string("a"))) == .none)
        #expect(numbers.verdict(.between(.int(0), .int(100))) == .all)
        #expect(numbers.verdict(.between(.int(21), .int(100))) == .none)
        #expect(numbers.verdict(.oneOf([.int(9), .int(21)])) == .none)
        #expect(numbers.verdict(.isNull) == .none)
        #expect(try zone([.int(1), .int(1)], .int).verdict(.compare(.equal, .int(1))) == .all)
        let some = try zone([.int(1), .null], .int)
        #expect(some.verdict(.compare(.equal, .int(1))) == .some)
        #expect(some.verdict(.compare(.notEqual, .int(1))) == .some)
        #expect(some.verdict(.oneOf([.null, .int(1)])) == .all)
        #expect(try zone([.null], .int).verdict(.isNull) == .all)
        #expect(try zone([], .int).verdict(.isNotNull) == .none)
    }

    @Test("Truncated strings give conservative bounds")
    func prefixes() throws {
        let stem = String(repeating: "a", count: 31) + "é"
        let texts = try zone([.string(stem + "1"), .string(stem + "2")], .string)
        let kept = String(repeating: "a", count: 31)
        #expect(texts.minimum == .string(kept) && texts.maximum == .string(kept))
        #expect(texts.maximumIsPrefix)
        #expect(texts.verdict(.compare(.equal, .string(kept))) == .some)
        #expect(texts.verdict(.compare(.equal, .string(stem + "1"))) == .some)
        #expect(texts.verdict(.compare(.greater, .string(stem + "2"))) == .some)
        #expect(texts.verdict(.compare(.greater, .string("b"))) == .none)
        #expect(texts.verdict(.compare(.lessOrEqual, .string("b"))) == .all)
        #expect(texts.verdict(.text(TextPattern(.beginsWith, "aaa"))) == .all)
        #expect(texts.verdict(.text(TextPattern(.beginsWith, stem))) == .some)
        #expect(texts.verdict(.text(TextPattern(.beginsWith, "b"))) == .none)
        #expect(texts.verdict(.text(TextPattern(.beginsWith, "A"))) == .none)
    }

    @Test("Identifiers, decimals and floats have exact bounds, data has a prefix, and Any has none")
    func everyKind() throws {
        let ids = try zone((1...9).map { .uuid(UUID(high: $0 % 4, low: $0)) }, .uuid)
        #expect(ids.minimum == .uuid(UUID(high: 0, low: 4)))
        #expect(ids.maximum == .uuid(UUID(high: 3, low: 7)))
        #expect(ids.verdict(.compare(.equal, .uuid(UUID(high: 4, low: 0)))) == .none)

        // The order of the bytes differs.
        let texts = ["10.0", "-2", "9", "NaN", "0.5", "1E+2", "-1E+2"]
        for count in [1, 500] {
            let numbers = try zone(
                (0..<count).flatMap { _ in texts.map { .decimal128(Decimal128($0) ?? .nan) } }
                    + (0..<3_000).map { .decimal128(Decimal128($0 % 90)) }, .decimal128)
            #expect(numbers.minimum == .decimal128(Decimal128("-1E+2") ?? .nan))
            #expect(numbers.maximum == .decimal128(Decimal128("1E+2") ?? .nan))
            #expect(numbers.hasNaN)
            #expect(numbers.verdict(.compare(.greater, .double(100))) == .none)
            #expect(numbers.verdict(.compare(.lessOrEqual, .int(100))) == .some)
        }
        let floats = try zone([.float(0.1), .null, .float(3)], .float)
        #expect(floats.minimum == .float(0.1) && floats.maximum == .float(3))
        #expect(floats.verdict(.compare(.equal, .double(0.1))) == .none)

        let long = [UInt8](repeating: 0xFF, count: 40)
        let data = try zone([.data(long), .data([1])], .data)
        #expect(data.minimum == .data([1]) && data.maximumIsPrefix)
        #expect(data.maximum == .data(Array(long.prefix(32))))
        #expect(data.verdict(.compare(.greater, .data(long))) == .some)
        #expect(data.verdict(.text(TextPattern(.beginsWith, bytes: [2]))) == .some)
        #expect(data.verdict(.text(TextPattern(.beginsWith, bytes: [0]))) == .none)
        #expect(data.verdict(.text(TextPattern(.beginsWith, "a"))) == .none)

        let any = try zone([.int(1), .string("a")], .any)
        #expect(any.minimum == nil && any.maximum == nil)
        #expect(any.verdict(.compare(.equal, .int(5))) == .some)
        #expect(any.verdict(.isNull) == .none && any.verdict(.isNotNull) == .all)
    }

    @Test("Zone maps of every column round-trip, and damaged ones never trap")
    func bytes() throws {
        for column in SampleColumn.all(rows: 30, seed: 600) {
            let zone = try column.builder().encode(.none).zone
            var writer = ByteWriter()
            zone.write(to: &writer)
            let bytes = writer.bytes
            func read(_ bytes: [UInt8]) throws -> ZoneMap {
                try bytes.withUnsafeBytes { bytes in
                    var reader = ByteReader(bytes)
                    let zone = try ZoneMap(from: &reader)
                    try reader.finish()
                    return zone
                }
            }
            #expect(try read(bytes) == zone, "\(column)")
            for offset in bytes.indices {
                #expect(throws: CodecError.self) { try read(Array(bytes[..<offset])) }
                for change in [UInt8(1), 2, 4, 8, 0x80, 0xFF] {
                    var changed = bytes
                    changed[offset] ^= change
                    if let zone = try? read(changed) {
                        _ = zone.verdict(.compare(.less, column.values[0]))
                        _ = zone.verdict(.text(TextPattern(.beginsWith, "a")))
                    }
                }
            }
        }
    }
}
