import FirnCodec
import FirnValues

/// The encoding of a node as the raw bytes of a blob.
///
///     u8 level | varint count | table: one line per item | keys and values, item by item
///
///     line of an entry (level 0):   varint key bytes, varint value bytes
///     line of a child (level > 0):  varint key bytes, varint entries below it, reference
///
/// A leaf whose entries all have the same length has another form: ``encodedPlanes(_:)``.
///
/// Keys ascend; equal keys may follow each other. A child has no value. No bytes follow.
extension TreeContent {
    /// The limit on the size of a node, except for a node with a single entry or two children whose
    /// keys or values are that long.
    ///
    /// A reader rejects other larger nodes, so that no blob of a few bytes can claim a large table.
    static let nodeByteCountMax = 64 * 1024
    /// The limit on the size of a key and its value together: the limit of any value, and room for
    /// a key.
    static let entryByteCountMax = CodecLimits.taggedBytesMax + 64 * 1024

    func encoded(_ range: Range<Int>) -> [UInt8] {
        if let planes = encodedPlanes(range), planes.count <= TreeContent.nodeByteCountMax {
            return planes
        }
        var writer = ByteWriter()
        writer.u8(UInt8(truncatingIfNeeded: level))
        writer.varint(UInt64(range.count))
        for index in range {
            writer.varint(UInt64(entries.keyByteCount(at: index)))
            if level == 0 {
                writer.varint(UInt64(entries.valueByteCount(at: index)))
            } else {
                writer.varint(counts[index])
                references[index].write(to: &writer)
            }
        }
        for index in range {
            entries.withEntry(at: index) { key, value in
                writer.bytes(key)
                writer.bytes(value)
            }
        }
        return writer.bytes
    }

    init(decoding raw: [UInt8]) throws(CodecError) {
        self = try raw.withBytes { raw throws(CodecError) in
            var reader = ByteReader(raw)
            let isLarge = raw.count > TreeContent.nodeByteCountMax
            let mark = try reader.u8()
            if mark == TreeContent.planesMark, !isLarge {
                let entries = try TreeContent.entries(planesFrom: &reader)
                try TreeContent.checkOrder(entries)
                return TreeContent(level: 0, entries: entries, references: [], counts: [])
            }
            let level = Int(mark)
            let count = try reader.count(max: raw.count)
            guard level <= TreeNode.maximumLevel, count >= 1,
                !isLarge || count <= (level == 0 ? 1 : 2)
            else { throw CodecError(.corrupt, "impossible tree node", at: 0) }
            return try TreeContent(level: level, count: count, from: &reader)
        }
    }

    private init(level: Int, count: Int, from reader: inout ByteReader) throws(CodecError) {
        var keyByteCounts: [UInt32] = []
        var valueByteCounts: [UInt32] = []
        var references: [PageReference] = []
        var counts: [UInt64] = []
        var total = 0
        for _ in 0..<count {
            let key = try reader.count(max: TreeContent.entryByteCountMax)
            var value = 0
            if level == 0 {
                value = try reader.count(max: TreeContent.entryByteCountMax)
            } else {
                counts.append(try reader.varint())
                references.append(try PageReference(from: &reader))
            }
            keyByteCounts.append(UInt32(key))
            valueByteCounts.append(UInt32(value))
            // There are at most 64 Ki items of at most 32 MiB, so the sum cannot overflow.
            total += key + value
        }
        let bytes = [UInt8](try reader.bytes(total))
        try reader.finish()
        let entries = TreeEntries(
            bytes: bytes, keyByteCounts: keyByteCounts, valueByteCounts: valueByteCounts)
        try TreeContent.checkOrder(entries)
        self.init(level: level, entries: entries, references: references, counts: counts)
    }

    private static func checkOrder(_ entries: TreeEntries) throws(CodecError) {
        for index in 1..<max(1, entries.count)
        where entries.order(at: index - 1, relativeTo: entries, at: index) == .greater {
            throw CodecError(.corrupt, "keys out of order")
        }
    }
}
