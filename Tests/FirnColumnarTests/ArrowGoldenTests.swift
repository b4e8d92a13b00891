import FirnColumnar
import FirnPlatform
import Testing

@Suite("Arrow files of pyarrow")
struct ArrowGoldenTests {
    @Test(
        "a stream or a file has the rows that its writer stored",
        arguments: [
            ("stream.arrows", "flat"), ("file.arrow", "flat"), ("stream-zstd.arrows", "flat"),
            ("file-lz4.arrow", "flat"), ("feather.arrow", "flat"),
            ("stream-nested.arrows", "stream-nested"), ("stream-large.arrows", "stream-large"),
            ("stream-dictionary.arrows", "stream-dictionary"),
        ])
    func rows(file: String, rows: String) throws {
        for size in [3, 8192] {
            var limits = ColumnarLimits()
            limits.batchRowsMax = size
            let source = ColumnarFileSource(try Fixture.open(file))
            let found = try ColumnarText.rows(of: try ArrowReader(source, limits))
            let expected = try Fixture.rows(rows)
            #expect(found.count == expected.count)
            for (index, row) in expected.enumerated() where found.indices.contains(index) {
                #expect(found[index] == row)
                if found[index] != row { break }
            }
        }
    }

    /// pyarrow 0.17 names the compression in the metadata of messages; the compressed bytes were read
    /// as values.
    @Test("A Feather file of pyarrow 0.17 is read, or refused if it is compressed")
    func former() throws {
        let plain = ColumnarFileSource(try Fixture.open("old-none.feather"))
        #expect(try ColumnarText.rows(of: try ArrowReader(plain)).count == 50)
        let error = #expect(throws: ColumnarError.self) {
            let source = ColumnarFileSource(try Fixture.open("old-lz4.feather"))
            _ = try ColumnarText.rows(of: try ArrowReader(source))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.remedy?.contains("pyarrow") == true)
    }
}
