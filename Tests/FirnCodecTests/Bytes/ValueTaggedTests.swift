import FirnCodec
import FirnTesting
import FirnValues
import Testing

@Suite("Tagged values")
struct ValueTaggedTests {
    private func bytes(_ value: Value) throws -> [UInt8] {
        var writer = ByteWriter()
        try value.writeTagged(to: &writer)
        return writer.bytes
    }

    private func read(_ bytes: [UInt8]) throws(CodecError) -> Value {
        let result = bytes.withUnsafeBytes { bytes -> Result<Value, CodecError> in
            do throws(CodecError) {
                return .success(try Value(tagged: bytes))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func hex(_ value: Value) throws -> String {
        try bytes(value).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("Values encoded together have the same bytes as values encoded one by one")
    func together() throws {
        let long = String(repeating: "text ", count: 400)
        for sample in SampleColumn.all(rows: 90, seed: 0x7A66_ED00) {
            var values = sample.values + [.string(""), .string(long), .list([.int(1)]), .int(.min)]
            if sample.seed % 2 == 0 { values.append(.string(String(long.prefix(1000)))) }
            var together = ByteWriter()
            try together.taggedValues(values, depth: 0)
            #expect(try together.bytes == values.flatMap { try bytes($0) }, "\(sample)")
        }
        var deep = Value.list([])
        for _ in 0...Value.nestingMax { deep = .list([deep]) }
        var writer = ByteWriter()
        #expect(throws: CodecError.self) { try writer.taggedValues([.int(1), deep], depth: 0) }
    }

    @Test("The bytes of every kind never change")
    func golden() throws {
        #expect(try hex(.null) == "00")
        #expect(try hex(.bool(true)) == "0101")
        #expect(try hex(.int(-3)) == "0205")
        #expect(try hex(.double(1)) == "03000000000000f03f")
        #expect(try hex(.string("é")) == "0402c3a9")
        #expect(try hex(.data([1, 0xFF])) == "050201ff")
        #expect(try hex(.date(Timestamp(seconds: 2, nanoseconds: 5))) == "060405")
        #expect(
            try hex(.decimal128(Decimal128(high: 0x0102, low: 0x0A0B)))
                == "0700000000000001020000000000000a0b")
        #expect(try hex(.objectID(ObjectID(high: 1, low: 0xAB))) == "080000000000000001000000ab")
        #expect(
            try hex(.uuid(UUID(high: 0xFF00_0000_0000_0001, low: 2)))
                == "09ff000000000000010000000000000002")
        #expect(
            try hex(.link(ObjectReference(classID: ClassID(5), rowID: RowID(300)))) == "0a05ac02")
        #expect(try hex(.float(1)) == "0b0000803f")
        #expect(try hex(.list([.int(1), .null])) == "0c02020200")
        #expect(try hex(.set([.int(2), .int(1), .int(2)])) == "0d0202020204")
        #expect(
            try hex(.map(["b": .int(1), "a": .list([])])) == "0e0201610c0001620202")
    }

    @Test("Random values round-trip, and damaged ones never trap")
    func random() throws {
        for seed in 0..<400 as Range<UInt64> {
            let column = SampleColumn(.any, .random, .none, rows: 2, seed: seed)
            var random = SplitMix64(seed: seed)
            for value in column.values {
                let stored = try bytes(value)
                let back = try read(stored)
                #expect(try bytes(back) == stored, "seed \(seed)")
                #expect(back.order(relativeTo: value) == .equal || hasSet(value), "seed \(seed)")
                for count in stored.indices {
                    #expect(throws: CodecError.self, "seed \(seed)") {
                        try read(Array(stored[..<count]))
                    }
                }
                #expect(throws: CodecError.self) { try read(stored + [0]) }
                for _ in 0..<20 {
                    var changed = stored
                    let place = Int.random(in: changed.indices, using: &random)
                    changed[place] = UInt8(truncatingIfNeeded: random.next())
                    // Every accepted encoding is canonical.
                    if let value = try? read(changed) {
                        #expect(try bytes(value) == changed, "seed \(seed)")
                    }
                }
            }
        }
    }

    private func hasSet(_ value: Value) -> Bool {
        switch value {
        case .set: true
        case .list(let values): values.contains { hasSet($0) }
        case .map(let entries): entries.values.contains { hasSet($0) }
        default: false
        }
    }

    @Test("Equal sets and maps have equal bytes whatever their insertion order")
    func canonical() throws {
        let values: [Value] = [
            .int(1), .double(1), .decimal128(Decimal128(1)), .string("a"), .null, .double(.nan),
            .list([.int(1)]), .bool(false),
        ]
        let first = try bytes(.set(values))
        for seed in 0..<20 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let shuffled = values.shuffled(using: &random)
            #expect(try bytes(.set(shuffled + shuffled.prefix(3))) == first)
        }
        #expect(try read(first) == .set(sorted(values)))
    }

    private func sorted(_ values: [Value]) -> [Value] {
        values.sorted { left, right in
            let order = left.order(relativeTo: right)
            guard order == .equal else { return order == .less }
            return left.tag.rawValue < right.tag.rawValue
        }
    }

    @Test("Encodings that are not canonical are refused")
    func refusals() {
        let wrong: [[UInt8]] = [
            [], [15], [16], [1, 2], [2, 0x80, 0], [4, 1, 0xC3], [4, 5, 0x61],
            // Sets that are unsorted or have a duplicate element.
            [13, 2, 2, 4, 2, 2], [13, 2, 2, 2, 2, 2],
            // Maps that are unsorted or have a duplicate key.
            [14, 2, 1, 0x62, 0, 1, 0x61, 0], [14, 2, 1, 0x61, 0, 1, 0x61, 0],
            // More elements than bytes, and a class beyond 32 bits.
            [12, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [10, 0x80, 0x80, 0x80, 0x80, 0x10, 0],
        ]
        for bytes in wrong { #expect(throws: CodecError.self, "\(bytes)") { try read(bytes) } }
    }

    @Test("Collections nest 128 levels deep and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> Value {
            var value = Value.int(1)
            for _ in 0..<depth { value = depth % 2 == 0 ? .list([value]) : .map(["": value]) }
            return value
        }
        for depth in [127, 128] {
            let value = nested(depth)
            #expect(try read(bytes(value)) == value)
        }
        for depth in [129, 200] {
            let error = #expect(throws: CodecError.self) { try bytes(nested(depth)) }
            #expect(error?.code == .tooLarge)
        }
        // Lists nested 100,000 deep, in as many bytes.
        func lists(_ depth: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            for _ in 0..<depth { bytes += [12, 1] }
            return bytes + [0]
        }
        #expect(throws: CodecError.self) { try read(lists(100_000)) }
        #expect(throws: CodecError.self) { try read(lists(129)) }
        let builder = ColumnBuilder(kind: .any)
        #expect(throws: CodecError.self) { try builder.append(nested(129)) }
        #expect(builder.count == 0)
    }
}
