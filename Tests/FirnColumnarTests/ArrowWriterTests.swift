import FirnColumnar
import FirnPlatform
import FirnValues
import Testing

@Suite("Arrow streams and files of this writer")
struct ArrowWriterTests {
    @Test("a written table is read back unchanged", arguments: [ArrowWriter.Form.stream, .file])
    func roundTrip(form: ArrowWriter.Form) throws {
        for (file, rows) in [("v2-zstd", "flat"), ("nested", "nested"), ("empty", "empty")] {
            var limits = ColumnarLimits()
            limits.batchRowsMax = 50
            let reader = try ParquetReader(try Fixture.open(file + ".parquet"), limits)
            let output = MemoryOutput()
            let writer = try ArrowWriter(
                output, reader.fields, form, metadata: [("key", "value")])
            try copy(reader, to: writer)
            let source = ColumnarFileSource(try output.file())
            let again = try ArrowReader(source)
            #expect(again.metadata == ["key": "value"])
            #expect(again.fields == reader.fields || rows == "nested")
            #expect(try ColumnarText.rows(of: again) == Fixture.rows(rows))
        }
    }
}
