import FirnColumnar
import FirnPlatform
import Testing

@Suite("Arrow files of pyarrow")
struct ArrowGoldenTests {
    @Test(
        "a stream or a file reads as the rows that its writer had",
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
}
