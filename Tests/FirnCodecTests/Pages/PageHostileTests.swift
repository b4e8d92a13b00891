import FirnCodec
import FirnTesting
import FirnValues
import Testing

@Suite("Damaged and forged pages")
struct PageHostileTests {
    /// Small pages of every encoding, compressed and not.
    private static let samples: [(column: SampleColumn, page: SealedPage)] = {
        var samples: [(column: SampleColumn, page: SealedPage)] = []
        for column in SampleColumn.all(rows: 18, seed: 4_000) where column.nulls != .all {
            if let page = try? column.builder().encode(.none) {
                samples.append((column, SealedPage(page)))
            }
        }
        let floats = SampleColumn(.float, .random, .none, rows: 18, seed: 4_001)
        if let page = try? floats.builder().encode(.none) {
            samples.append((floats, SealedPage(page)))
        }
        let long = SampleColumn(.string, .ascending, .some, rows: 20, seed: 3)
        if let page = try? long.builder().encode(.fast) { samples.append((long, SealedPage(page))) }
        return samples
    }()

    @Test("The samples include a page of every encoding")
    func coverage() {
        let encodings = Set(Self.samples.compactMap { PageEncoding(rawValue: $0.page.bytes[0]) })
        #expect(encodings == Set(PageEncoding.allCases))
    }

    @Test("Every flipped bit is noticed", .tags(.security))
    func flippedBits() {
        for sample in Self.samples {
            // After the head, one bit of each byte is enough to show that the checksums cover it.
            let head = sample.page.headByteCount * 8
            let behind = stride(from: head, to: sample.page.bytes.count * 8, by: 9)
            for bit in Array(0..<head) + Array(behind) {
                var page = sample.page
                page.bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(throws: CodecError.self, "bit \(bit), \(sample.column)") {
                    try page.decode()
                }
            }
        }
    }

    @Test("Every truncation and every added byte is noticed", .tags(.security))
    func truncations() {
        for sample in Self.samples {
            for count in 0..<sample.page.bytes.count {
                var page = sample.page
                page.bytes.removeLast(page.bytes.count - count)
                #expect(throws: CodecError.self) { try page.decode() }
                page.reseal()
                #expect(throws: CodecError.self) { try page.decode() }
            }
            var page = sample.page
            page.bytes.append(0)
            #expect(throws: CodecError.self) { try page.decode() }
        }
    }

    @Test("Swapped blocks are noticed")
    func exchangedBlocks() throws {
        let builder = ColumnBuilder(kind: .double)
        var random = SplitMix64(seed: 8)
        for _ in 0..<16_384 {
            builder.append(double: Double(bitPattern: random.next() >> 2))
        }
        var page = SealedPage(try builder.encode(.none))
        #expect(page.bytes.count == page.headByteCount + 2 * 65_536)
        let middle = page.headByteCount + 65_536
        page.bytes =
            Array(page.bytes[..<page.headByteCount]) + page.bytes[middle...]
            + page.bytes[page.headByteCount..<middle]
        #expect(throws: CodecError.self) { try page.decode() }
    }

