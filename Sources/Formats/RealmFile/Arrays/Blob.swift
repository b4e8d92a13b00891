import FirnValues

/// A value of any length: the bytes of one array, or of several that are concatenated.
struct Blob {
    let bytes: ByteSlice
    /// Whether the value consists of several arrays, as those above 16 MB do.
    ///
    /// Such a text has no terminating zero.
    let isChunked: Bool

    init(at position: UInt64, _ nodes: NodeReader) throws(RealmFileError) {
        let node = try nodes.node(at: position)
        guard node.hasRefs else {
            bytes = try Blob.content(node)
            isChunked = false
            return
        }
        guard node.context, node.widthType == .bits, node.size <= ReadLimits.integersMax else {
            throw .damaged("a value is neither bytes nor a list of them", at: position)
        }
        isChunked = true
        var parts: [ByteSlice] = []
        var count: UInt64 = 0
        for slot in 0..<node.size {
            let part = try Blob.content(
                try nodes.node(at: try nodes.requiredPosition(in: node, slot)))
            count += UInt64(part.count)
            guard count <= nodes.size else {
                throw .damaged("a value is longer than the file", at: position)
            }
            parts.append(part)
        }
        let joined = PageBuffer(count: Int(count))
        var done = 0
        for part in parts {
            part.withBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: joined.bytes[done...]).copyMemory(
                    from: UnsafeRawBufferPointer(source))
            }
            done += part.count
        }
        bytes = ByteSlice(joined)
    }

    private static func content(_ node: ArrayNode) throws(RealmFileError) -> ByteSlice {
        guard node.widthType == .none, !node.hasRefs else {
            throw .damaged("a value does not consist of bytes", at: node.position)
        }
        return node.payload
    }
}
