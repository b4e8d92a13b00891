import FirnValues

/// Texts or bytes of any length.
///
/// Each leaf has the form that its longest value once needed, so all forms have short values too.
package struct TextLeaf {
    private indirect enum Form {
        /// At most 15 bytes.
        case short(ShortStrings)
        /// At most 63 bytes: one value after another, and the end of each.
        case medium(ends: [UInt64], bytes: ByteSlice?, nulls: [Int64])
        /// The position of each value.
        case long([UInt64])
        /// Indices into the distinct texts of a column.
        case enumerated([Int64], TextLeaf)
    }

    private let form: Form
    /// Whether values of the medium and long form end in a zero.
    private let isText: Bool
    private let position: UInt64
    package let count: Int

    /// - Parameters:
    ///   - isText: whether the leaf has texts and not bytes.
    ///   - texts: the distinct texts of an enumerated column.
    init(
        _ node: ArrayNode, isText: Bool, texts: TextLeaf? = nil, _ nodes: NodeReader
    ) throws(RealmFileError) {
        self.isText = isText
        position = node.position
        if !node.hasRefs {
            guard isText else { throw .damaged("bytes have a form of texts", at: node.position) }
            if let texts, node.widthType == .bits {
                form = .enumerated(try node.integers(), texts)
            } else {
                form = .short(try ShortStrings(node))
            }
            count = node.size
            return
        }
        guard node.widthType == .bits, node.size <= ReadLimits.integersMax else {
            throw .damaged("an array of texts has an unknown form", at: node.position)
        }
        if node.context {
            form = .long((0..<node.size).map { node.slot($0) })
            count = node.size
        } else {
            let parts = try TextLeaf.medium(node, nodes)
            form = .medium(ends: parts.ends, bytes: parts.bytes, nulls: parts.nulls)
            count = parts.ends.count
        }
    }

    private static func medium(
        _ node: ArrayNode, _ nodes: NodeReader
    ) throws(RealmFileError) -> (ends: [UInt64], bytes: ByteSlice?, nulls: [Int64]) {
        let ends = try nodes.position(in: node, 0).map { place throws(RealmFileError) in
            try nodes.node(at: place).integers().map(UInt64.init(bitPattern:))
        }
        let bytes = try nodes.position(in: node, 1).map { place throws(RealmFileError) in
            try Blob(at: place, nodes).bytes
        }
        let nulls = try nodes.position(in: node, 2).map { place throws(RealmFileError) in
            try nodes.node(at: place).integers()
        }
        var last: UInt64 = 0
        for end in ends ?? [] {
            guard end >= last, end <= UInt64(bytes?.count ?? 0) else {
                throw .damaged("the ends of texts do not ascend", at: node.position)
            }
            last = end
        }
        return (ends ?? [], bytes, nulls ?? [])
    }

    /// Whether values can have more than 63 bytes.
    package var isLong: Bool {
        switch form {
        case .short, .medium: false
        case .long: true
        case .enumerated(_, let texts): texts.isLong
        }
    }

    /// The maximum total size in bytes of the values of the medium form at which none of them
    /// counts as long.
    private static let mediumBytesMax = 1 << 20

    /// Calls a closure with the bytes of some values; `nil` for null.
    ///
    /// - Returns: `false` if values may be long. The closure was then not called.
    package func forEachShort(
        in rows: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>?) -> Void
    ) throws(RealmFileError) -> Bool {
        switch form {
        case .short(let texts): try texts.forEach(in: rows, body)
        case .medium(_, let bytes, _):
            guard bytes?.count ?? 0 <= TextLeaf.mediumBytesMax else { return false }
            for row in rows { try visitShort(row, body) }
        case .long: return false
        case .enumerated(let indices, let texts):
            guard texts.hasShortValues else { return false }
            for row in rows {
                let index = indices[row]
                guard index >= 0, index < texts.count else { throw notListed }
                try texts.visitShort(Int(index), body)
            }
        }
        return true
    }

    private var hasShortValues: Bool {
        switch form {
        case .short: true
        case .medium(_, let bytes, _): bytes?.count ?? 0 <= TextLeaf.mediumBytesMax
        case .long, .enumerated: false
        }
    }

    private func visitShort(
        _ index: Int, _ body: (UnsafeBufferPointer<UInt8>?) -> Void
    ) throws(RealmFileError) {
        let bytes: ByteSlice? =
            switch form {
            case .short(let texts): try texts.bytes(index)
            case .medium(let ends, let bytes, let nulls):
                try mediumBytes(index, ends, bytes, nulls)
            case .long, .enumerated: nil
            }
        if let bytes { bytes.withBytes { body($0) } } else { body(nil) }
    }

    private var notListed: RealmFileError {
        .damaged("a text is not in the list of its column", at: position)
    }

    private func mediumBytes(
        _ index: Int, _ ends: [UInt64], _ bytes: ByteSlice?, _ nulls: [Int64]
    ) throws(RealmFileError) -> ByteSlice? {
        if index < nulls.count, nulls[index] != 0 { return nil }
        let start = index == 0 ? 0 : ends[index - 1]
        guard let bytes else { return ByteSlice.empty }
        return try withoutEnd(bytes.part(from: Int(start), count: Int(ends[index] - start)))
    }

    /// Returns the bytes of a value; `nil` for null.
    ///
    /// - Parameter index: less than ``count``.
    func bytes(_ index: Int, _ nodes: NodeReader) throws(RealmFileError) -> ByteSlice? {
        switch form {
        case .short(let texts): return try texts.bytes(index)
        case .medium(let ends, let bytes, let nulls):
            return try mediumBytes(index, ends, bytes, nulls)
        case .long(let positions):
            guard positions[index] != 0 else { return nil }
            guard positions[index] & 1 == 0 else {
                throw .damaged("a text has a number in place of a position", at: position)
            }
            let blob = try Blob(at: positions[index], nodes)
            return blob.isChunked ? blob.bytes : try withoutEnd(blob.bytes)
        case .enumerated(let indices, let texts):
            guard indices[index] >= 0, indices[index] < texts.count else { throw notListed }
            return try texts.bytes(Int(indices[index]), nodes)
        }
    }

    /// Removes the terminating zero of a text.
    private func withoutEnd(_ value: ByteSlice) throws(RealmFileError) -> ByteSlice {
        guard isText, value.count > 0 else { return value }
        guard value.byte(value.count - 1) == 0 else {
            throw .damaged("a text has no end", at: position)
        }
        return value.part(from: 0, count: value.count - 1)
    }
}
