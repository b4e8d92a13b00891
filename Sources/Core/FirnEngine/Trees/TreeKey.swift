import FirnValues

/// Keys of trees: bytes in the order of the values that they encode.
enum TreeKey {
    /// Returns the tree key of a primary key; Int, String, UUID and ObjectId keep the order of
    /// `Value`.
    ///
    ///     int        8 bytes big endian, with the sign bit flipped
    ///     string     its UTF-8
    ///     uuid       16 bytes big endian
    ///     objectID   12 bytes big endian
    ///
    /// If keys may be nil, all of them are preceded by a byte: 0 alone for nil, and 1 for the
    /// others.
    ///
    /// - Returns: `nil` for values of other types, which cannot be keys.
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

    /// Returns the key of a link index: u32 class and u64 row of the target, u64 row of the source,
    /// all big endian.
    static func link(target: ObjectReference, source: RowID) -> [UInt8] {
        linkPrefix(target: target) + bigEndian(source.rawValue)
    }

    /// Returns the common prefix of the keys of all links to a target.
    static func linkPrefix(target: ObjectReference) -> [UInt8] {
        bigEndian(target.classID.rawValue) + bigEndian(target.rowID.rawValue)
    }

    /// Reads ``link(target:source:)``, or returns `nil` for bytes with another length.
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

    /// Returns the key of an element of a collection: the row, big endian, and for maps the UTF-8
    /// of the element's key.
    ///
    /// All elements of a list or set have the same key. The order of a list is that of its
    /// positions. The order of a set is `Value.order`, which compares numbers of all types by their
    /// exact values. It needs no encoding in bytes, because a set is searched by rank.
    static func element(row: RowID, mapKey: String? = nil) -> [UInt8] {
        var key = bigEndian(row.rawValue)
        if let mapKey { key.append(contentsOf: mapKey.utf8) }
        return key
    }

    /// Returns the row of ``element(row:mapKey:)``, or `nil` for bytes that are too short.
    static func row(ofElement key: UnsafeRawBufferPointer) -> RowID? {
        guard key.count >= rowByteCount else { return nil }
        return RowID(UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)))
    }

    /// The number of bytes of ``element(row:mapKey:)`` before the key of the map.
    static let rowByteCount = 8

    /// Returns the least key that is greater than all keys with a prefix, or `nil` if there is
    /// none.
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

/// The order of keys: byte by byte, with a prefix before its extensions.
enum KeyOrder {
    /// Returns the order of two keys.
    static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Ordering {
        let common = min(left.count, right.count)
        var at = 0
        // Eight bytes are compared at a time: the first different byte decides, which is the
        // highest different one of the big-endian words.
        while at + 8 <= common {
            let leftWord = left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let rightWord = right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if leftWord != rightWord {
                return UInt64(bigEndian: leftWord) < UInt64(bigEndian: rightWord)
                    ? .less : .greater
            }
            at += 8
        }
        while at < common {
            if left[at] != right[at] { return left[at] < right[at] ? .less : .greater }
            at += 1
        }
        return Ordering(left.count, right.count)
    }

    /// Returns the order of two keys.
    static func order(_ left: [UInt8], _ right: [UInt8]) -> Ordering {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in order(left, right) } }
    }
}
