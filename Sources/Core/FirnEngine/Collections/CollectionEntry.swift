import FirnCodec
import FirnValues

/// One element of a list or set, or one entry of a map.
struct CollectionEntry: Hashable, Sendable {
    /// The key, for maps only.
    let key: String?
    let value: Value

    init(key: String? = nil, _ value: Value) {
        self.key = key
        self.value = value
    }
}

extension CollectionEntry {
    /// Returns the entry of a collection tree; see ``TreeKey/element(row:mapKey:)``.
    ///
    /// - Throws: `invalidValue` for a value that cannot be encoded, such as one nested too deeply.
    func treeEntry(row: RowID, path: String) throws(StoreError) -> TreeEntry {
        TreeEntry(
            key: TreeKey.element(row: row, mapKey: key),
            value: try CollectionEntry.bytes(of: value, path: path))
    }

    /// Reads ``treeEntry(row:path:)`` from untrusted bytes.
    init(
        treeKey: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, isMap: Bool
    ) throws(CodecError) {
        guard treeKey.count >= TreeKey.rowByteCount,
            isMap || treeKey.count == TreeKey.rowByteCount
        else { throw CodecError(.corrupt, "key of another length") }
        if isMap {
            let text = UnsafeRawBufferPointer(rebasing: treeKey[TreeKey.rowByteCount...])
            guard let key = String(validating: text, as: UTF8.self) else {
                throw CodecError(.corrupt, "key that is not UTF-8")
            }
            self.key = key
        } else {
            key = nil
        }
        self.value = try Value(tagged: value)
    }

    /// Returns the encoding of a value in a collection tree.
    static func bytes(of value: Value, path: String) throws(StoreError) -> [UInt8] {
        var writer = ByteWriter()
        do throws(CodecError) {
            try value.writeTagged(to: &writer)
        } catch {
            throw StoreError(.invalidValue, path: path, detail: error.reason)
        }
        return writer.bytes
    }

    /// Returns the order of two keys of a map.
    static func keyOrder(_ left: String, _ right: String) -> Ordering {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                KeyOrder.order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
    }
}

/// The position of an element in a sorted collection, or the position at which it would be
/// inserted.
struct CollectionPosition: Hashable, Sendable {
    let index: Int
    let isFound: Bool

    /// Finds a position by binary search.
    ///
    /// - Parameter order: Returns the order of the element at an index relative to the wanted one.
    static func search(
        count: Int, _ order: (Int) throws(StoreError) -> Ordering
    ) throws(StoreError) -> CollectionPosition {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            switch try order(middle) {
            case .less: low = middle + 1
            case .greater: high = middle
            case .equal: return CollectionPosition(index: middle, isFound: true)
            }
        }
        return CollectionPosition(index: low, isFound: false)
    }
}
