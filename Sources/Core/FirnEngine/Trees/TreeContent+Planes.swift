import FirnCodec
import FirnValues

/// The encoding of a leaf in which all keys have the same length and all values have the same
/// length.
///
/// The indexes of numbers and links have such leaves. They are encoded by byte position, each byte
/// as the difference from the previous entry.
///
///     u8 128 | varint count | u8 key bytes | u8 value bytes | plane 0 | plane 1 | ...
///
///     plane p:  for each entry, its byte p (of key and value together) less that of the previous
///               entry
///
/// Neighbouring keys share most of their bytes and usually increase by one. Nearly all planes are
/// therefore runs, which LZ4 reduces to almost nothing; entry by entry it finds only short matches
/// of little use. A million Int keys take about a third of their size in the other form.
extension TreeContent {
    static let planesMark: UInt8 = 128
    /// The longest key, and the longest value, in this form.
    private static let planeCountMax = 64

    /// Returns the leaf in this form, or `nil` if its entries have different lengths.
    func encodedPlanes(_ range: Range<Int>) -> [UInt8]? {
        guard level == 0, range.count > 1, let first = range.first else { return nil }
        let keyByteCount = entries.keyByteCount(at: first)
        let valueByteCount = entries.valueByteCount(at: first)
        guard keyByteCount <= TreeContent.planeCountMax,
            valueByteCount <= TreeContent.planeCountMax, keyByteCount + valueByteCount > 0,
            range.allSatisfy({
                entries.keyByteCount(at: $0) == keyByteCount
                    && entries.valueByteCount(at: $0) == valueByteCount
            })
        else { return nil }
        let width = keyByteCount + valueByteCount
        var planes = [UInt8](repeating: 0, count: width * range.count)
        var previous = [UInt8](repeating: 0, count: width)
        for (row, index) in range.enumerated() {
            let entry = entries.withEntry(at: index) { key, value in Array(key) + Array(value) }
            for plane in 0..<width {
                planes[plane * range.count + row] = entry[plane] &- previous[plane]
            }
            previous = entry
        }
        var writer = ByteWriter()
        writer.u8(TreeContent.planesMark)
        writer.varint(UInt64(range.count))
        writer.u8(UInt8(keyByteCount))
        writer.u8(UInt8(valueByteCount))
        writer.bytes(planes)
        return writer.bytes
    }

    /// Reads the fields after the mark.
    static func entries(
        planesFrom reader: inout ByteReader
    ) throws(CodecError) -> TreeEntries {
        let count = try reader.count(max: reader.remaining)
        let keyByteCount = Int(try reader.u8())
        let valueByteCount = Int(try reader.u8())
        let width = keyByteCount + valueByteCount
        guard count > 1, width > 0, keyByteCount <= planeCountMax, valueByteCount <= planeCountMax,
            reader.remaining == count * width
        else { throw CodecError(.corrupt, "impossible tree node", at: reader.offset) }
        let planes = try reader.bytes(count * width)
        var bytes = [UInt8](repeating: 0, count: count * width)
        for plane in 0..<width {
            var byte: UInt8 = 0
            for row in 0..<count {
                byte &+= planes[plane * count + row]
                bytes[row * width + plane] = byte
            }
        }
        return TreeEntries(
            bytes: bytes,
            keyByteCounts: Array(repeating: UInt32(keyByteCount), count: count),
            valueByteCounts: Array(repeating: UInt32(valueByteCount), count: count))
    }
}
