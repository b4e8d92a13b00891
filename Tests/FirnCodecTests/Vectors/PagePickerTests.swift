import FirnTesting
import FirnValues
import Testing

@testable import FirnCodec

@Suite("Single rows of stored pages")
struct PagePickerTests {
    /// Returns the values of rows; `nil` if the page has to be decoded as a whole.
    private func pick(
        _ rows: [UInt32], of page: SealedPage, with picker: PagePicker, rowCount: Int? = nil
    ) throws -> [Value]? {
        var vector = ColumnVector(kind: page.kind)
        let count = try page.bytes.withUnsafeBytes { bytes in
            try picker.append(
                rows, of: bytes, kind: page.kind, rowCount: rowCount ?? page.rowCount,
                seed: page.seed, headByteCount: page.headByteCount,
                headChecksum: page.headChecksum, to: &vector)
        }
        guard count != nil else {
            #expect(vector.count == 0)
            return nil
        }
        return (0..<vector.count).map { vector.value(at: $0) }
    }

    @Test(
        "The picked values match the values of the decoded page",
        arguments: [CompressionLevel.none, .fast], [1, 63, 700, 20_000])
    func values(level: CompressionLevel, rowCount: Int) throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let picker = PagePicker()
        var pickedCount = 0
        for column in SampleColumn.all(rows: rowCount, seed: seed) {
            let page = SealedPage(try column.builder().encode(level))
            let decoded = try page.decode()
            let rows = (0..<9).map { _ in UInt32.random(in: 0..<UInt32(rowCount), using: &random) }
            guard let values = try pick(rows, of: page, with: picker) else { continue }
            pickedCount += 1
            var vector = ColumnVector(kind: page.kind)
            rows.withUnsafeBufferPointer { decoded.gather($0, into: &vector) }
            #expect(values == (0..<rows.count).map { vector.value(at: $0) }, "\(column)")
        }
        #expect(pickedCount > 150)
    }

    @Test("Only the blocks that contain the values are decompressed")
    func blocks() throws {
        let builder = ColumnBuilder(kind: .string)
        for row in 0..<16_384 {
            Array("a text of some length \(row &* 7919 % 16_384)".utf8)
                .withUnsafeBufferPointer { builder.append(utf8: $0) }
        }
        let page = SealedPage(try builder.encode(.fast))
        var vector = ColumnVector(kind: .string)
        let count = try page.bytes.withUnsafeBytes { bytes in
            try PagePicker().append(
                [3, 4], of: bytes, kind: .string, rowCount: 16_384, seed: page.seed,
                headByteCount: page.headByteCount, headChecksum: page.headChecksum, to: &vector)
        }
        #expect(vector.value(at: 0) == .string("a text of some length \(3 * 7919 % 16_384)"))
        let decompressed = try #require(count)
        #expect(decompressed <= 2 * CodecLimits.blockRawBytes, "\(decompressed)")
    }

    @Test("A page at another position, or of another column or size, is detected", .tags(.security))
    func expectations() throws {
        let column = SampleColumn(.int, .small, .none, rows: 10, seed: 1)
        let page = SealedPage(try column.builder().encode(.none))
        #expect(throws: CodecError.self) {
            try pick([1], of: page, with: PagePicker(), rowCount: 11)
        }
        for offset in page.bytes.indices {
            var damaged = page
            damaged.bytes[offset] ^= 1
            let values = try? pick([0, 9], of: damaged, with: PagePicker())
            // Only a page without parameters could be unchanged.
            #expect(values == nil, "byte \(offset)")
        }
    }

    @Test("A page with forged checksums gives an error or values", .tags(.security))
    func forged() throws {
        var random = SplitMix64(seed: 99)
        let picker = PagePicker()
        var accepted = 0
        for column in SampleColumn.all(rows: 90, seed: 5) {
            let page = SealedPage(try column.builder().encode(.fast))
            for _ in 0..<80 {
                var forged = page
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let limit = Bool.random(using: &random) ? 40 : page.bytes.count
                    let offset = Int.random(in: 0..<min(limit, page.bytes.count), using: &random)
                    forged.bytes[offset] = UInt8(truncatingIfNeeded: random.next())
                }
                forged.reseal()
                if let values = try? pick([0, 41, 89], of: forged, with: picker) {
                    #expect(values.count == 3)
                    accepted += 1
                }
            }
        }
        #expect(accepted > 100)
    }
}
