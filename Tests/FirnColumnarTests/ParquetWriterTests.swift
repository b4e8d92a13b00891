import FirnColumnar
import FirnPlatform
import FirnValues
import Testing

@Suite("Parquet files of this writer")
struct ParquetWriterTests {
    @Test(
        "a written table is read back unchanged with every codec",
        arguments: [ColumnarCodec.none, .snappy, .gzip, .zstd, .lz4])
    func roundTrip(codec: ColumnarCodec) throws {
        for (file, rows) in [("v2-zstd", "flat"), ("nested", "nested"), ("empty", "empty")] {
            let reader = try ParquetReader(try Fixture.open(file + ".parquet"))
            var options = ParquetOptions()
            options.codec = codec
            let output = MemoryOutput()
            try copy(reader, to: try ParquetWriter(output, reader.fields, options))
            let again = try ParquetReader(try output.file())
            #expect(again.fields == reader.fields)
            #expect(try ColumnarText.rows(of: again) == Fixture.rows(rows))
        }
    }

    @Test("small pages and row groups give the same rows")
    func sizes() throws {
        for (file, rows) in [("v2-zstd", "flat"), ("nested", "nested")] {
            for pageBytes in [1, 100, 1000] {
                var limits = ColumnarLimits()
                limits.batchRowsMax = 9
                let reader = try ParquetReader(try Fixture.open(file + ".parquet"), limits)
                var options = ParquetOptions()
                options.pageBytes = pageBytes
                options.rowGroupRows = 50
                options.metadata = [("key", "value")]
                let output = MemoryOutput()
                try copy(reader, to: try ParquetWriter(output, reader.fields, options))
                let again = try ParquetReader(try output.file())
                #expect(again.metadata == ["key": "value"])
                #expect(try ColumnarText.rows(of: again) == Fixture.rows(rows))
            }
        }
    }

    @Test("ascending numbers are stored as differences, and repeated numbers as a dictionary")
    func encodings() throws {
        let fields = [
            ColumnarField("ascending", .int(bits: 64, isSigned: true), isOptional: false),
            ColumnarField("few", .int(bits: 64, isSigned: true)),
            ColumnarField("random", .int(bits: 64, isSigned: true)),
            ColumnarField("word", .string),
            ColumnarField("wide", .int(bits: 64, isSigned: true)),
        ]
        var state: UInt64 = 7
        func random() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 11
        }
        let count = 300_000
        let columns = fields.map { ColumnarColumn($0.type) }
        for row in 0..<count {
            columns[0].ints.append(Int64(row) * 3)
            columns[1].ints.append(Int64(random() % 5))
            columns[2].ints.append(Int64(bitPattern: random() << 11 ^ random()))
            columns[3].bytes.append(contentsOf: "word \(random() % 1000)".utf8)
            columns[3].offsets.append(UInt32(columns[3].bytes.count))
            // The first page fits a dictionary and the second does not.
            columns[4].ints.append(
                row < 131_072 ? Int64(row % 100) << 40 : Int64(bitPattern: random() << 9))
        }
        for column in columns { column.count = count }
        let batch = ColumnarBatch(rowCount: count, columns: columns)
        var options = ParquetOptions()
        options.codec = .none
        let output = MemoryOutput()
        let writer = try ParquetWriter(output, fields, options)
        // Pages end between batches.
        var start = 0
        while start < count {
            let part = min(4096, count - start)
            try writer.write(batch.rows(start..<start + part))
            start += part
        }
        try writer.finish()
        // Differences of 3 take no bits, 5 values take 3, 1000 words take 10, and the rest 64.
        #expect(output.bytes.count < count * (8 + 8 + 2 + 1) + 100_000)
        let reader = try ParquetReader(try output.file())
        var row = 0
        while let found = try reader.next() {
            for index in 0..<5 {
                let rows = batch.rows(row..<row + found.rowCount).columns[index]
                #expect(found.columns[index].ints == rows.ints)
                #expect(found.columns[index].bytes == rows.bytes)
            }
            row += found.rowCount
        }
        #expect(row == count)
    }
}

extension ColumnarBatch {
    /// Returns some rows of columns without nulls and lists.
    func rows(_ range: Range<Int>) -> ColumnarBatch {
        let parts = columns.map { column in
            let part = ColumnarColumn(column.type)
            part.count = range.count
            if !column.ints.isEmpty { part.ints = Array(column.ints[range]) }
            if column.offsets.count > 1 {
                let start = column.offsets[range.lowerBound]
                part.offsets = column.offsets[range.lowerBound...range.upperBound].map {
                    $0 - start
                }
                part.bytes = Array(
                    column.bytes[Int(start)..<Int(column.offsets[range.upperBound])])
            }
            return part
        }
        return ColumnarBatch(rowCount: range.count, columns: parts)
    }
}