    @Test("A page at another position, or of another column or size, is detected", .tags(.security))
    func expectations() throws {
        let sealed = SealedPage(
            try SampleColumn(.int, .small, .none, rows: 10, seed: 1).builder().encode(.none))
        _ = try sealed.decode()
        for (kind, rows, seed) in [(ValueTag.int, 11, 7), (.date, 10, 7), (.int, 10, 8)] {
            #expect(throws: CodecError.self) {
                try sealed.bytes.withUnsafeBytes { bytes in
                    try ColumnPage.decode(
                        bytes, kind: kind, rowCount: rows, seed: UInt64(seed),
                        headByteCount: sealed.headByteCount, headChecksum: sealed.headChecksum)
                }
            }
        }
    }

    @Test(
        "A page with forged checksums gives an error or some values, never a trap", .tags(.security)
    )
    func forged() throws {
        var accepted = 0
        for (number, sample) in Self.samples.enumerated() {
            var random = SplitMix64(seed: UInt64(number))
            let tests = Array(sampleTests(for: sample.column, seed: 1).shuffled(using: &random))
            for offset in sample.page.bytes.indices {
                let noise = UInt8(truncatingIfNeeded: random.next() | 1)
                let isHead = offset < sample.page.headByteCount
                for change in isHead ? [1, 0x80, 0xFF, noise] : [noise] {
                    var page = sample.page
                    page.bytes[offset] ^= change
                    page.reseal()
                    guard let decoded = try? page.decode() else { continue }
                    accepted += 1
                    if accepted % 8 == 0 { _ = exercise(decoded, tests: Array(tests.prefix(4))) }
                }
            }
        }
        // Changed values are damage that no check could notice.
        #expect(accepted > 100)
    }

    @Test(
        "A small page that claims millions of rows does not allocate memory for them",
        .tags(.security))
    func manyRows() throws {
        let rows = CodecLimits.rowsPerPageMax
        let constant = ColumnBuilder(kind: .int)
        for _ in 0..<rows { constant.append(int: 7) }
        var page = SealedPage(try constant.encode(.none))
        #expect(page.bytes.count < 40)
        let decoded = try page.decode()
        #expect(decoded.memoryByteCount < 1_024 && decoded.value(at: rows - 1) == .int(7))
        // One more than the limit.
        page.bytes[4] = 1
        page.reseal()
        #expect(throws: CodecError.self) { try page.decode() }
        // The head of a small page that claims to be large.
        for sample in Self.samples where sample.page.bytes[0] != 1 {
            var page = sample.page
            for (index, byte) in [UInt8(0), 0, 0x40, 0].enumerated() {
                page.bytes[4 + index] = byte
            }
            page.reseal()
            let bytes = page.bytes
            #expect(throws: CodecError.self, "\(sample.column)") {
                try bytes.withUnsafeBytes { bytes in
                    try ColumnPage.decode(
                        bytes, kind: page.kind, rowCount: rows, seed: page.seed,
                        headByteCount: page.headByteCount, headChecksum: page.headChecksum)
                }
            }
        }
    }

    @Test("Several forged bytes at once give an error or a readable page, never a trap")
    func forgedTogether() throws {
        var random = SplitMix64(seed: 77)
        for sample in Self.samples {
            for _ in 0..<60 {
                var page = sample.page
                for _ in 0..<Int.random(in: 2...5, using: &random) {
                    let limit = Bool.random(using: &random) ? 40 : page.bytes.count
                    let offset = Int.random(in: 0..<min(limit, page.bytes.count), using: &random)
                    page.bytes[offset] = UInt8(truncatingIfNeeded: random.next())
                }
                page.reseal()
                if let decoded = try? page.decode() {
                    _ = exercise(decoded, tests: [.isNull, .compare(.equal, .int(3))])
                }
            }
        }
    }

    @Test("Values that a page cannot contain are refused when the page is built")
    func refusals() throws {
        let strings = ColumnBuilder(kind: .string)
        let error = #expect(throws: CodecError.self) { try strings.append(.int(1)) }
        #expect(error?.code == .typeMismatch)
        [UInt8]([0x61, 0xC3]).withUnsafeBufferPointer { strings.append(utf8: $0) }
        #expect(throws: CodecError.self) { try strings.encode(.none) }
        // 11 bytes, null, truncated, and unknown tag.
        let wrong: [(ValueTag, [UInt8])] = [
            (.uuid, Array(repeating: 1, count: 11)), (.objectID, Array(repeating: 1, count: 11)),
            (.decimal128, []), (.any, [0]), (.any, []), (.any, [2]), (.any, [200]),
            (.any, [1, 1, 1]),
        ]
        for (kind, bytes) in wrong {
            for count in [1, 3_000] {
                let builder = ColumnBuilder(kind: kind)
                // Distinct values, so that they are not interned.
                for row in 1..<count {
                    let word = UInt64(row)
                    try builder.append(
                        kind == .uuid
                            ? .uuid(UUID(high: word, low: 0))
                            : kind == .objectID
                                ? .objectID(ObjectID(high: word, low: 0))
                                : .decimal128(Decimal128(Int64(row))))
                }
                builder.appendNull()
                bytes.withUnsafeBufferPointer { builder.append(bytes: $0) }
                #expect(throws: CodecError.self, "\(kind), \(count)") {
                    try builder.encode(.none)
                }
            }
        }

        let rows = ColumnBuilder(kind: .bool)
        for _ in 0...CodecLimits.rowsPerPageMax { rows.append(bool: true) }
        let tooMany = #expect(throws: CodecError.self) { try rows.encode(.none) }
        #expect(tooMany?.code == .tooLarge)
    }

    @Test("Strings beyond the limit of a page are refused and do not retain memory")
    func tooLarge() throws {
        let builder = ColumnBuilder(kind: .string)
        let text = [UInt8](repeating: 0x61, count: 1 << 20)
        text.withUnsafeBufferPointer { text in
            for _ in 0..<300 { builder.append(utf8: text) }
        }
        #expect(builder.byteCount > CodecLimits.pageRawBytesMax)
        let error = #expect(throws: CodecError.self) { try builder.makePage() }
        #expect(error?.code == .tooLarge)
    }
}
