import FirnCodec
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// A small result for writers.
struct SampleResult {
    var columns: [ResultColumn]
    var rows: [[Value]]

    init(_ columns: [(String, ValueTag, DisplayForm?)], _ rows: [[Value]]) {
        self.columns = columns.map { name, tag, display in
            ResultColumn(
                name: name, type: PropertyType(tag, isOptional: true), display: display)
        }
        self.rows = rows
    }

    func batch(_ range: Range<Int>) -> ResultBatch {
        let vectors = columns.indices.map { index in
            var vector = ColumnVector(kind: columns[index].type.base)
            for row in range { vector.appendSample(rows[row][index]) }
            return vector
        }
        return ResultBatch(rowCount: range.count, vectors: vectors)
    }

    /// The whole output of a writer that gets the rows in batches.
    func written(batchRows: Int = 2, _ make: (any ByteSink) -> any ResultWriter) throws -> String {
        let sink = MemorySink()
        let writer = make(sink)
        try writer.begin(columns)
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + batchRows)
            try writer.write(batch(start..<end))
            start = end
        }
        try writer.finish()
        return sink.text
    }
}

extension ColumnVector {
    mutating func appendSample(_ value: Value) {
        if value.isNull {
            while nulls.count <= count >> 6 { nulls.append(0) }
            nulls[count >> 6] |= 1 << UInt64(count & 63)
        }
        switch kind {
        case .bool: ints.append(value == .bool(true) ? 1 : 0)
        case .int:
            if case .int(let number) = value { ints.append(number) } else { ints.append(0) }
        case .double:
            if case .double(let number) = value {
                doubles.append(number)
            } else {
                doubles.append(0)
            }
        case .date:
            if case .date(let date) = value {
                ints.append(date.seconds)
                nanoseconds.append(date.nanoseconds)
            } else {
                ints.append(0)
                nanoseconds.append(0)
            }
        default:
            if case .string(let text) = value { bytes.append(contentsOf: Array(text.utf8)) }
            offsets.append(UInt32(bytes.count))
        }
        count += 1
    }
}
