import FirnValues

/// Keys of trees: bytes whose order is the order of what they stand for.
enum TreeKey {
    /// The key of a primary key: Int, String, UUID and ObjectId order as `Value` orders them.
    ///
    ///     int        8 bytes big endian, with the sign bit flipped
    ///     string     its UTF-8
    ///     uuid       16 bytes big endian
    ///     objectID   12 bytes big endian
    ///
    /// Where keys may be nil, all of them have a byte in front: 0, with nothing behind it, for nil, and
    /// 1 for the others.
    ///
    /// - Returns: `nil` for values of other kinds, which cannot be keys.
    static func primary(_ value: Value, mayBeNull: Bool) -> [UInt8]? {
        guard mayBeNull else { return bytes(of: value) }
        return value.isNull ? [0] : bytes(of: value).map { [1] + $0 }
    }

    private static func bytes(of value: Value) -> [UInt8]? {
        switch value {
        case .int(let value): bigEndian(UInt64(bitPattern: value) ^ 1 << 63)
        case .string(let value): Array(value.utf8)
        case .uuid(let value): bigEndian(value.high) + bigEndian(value.low)
        case .objectID(let value): bigEndian(value.high) + bigEndian(value.low)
        default: nil
        }
    }

    /// The key of a link index: u32 class and u64 row of the target, u64 row of the source, all
    /// big endian.
    static func link(target: ObjectReference, source: RowID) -> [UInt8] {
        linkPrefix(target: target) + bigEndian(source.rawValue)
    }

    /// What the keys of all links to a target begin with.
    static func linkPrefix(target: ObjectReference) -> [UInt8] {
        bigEndian(target.classID.rawValue) + bigEndian(target.rowID.rawValue)
    }

    /// Reads ``link(target:source:)``; `nil` for bytes of another length.
    static func link(
        decoding key: UnsafeRawBufferPointer
    ) -> (target: ObjectReference, source: RowID)? {
        guard key.count == 20 else { return nil }
        let classID = UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
        let target = UInt64(
            bigEndian: key.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
        let source = UInt64(
            bigEndian: key.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
        return (
            ObjectReference(classID: ClassID(classID), rowID: RowID(target)), RowID(source)
        )
    }

    /// The key of an element of a collection: the row, big endian; behind it, for maps only, the
    /// UTF-8 of the element's key.
    ///
    /// All elements of a list or set have the same key. The order of a list is that of its
    /// positions. The order of a set is `Value.order`, which compares numbers of all kinds by their
    /// exact values: no encoding in bytes is needed for it, because a set is searched by rank.
    static func element(row: RowID, mapKey: String? = nil) -> [UInt8] {
        var key = bigEndian(row.rawValue)
        if let mapKey { key.append(contentsOf: mapKey.utf8) }
        return key
    }

    /// The row of ``element(row:mapKey:)``; `nil` for bytes that are too short.
    static func row(ofElement key: UnsafeRawBufferPointer) -> RowID? {
        guard key.count >= rowByteCount else { return nil }
        return RowID(UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)))
    }

    /// Bytes of ``element(row:mapKey:)`` before the key of the map.
    static let rowByteCount = 8

    /// The least key that is greater than all keys that begin with those bytes; `nil` if no key is.
    static func successor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
        guard let index = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var next = Array(prefix[...index])
        next[index] += 1
        return next
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
