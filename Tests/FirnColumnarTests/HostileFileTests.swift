import FirnColumnar
import FirnPlatform
import Testing

/// Files that no writer makes.
///
/// A trap ends the whole process, so most tests here pass if they end.
@Suite("Hostile columnar files")
struct HostileFileTests {
    static let files = [
        "plain-none.parquet", "dictionary-snappy.parquet", "v2-zstd.parquet", "lz4.parquet",
        "gzip-pages.parquet", "delta-binary.parquet", "delta-length.parquet",
        "delta-bytes.parquet", "byte-stream-split.parquet", "rle-bool.parquet", "int96.parquet",
        "nested.parquet", "nested-v2.parquet", "empty.parquet", "stream.arrows", "file.arrow",
        "stream-zstd.arrows", "file-lz4.arrow", "stream-nested.arrows", "stream-large.arrows",
        "stream-dictionary.arrows",
    ]

    /// Reads a file as far as it can be read, with little memory.
    ///
    /// - Returns: the error, if any.
    private func read(_ bytes: [UInt8], _ name: String) throws -> ColumnarError? {
        var limits = ColumnarLimits()
        limits.memoryBytesMax = 16 << 20
        limits.pageBytesMax = 4 << 20
        limits.batchBytesMax = 4 << 20
        limits.batchValuesMax = 1 << 18
        limits.pageValuesMax = 1 << 18
        limits.metadataBytesMax = 1 << 20
        let file = try MemoryOutput.file(bytes)
        do throws(ColumnarError) {
            let reader: any ColumnarReader =
                name.hasSuffix("parquet")
                ? try ParquetReader(file, limits)
                : try ArrowReader(ColumnarFileSource(file), limits)
            // A damaged count of rows may be any; a run of nulls needs no bytes.
            for _ in 0..<20 where try reader.next() == nil { break }
            return nil
        } catch { return error }
    }

    @Test("a changed file gives an error or other rows, never a trap", arguments: files)
    func mutations(name: String) throws {
        let original = try Fixture.bytes(name)
        var random = Generator(seed: 29)
        for _ in 0..<150 {
            var bytes = original
            for _ in 0...random.below(4) {
                // The metadata is at the end of Parquet and at the beginning of Arrow.
                let isNearMetadata = random.below(2) == 0
                let near = min(bytes.count, 4000)
                let offset =
                    !isNearMetadata
                    ? random.below(bytes.count)
                    : name.hasSuffix("parquet")
                        ? bytes.count - 1 - random.below(near) : random.below(near)
                switch random.below(4) {
                case 0: bytes[offset] = UInt8(random.below(256))
                case 1: bytes[offset] ^= 1 << UInt8(random.below(8))
                case 2: bytes[offset] = [0, 0x7F, 0x80, 0xFF][random.below(4)]
                default: bytes.swapAt(offset, random.below(bytes.count))
                }
            }
            _ = try read(bytes, name)
        }
    }

    @Test("a file that ends early is an error", arguments: files)
    func truncation(name: String) throws {
        let original = try Fixture.bytes(name)
        var random = Generator(seed: 30)
        for _ in 0..<40 {
            let count = random.below(original.count)
            let error = try read(Array(original.prefix(count)), name)
            // A stream may end after any message.
            if name.hasSuffix("parquet") { #expect(error != nil) }
        }
    }

    @Test("an error names the row group, the page and the column")
    func location() throws {
        var bytes = try Fixture.bytes("plain-none.parquet")
        // The first page of the first column follows the mark; its header begins after that.
        for offset in 60..<90 { bytes[offset] = 0xFF }
        let error = try #require(try read(bytes, "plain-none.parquet"))
        #expect(error.text.hasPrefix("column id, row group 0, page 0: "))
    }

    @Test("a file that is not Parquet or Arrow is an error")
    func otherFiles() throws {
        #expect(try read([], "a.parquet")?.text == "the file is too short for Parquet")
        let text = Array("a,b,c\n1,2,3\n4,5,6\n".utf8)
        #expect(
            try read(text, "a.parquet")?.text
                == "the file does not end with PAR1; it may be incomplete")
        #expect(try read(text, "a.arrow") != nil)
        #expect(try read([], "a.arrow")?.text == "the file does not begin with a schema")
    }

    @Test("a page that claims a huge expanded size is refused before memory is allocated")
    func bomb() throws {
        // 200 MB of one text in a dictionary of 8 MB, and a page of 100 MB.
        let fields = [ColumnarField("text", .string, isOptional: false)]
        let column = ColumnarColumn(.string)
        column.bytes = Array(repeating: UInt8(ascii: "x"), count: 8 << 20)
        column.offsets.append(UInt32(column.bytes.count))
        column.count = 1
        let output = MemoryOutput()
        let writer = try ParquetWriter(output, fields)
        for _ in 0..<3 { try writer.write(ColumnarBatch(rowCount: 1, columns: [column])) }
        try writer.finish()
        #expect(output.bytes.count < 100_000)
        let error = try #require(try read(output.bytes, "bomb.parquet"))
        #expect(error.code == .tooLarge)
        #expect(error.text.contains("8388612 bytes; at most 4194304 are read"))
    }
}

/// Random numbers that a seed determines.
struct Generator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(max(1, limit)))
    }
}
