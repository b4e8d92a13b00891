import FirnValues

/// Decodes the values of one page, in parts, into lanes.
///
/// Integers, truth values and days of INT96 go to `ints`, floating-point numbers to `doubles`, and
/// bytes to `offsets` and `bytes`.
final class ValueDecoder {
    private enum State {
        case plain(ByteCursor)
        case bits(HybridDecoder)
        /// Truth values, one bit each, and the position.
        case packedBits(ByteCursor, Int)
        case dictionary(HybridDecoder, ColumnarColumn)
        case integers([Int64], Int)
        /// Lengths, the position, and the bytes.
        case texts([Int64], Int, ByteCursor)
        /// Shared prefixes, lengths of the rest, the position, the bytes, and the last text.
        case prefixedTexts([Int64], [Int64], Int, ByteCursor, [UInt8])
        /// The bytes, the number of values, and the position.
        case split(ByteCursor, Int, Int)
    }

    private var state: State
    private let leaf: ParquetLeaf
    private let limits: ColumnarLimits
    /// The memory of the values that are decoded as a whole.
    let byteCount: Int
    /// The memory with the bytes, which this keeps.
    private let block: ByteBlock

    /// - Parameters:
    ///   - cursor: the values of the page, in the block.
    ///   - count: the number of values of the page at most, with nulls.
    init(
        _ cursor: ByteCursor, in block: ByteBlock, encoding: ParquetEncoding, _ leaf: ParquetLeaf,
        count: Int, dictionary: ColumnarColumn?, _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        self.leaf = leaf
        self.limits = limits
        self.block = block
        var cursor = cursor
        var byteCount = 0
        switch (encoding, leaf.physical) {
        case (.plain, .boolean): state = .packedBits(cursor, 0)
        case (.plain, _): state = .plain(cursor)
        case (.rle, .boolean):
            let size = Int(try cursor.uint32())
            state = .bits(try HybridDecoder(try cursor.take(size), width: 1))
        case (.plainDictionary, _), (.rleDictionary, _):
            guard let dictionary else { throw .damaged("the dictionary of the page is missing") }
            // A page of nulls alone may be empty.
            let width = cursor.isEmpty ? 0 : Int(try cursor.byte())
            state = .dictionary(try HybridDecoder(cursor, width: width), dictionary)
        case (.deltaBinaryPacked, .int32), (.deltaBinaryPacked, .int64):
            try Self.checkWhole(count, limits)
            var values = try DeltaDecoder.integers(&cursor, countMax: count)
            if leaf.physical == .int32 {
                // The differences of narrow numbers wrap around.
                for index in values.indices {
                    values[index] = Int64(Int32(truncatingIfNeeded: values[index]))
                }
            }
            byteCount = 8 * values.count
            state = .integers(values, 0)
        case (.deltaLengthByteArray, .byteArray):
            try Self.checkWhole(count, limits)
            let lengths = try DeltaDecoder.lengths(&cursor, countMax: count)
            byteCount = 8 * lengths.count
            state = .texts(lengths, 0, cursor)
        case (.deltaByteArray, .byteArray), (.deltaByteArray, .fixedByteArray):
            try Self.checkWhole(count, limits)
            let prefixes = try DeltaDecoder.lengths(&cursor, countMax: count)
            let rests = try DeltaDecoder.lengths(&cursor, countMax: count)
            guard prefixes.count == rests.count else {
                throw .damaged("\(prefixes.count) prefixes have \(rests.count) ends")
            }
            byteCount = 16 * prefixes.count
            state = .prefixedTexts(prefixes, rests, 0, cursor, [])
        case (.byteStreamSplit, .float), (.byteStreamSplit, .double), (.byteStreamSplit, .int32),
            (.byteStreamSplit, .int64), (.byteStreamSplit, .fixedByteArray):
            guard leaf.valueBytes > 0, cursor.count % leaf.valueBytes == 0 else {
                throw .damaged(
                    "\(cursor.count) bytes are not whole values of \(leaf.valueBytes) bytes")
            }
            state = .split(cursor, cursor.count / leaf.valueBytes, 0)
        default:
            throw ColumnarError(
                .unsupported, "the encoding \(encoding) is not one of values of \(leaf.physical)")
        }
        self.byteCount = byteCount
    }

