import FirnColumnar
import FirnPlatform
import Testing

@Suite("Parquet files of pyarrow")
struct ParquetGoldenTests {
    @Test(
        "a file has the rows that its writer stored",
        arguments: [
            ("plain-none", "flat"), ("dictionary-snappy", "flat"), ("v2-zstd", "flat"),
            ("gzip-pages", "flat"), ("lz4", "lz4"), ("delta-binary", "delta-binary"),
            ("delta-length", "delta-length"), ("delta-bytes", "delta-bytes"),
            ("byte-stream-split", "byte-stream-split"), ("rle-bool", "rle-bool"),
            ("int96", "int96"), ("nested", "nested"), ("nested-v2", "nested-v2"),
            ("empty", "empty"),
        ])
    func rows(file: String, rows: String) throws {
        let reader = try ParquetReader(try Fixture.open(file + ".parquet"))
        let expected = try Fixture.rows(rows)
        #expect(reader.rowCount == Int64(expected.count))
        let found = try ColumnarText.rows(of: reader)
        #expect(found.count == expected.count)
        for (index, row) in expected.enumerated() where found.indices.contains(index) {
            #expect(found[index] == row)
            if found[index] != row { break }
        }
    }

    @Test("batches of any size give the same rows")
    func batchSizes() throws {
        for name in ["nested", "dictionary-snappy", "gzip-pages"] {
            let expected = try Fixture.rows(name == "nested" ? "nested" : "flat")
            for size in [1, 7, 64] {
                var limits = ColumnarLimits()
                limits.batchRowsMax = size
                let reader = try ParquetReader(try Fixture.open(name + ".parquet"), limits)
                #expect(try ColumnarText.rows(of: reader) == expected)
            }
        }
    }

    @Test("Brotli is refused with an error that suggests another codec")
    func brotli() throws {
        let reader = try ParquetReader(try Fixture.open("brotli.parquet"))
        let error = try #require(throws: ColumnarError.self) { try reader.next() }
        #expect(error.code == .unsupported)
        #expect(error.text.contains("column id, row group 0: the pages are compressed with Brotli"))
        #expect(error.remedy?.contains("zstd") == true)
    }
}
