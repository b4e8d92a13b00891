import FirnValues

/// Writes the columns of a record batch as buffers.
struct ArrowBody {
    let output: ByteOutput
    /// Length and number of nulls of each column and part.
    private(set) var nodes: [Int64] = []
    /// Offset and length of each buffer.
    private(set) var buffers: [Int64] = []

    init(_ output: ByteOutput) { self.output = output }

    /// Ends a buffer, and pads it.
    private mutating func end(_ start: Int) {
        buffers.append(Int64(start))
        buffers.append(Int64(output.count - start))
        output.append(zeros: (8 - output.count % 8) % 8)
    }

    private mutating func bits(_ words: [UInt64], _ count: Int) {
        let start = output.count
        words.withUnsafeBytes { bytes in
            output.append(UnsafeRawBufferPointer(rebasing: bytes[..<((count + 7) / 8)]))
        }
        end(start)
    }

    mutating func append(_ column: ColumnarColumn) {
        let isNull = column.type == .null
        let nullCount = isNull ? column.count : column.nullCount
        nodes.append(Int64(column.count))
        nodes.append(Int64(nullCount))
        guard !isNull else { return }
        bits(nullCount > 0 ? column.validity : [], nullCount > 0 ? column.count : 0)
        switch column.type {
        case .bool:
            var slots = SlotBuilder(capacity: column.count)
            for value in column.ints { slots.append(isValid: value & 1 == 1) }
            bits(slots.words, column.count)
        case .int(let width, _): integers(column.ints, bytes: width / 8)
        case .date, .time(.seconds), .time(.milliseconds): integers(column.ints, bytes: 4)
        case .time, .duration, .timestamp: integers(column.ints, bytes: 8)
        case .float:
            let start = output.count
            for value in column.doubles { output.append(Float(value).bitPattern) }
            end(start)
        case .double:
            let start = output.count
            column.doubles.withUnsafeBytes { output.append($0) }
            end(start)
        case .decimal:
            let start = output.count
            column.decimals.withUnsafeBytes { output.append($0) }
            end(start)
        case .uuid: uuids(column)
        case .string, .json, .binary:
            offsets(column.offsets)
            let start = output.count
            column.bytes.withUnsafeBytes { output.append($0) }
            end(start)
        case .list:
            offsets(column.offsets)
            append(column.children[0])
        case .map:
            offsets(column.offsets)
            // The entries are structures without nulls.
            nodes.append(Int64(column.children[0].count))
            nodes.append(0)
            bits([], 0)
            for child in column.children { append(child) }
        case .structure: for child in column.children { append(child) }
        case .null: break
        }
    }

    private mutating func offsets(_ offsets: [UInt32]) {
        let start = output.count
        offsets.withUnsafeBytes { output.append($0) }
        end(start)
    }

    private mutating func integers(_ values: [Int64], bytes: Int) {
        let start = output.count
        switch bytes {
        case 1: for value in values { output.append(UInt8(truncatingIfNeeded: value)) }
        case 2: for value in values { output.append(UInt16(truncatingIfNeeded: value)) }
        case 4: for value in values { output.append(UInt32(truncatingIfNeeded: value)) }
        default: values.withUnsafeBytes { output.append($0) }
        }
        end(start)
    }

    /// Writes 16 bytes for every value, even for nulls, which have none in the column.
    private mutating func uuids(_ column: ColumnarColumn) {
        let start = output.count
        column.bytes.withUnsafeBytes { bytes in
            for row in 0..<column.count {
                let range = Int(column.offsets[row])..<Int(column.offsets[row + 1])
                output.append(UnsafeRawBufferPointer(rebasing: bytes[range]))
                output.append(zeros: max(0, 16 - range.count))
            }
        }
        end(start)
    }
}