    private static func checkWhole(
        _ count: Int, _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        guard count <= limits.pageValuesMax else {
            throw ColumnarError(
                .tooLarge,
                "the page has \(count) values; at most \(limits.pageValuesMax) are read")
        }
    }

    /// Appends the next values.
    func read(_ count: Int, into column: ColumnarColumn) throws(ColumnarError) {
        guard count > 0 else { return }
        switch state {
        case .plain(var cursor):
            try readPlain(count, &cursor, into: column)
            state = .plain(cursor)
        case .bits(var decoder):
            try column.ints.appendUnsigned(count, from: &decoder)
            state = .bits(decoder)
        case .packedBits(let cursor, let position):
            guard position + count <= cursor.count * 8 else { throw Self.tooFew }
            for bit in position..<position + count {
                let byte = cursor.base.load(fromByteOffset: bit >> 3, as: UInt8.self)
                column.ints.append(Int64(byte >> UInt8(bit & 7) & 1))
            }
            state = .packedBits(cursor, position + count)
        case .dictionary(var decoder, let dictionary):
            try readIndices(count, &decoder, dictionary, into: column)
            state = .dictionary(decoder, dictionary)
        case .integers(let values, let position):
            guard position + count <= values.count else { throw Self.tooFew }
            column.ints.append(contentsOf: values[position..<position + count])
            state = .integers(values, position + count)
        case .texts(let lengths, let position, var cursor):
            guard position + count <= lengths.count else { throw Self.tooFew }
            for index in position..<position + count {
                try column.append(try cursor.take(Int(lengths[index])).buffer, limits)
            }
            state = .texts(lengths, position + count, cursor)
        case .prefixedTexts(let prefixes, let rests, let position, var cursor, var last):
            // The state holds no second reference while the text changes.
            state = .integers([], 0)
            guard position + count <= rests.count else { throw Self.tooFew }
            for index in position..<position + count {
                guard prefixes[index] <= last.count else {
                    throw .damaged("a prefix of \(prefixes[index]) bytes is in \(last.count)")
                }
                last.removeLast(last.count - Int(prefixes[index]))
                last.append(contentsOf: try cursor.take(Int(rests[index])).buffer)
                if leaf.physical == .fixedByteArray, last.count != leaf.valueBytes {
                    throw .damaged("a value of \(leaf.valueBytes) bytes has \(last.count)")
                }
                try column.append(bytes: last, limits)
            }
            state = .prefixedTexts(prefixes, rests, position + count, cursor, last)
        case .split(let cursor, let valueCount, let position):
            guard position + count <= valueCount else { throw Self.tooFew }
            readSplit(count, cursor.base, valueCount, position, into: column)
            state = .split(cursor, valueCount, position + count)
        }
        column.count += count
    }

    static var tooFew: ColumnarError {
        .damaged("the page has fewer values than its header says")
    }

    // MARK: Plain values

