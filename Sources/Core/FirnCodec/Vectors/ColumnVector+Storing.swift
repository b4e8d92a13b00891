package import FirnValues

/// The plain form of a vector, used by statements to keep rows in temporary files.
///
///     u32 rows, u32 words of nulls, the words, then by kind
///
///     bool, int        8 bytes per row
///     float, double    8 bytes per row
///     date             8 bytes of seconds per row, then 4 bytes of nanoseconds per row
///     stored as bytes  4 bytes of offset per row and one more, then the bytes
///
/// Numbers have the byte order of the machine: no other machine reads the file.
extension ColumnVector {
    /// Writes the vector, which has no collections.
    package func write(to writer: inout ByteWriter) {
        precondition(kind.isColumnKind, "collections have no plain form")
        writer.u32(UInt32(count))
        writer.u32(UInt32(nulls.count))
        nulls.withUnsafeBytes { writer.bytes($0) }
        switch kind {
        case .double, .float: doubles.withUnsafeBytes { writer.bytes($0) }
        case _ where kind.isStoredAsBytes:
            offsets.withUnsafeBytes { writer.bytes($0) }
            writer.bytes(bytes)
        default:
            ints.withUnsafeBytes { writer.bytes($0) }
            if kind == .date { nanoseconds.withUnsafeBytes { writer.bytes($0) } }
        }
    }

    /// Reads a vector of a kind.
    ///
    /// - Throws: ``CodecError`` if the lengths do not fit the bytes.
    package init(kind: ValueTag, from reader: inout ByteReader) throws(CodecError) {
        self.init(kind: kind)
        count = Int(try reader.u32())
        nulls = try reader.array(of: UInt64.self, Int(try reader.u32()))
        switch kind {
        case .double, .float: doubles = try reader.array(of: Double.self, count)
        case _ where kind.isStoredAsBytes:
            offsets = try reader.array(of: UInt32.self, count + 1)
            guard offsets.first == 0, zip(offsets, offsets.dropFirst()).allSatisfy(<=) else {
                throw CodecError(.corrupt, "offsets that do not ascend", at: reader.offset)
            }
            bytes = try reader.array(of: UInt8.self, Int(offsets[count]))
        default:
            ints = try reader.array(of: Int64.self, count)
            if kind == .date { nanoseconds = try reader.array(of: Int32.self, count) }
        }
    }

    /// The size of the values in bytes.
    package var valueByteCount: Int {
        8 * (nulls.count + ints.count + doubles.count) + 4 * (nanoseconds.count + offsets.count)
            + bytes.count
    }

    /// The memory of the vector in bytes, including room for more values.
    package var allocatedByteCount: Int {
        8 * (nulls.capacity + ints.capacity + doubles.capacity)
            + 4 * (nanoseconds.capacity + offsets.capacity) + bytes.capacity
    }
}

extension ByteReader {
    /// Reads numbers in the byte order of the machine.
    fileprivate mutating func array<Element: BitwiseCopyable>(
        of type: Element.Type, _ count: Int
    ) throws(CodecError) -> [Element] {
        // An array without elements shares its storage, whose count the initializer would write.
        guard count > 0 else { return [] }
        let source = try bytes(count * MemoryLayout<Element>.stride)
        return [Element](unsafeUninitializedCapacity: count) { target, filled in
            UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
            filled = count
        }
    }
}
