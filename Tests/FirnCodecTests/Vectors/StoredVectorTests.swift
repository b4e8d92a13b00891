import FirnCodec
import FirnValues
import Testing

@Suite("Vectors in temporary files")
struct StoredVectorTests {
    private static func bytes(_ vectors: [ColumnVector]) -> [UInt8] {
        var writer = ByteWriter()
        for vector in vectors { vector.write(to: &writer) }
        return writer.bytes
    }

    private static func read(_ bytes: [UInt8], _ kinds: [ValueTag]) throws -> [ColumnVector] {
        try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            let vectors = try kinds.map { try ColumnVector(kind: $0, from: &reader) }
            try reader.finish()
            return vectors
        }
    }

    @Test("Values of every kind round-trip", arguments: SampleColumn.kinds)
    func everyKind(kind: ValueTag) throws {
        for shape in SampleColumn.Shape.allCases {
            let column = SampleColumn(kind, shape, .some, rows: 80, seed: 31)
            var vector = ColumnVector(kind: kind)
            for value in column.values { vector.append(value) }
            let empty = ColumnVector(kind: kind)
            let bytes = Self.bytes([vector, empty, vector])
            let read = try Self.read(bytes, [kind, kind, kind])
            for vector in [read[0], read[2]] {
                #expect((0..<80).map { vector.value(at: $0) } == column.values, "\(column)")
            }
            #expect(read[1].count == 0)
        }
    }

    @Test("Truncated bytes and lengths that do not fit are errors")
    func damage() {
        var vector = ColumnVector(kind: .string)
        for text in ["a", "", "longer"] { vector.append(.string(text)) }
        let bytes = Self.bytes([vector])
        for count in bytes.indices {
            #expect(throws: CodecError.self) {
                _ = try Self.read(Array(bytes[..<count]), [.string])
            }
        }
        for index in 0..<24 {
            var changed = bytes
            changed[index] ^= 0x80
            #expect(throws: CodecError.self) { _ = try Self.read(changed, [.string]) }
        }
    }
}
