import Testing

@testable import FirnColumnar

@Suite("The compact protocol of Thrift")
struct ThriftTests {
    @Test("Fields of all kinds round-trip, even with ids that are far apart")
    func fields() throws {
        var writer = ThriftWriter(ByteOutput())
        writer.element { writer in
            writer.int32(1, -5)
            writer.int64(2, .min)
            writer.bool(20, true)
            writer.text(21, "h\u{E9}")
            writer.structure(300) { $0.int32(4, 9) }
            writer.list(301, .int32, count: 20)
            for number in 0..<20 { writer.element(int32: number) }
        }
        let block = writer.output.block
        var reader = ThriftReader(ByteCursor(block))
        var found: [String] = []
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch kind {
            case .int32, .int64: found.append("\(id): \(try reader.integer())")
            case .yes, .no: found.append("\(id): \(kind)")
            case .binary: found.append("\(id): \(try reader.text())")
            case .structure:
                try reader.structure { (reader, inner, _) throws(ColumnarError) in
                    found.append("\(id).\(inner): \(try reader.integer())")
                }
            default:
                var sum = 0
                try reader.list { (reader, _) throws(ColumnarError) in sum += try reader.int() }
                found.append("\(id): \(sum)")
            }
        }
        #expect(
            found == ["1: -5", "2: \(Int64.min)", "20: yes", "21: h\u{E9}", "300.4: 9", "301: 190"])
        #expect(reader.cursor.isEmpty)
    }

    /// A field that a later version of Parquet adds.
    private func skipped(_ kind: ThriftReader.Kind, _ bytes: [UInt8]) throws(ColumnarError) -> Int {
        let block = ByteBlock(bytes)
        var reader = ThriftReader(ByteCursor(block))
        try reader.skip(kind)
        return bytes.count - reader.cursor.count
    }

    @Test("Unused values are skipped, including Booleans in maps")
    func skipping() throws {
        #expect(try skipped(.yes, [9]) == 0)
        #expect(try skipped(.double, Array(repeating: 1, count: 9)) == 8)
        // Two truth values in a list, and two in a map of texts.
        #expect(try skipped(.list, [0x21, 1, 2, 9]) == 3)
        #expect(try skipped(.map, [2, 0x81, 1, 0x61, 1, 1, 0x62, 2, 9]) == 8)
        #expect(try skipped(.map, [0, 9]) == 1)
    }

    /// A map in a map was not counted: metadata of some megabytes ended the program.
    @Test(
        "Endless nesting is an error",
        arguments: [
            (ThriftReader.Kind.map, [1, 0xBB] as [UInt8]), (.list, [0x19]), (.structure, [0x1C]),
        ])
    func nesting(kind: ThriftReader.Kind, piece: [UInt8]) {
        let bytes = Array(repeatElement(piece, count: 1_000_000).joined())
        #expect(throws: ColumnarError.self) { try skipped(kind, bytes) }
    }

    /// They have no bytes: eight of them in the file were as many rounds as it had bytes after them.
    @Test("Elements of the stop kind are an error")
    func emptyElements() {
        let rest = [UInt8](repeating: 0, count: 1_000)
        #expect(throws: ColumnarError.self) { try skipped(.list, [0xF0, 0x80, 0x04] + rest) }
        #expect(throws: ColumnarError.self) { try skipped(.map, [2, 0x08] + rest) }
        #expect(throws: ColumnarError.self) { try skipped(.map, [2, 0x80] + rest) }
    }

    @Test("Sizes beyond the end of the bytes, unknown kinds and unbounded fields are errors")
    func damaged() {
        for (kind, bytes) in [
            (.binary, [5, 1]), (.list, [0xF3, 0xFF, 0xFF, 0x03]), (.map, [0x7F, 0x33, 1]),
            (.list, [0x1F]), (.structure, [0x0D]), (.structure, [0x05, 0xFF, 0xFF, 0xFF, 0x0F]),
            (.int64, Array(repeating: 0xFF, count: 11)),
        ] as [(ThriftReader.Kind, [UInt8])] {
            #expect(throws: ColumnarError.self) { try skipped(kind, bytes) }
        }
    }
}
