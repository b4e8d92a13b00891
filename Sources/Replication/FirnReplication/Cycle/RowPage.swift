import FirnCodec
import FirnEngine
import FirnValues

/// Some rows of a class, compressed.
///
///     page   = u32 number of raw bytes, little-endian, block
///     block  = the raw bytes, compressed by LZ4 if that saves an eighth
///     raw    = ``PropertyCoding`` of a property for each row: its key as the name, and its texts; a
///              row outside the subset has no texts and an empty base
struct RowPage: Sendable {
    let bytes: [UInt8]

    var byteCount: Int { bytes.count }

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ rows: [PulledRow]) {
        let raw = PropertyCoding.bytes(
            rows.map { row in
                PropertyText(
                    name: row.key, texts: row.texts ?? [], base: row.texts == nil ? [] : nil)
            })
        var bytes: [UInt8] = []
        let count = UInt32(clamping: raw.count)
        withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
        let isCompressed =
            raw.withUnsafeBytes { LZ4Block.compress($0, level: .fast, to: &bytes) } != nil
        if !isCompressed { bytes += raw }
        self.bytes = bytes
    }

    /// - Throws: ``UpstreamError`` if the bytes are not a page: the staged rows are damaged.
    func rows() throws(UpstreamError) -> [PulledRow] {
        guard let raw = decompressed(), let properties = PropertyCoding.properties(raw) else {
            throw UpstreamError(
                StoreError(.corrupt, path: "", detail: "a page of staged rows is not readable"))
        }
        return properties.map { property in
            PulledRow(key: property.name, texts: property.base == nil ? property.texts : nil)
        }
    }

    private func decompressed() -> [UInt8]? {
        guard bytes.count >= 4 else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
        let block = bytes[4...]
        if count == block.count { return Array(block) }
        // A block expands to at most 255 times its bytes.
        guard count <= (block.count + 1) * 255 else { return nil }
        var raw = [UInt8](repeating: 0, count: count)
        let isRead = raw.withUnsafeMutableBytes { target in
            block.withUnsafeBytes { source in
                (try? LZ4Block.decompress(source, into: target)) != nil
            }
        }
        return isRead ? raw : nil
    }
}