    private func readPlain(
        _ count: Int, _ cursor: inout ByteCursor, into column: ColumnarColumn
    ) throws(ColumnarError) {
        guard leaf.physical != .byteArray else {
            return try readPlainTexts(count, &cursor, into: column)
        }
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: leaf.valueBytes)
        guard !overflow, byteCount <= cursor.count else { throw Self.tooFew }
        let base = try cursor.take(byteCount).base
        switch leaf.physical {
        case .int32:
            column.ints.append(count) { target in
                for index in 0..<count {
                    let value = base.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)
                    target[index] = Int64(Int32(littleEndian: value))
                }
            }
        case .int64:
            column.ints.append(count) { target in
                UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: count * 8)
            }
        case .float:
            column.doubles.append(count) { target in
                for index in 0..<count {
                    let bits = base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
                    target[index] = Double(Float(bitPattern: UInt32(littleEndian: bits)))
                }
            }
        case .double:
            column.doubles.append(count) { target in
                UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: count * 8)
            }
        case .int96: readInt96(count, base, into: column)
        case .fixedByteArray:
            for index in 0..<count {
                let value = UnsafeRawBufferPointer(
                    start: base + index * leaf.valueBytes, count: leaf.valueBytes)
                try column.append(value, limits)
            }
        case .boolean, .byteArray: break
        }
    }

    private func readPlainTexts(
        _ count: Int, _ cursor: inout ByteCursor, into column: ColumnarColumn
    ) throws(ColumnarError) {
        var rest = cursor
        for _ in 0..<count {
            let length = Int(try rest.uint32())
            try column.append(try rest.take(length).buffer, limits)
        }
        cursor = rest
    }

    /// Converts nanoseconds of a day and the Julian day to a time since 1970.
    private func readInt96(_ count: Int, _ base: UnsafeRawPointer, into column: ColumnarColumn) {
        for index in 0..<count {
            let time = Int64(
                littleEndian: base.loadUnaligned(fromByteOffset: index * 12, as: Int64.self))
            let day = Int32(
                littleEndian: base.loadUnaligned(fromByteOffset: index * 12 + 8, as: Int32.self))
            var seconds = (Int64(day) - 2_440_588) * 86_400 + time / 1_000_000_000
            var nanoseconds = time % 1_000_000_000
            if nanoseconds < 0 {
                nanoseconds += 1_000_000_000
                seconds -= 1
            }
            column.ints.append(seconds)
            column.nanoseconds.append(Int32(truncatingIfNeeded: nanoseconds))
        }
    }

    // MARK: Other encodings

    private func readIndices(
        _ count: Int, _ decoder: inout HybridDecoder, _ dictionary: ColumnarColumn,
        into column: ColumnarColumn
    ) throws(ColumnarError) {
        var indices = [UInt32](repeating: 0, count: count)
        var greatest: UInt32 = 0
        try indices.withUnsafeMutableBufferPointer { (buffer) throws(ColumnarError) in
            guard let base = buffer.baseAddress else { return }
            try decoder.read(count, into: base)
            for index in 0..<count { greatest = max(greatest, base[index]) }
        }
        guard Int(greatest) < dictionary.count else {
            throw .damaged(
                "an index is \(greatest), and the dictionary has \(dictionary.count) values")
        }
        try column.append(dictionary, at: indices, limits)
    }

    private func readSplit(
        _ count: Int, _ base: UnsafeRawPointer, _ stride: Int, _ position: Int,
        into column: ColumnarColumn
    ) {
        let width = leaf.valueBytes
        var value = [UInt8](repeating: 0, count: width)
        for index in position..<position + count {
            if leaf.physical == .fixedByteArray {
                for byte in 0..<width {
                    value[byte] = base.load(fromByteOffset: byte * stride + index, as: UInt8.self)
                }
                column.bytes.append(contentsOf: value)
                column.offsets.append(UInt32(truncatingIfNeeded: column.bytes.count))
                continue
            }
            var bits: UInt64 = 0
            for byte in 0..<width {
                let part = base.load(fromByteOffset: byte * stride + index, as: UInt8.self)
                bits |= UInt64(part) << UInt64(8 * byte)
            }
            switch leaf.physical {
            case .float:
                let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
                column.doubles.append(Double(float))
            case .double: column.doubles.append(Double(bitPattern: bits))
            case .int32: column.ints.append(Int64(Int32(truncatingIfNeeded: bits)))
            default: column.ints.append(Int64(bitPattern: bits))
            }
        }
    }
}

extension [Int64] {
    /// Appends numbers of a decoder.
    mutating func appendUnsigned(
        _ count: Int, from decoder: inout HybridDecoder
    ) throws(ColumnarError) {
        var numbers = [UInt32](repeating: 0, count: count)
        try numbers.withUnsafeMutableBufferPointer { (buffer) throws(ColumnarError) in
            if let base = buffer.baseAddress { try decoder.read(count, into: base) }
        }
        append(contentsOf: numbers.lazy.map { Int64($0) })
    }
}
