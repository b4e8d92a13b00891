import FirnValues

/// Values of 12 or 16 bytes, in blocks of eight.
///
///     | nulls | value 0 | value 1 | ... | value 7 | nulls | value 8 | ...
///
/// Bit k of the byte of nulls belongs to value k of the block. The last block ends with its last
/// value.
package struct FixedLeaf {
    private let bytes: ByteSlice
    private let width: Int
    package let count: Int

    init(_ node: ArrayNode, width: Int) throws(RealmFileError) {
        guard !node.hasRefs, node.widthType == .bytes, node.width <= 1 else {
            throw .damaged("an array of ids has another kind of elements", at: node.position)
        }
        let block = width * 8 + 1
        let size = node.payload.count
        let values = size - (size + block - 1) / block
        guard values % width == 0 else {
            throw .damaged("an array of ids ends inside an id", at: node.position)
        }
        self.width = width
        bytes = node.payload
        count = values / width
    }

    /// Returns the offset of a value; `nil` for null.
    private func offset(_ index: Int) -> Int? {
        let block = index / 8 * (width * 8 + 1)
        guard bytes.byte(block) >> UInt8(index % 8) & 1 == 0 else { return nil }
        return block + 1 + index % 8 * width
    }

    /// Returns the object id at an index; `nil` for null.
    func objectID(_ index: Int) -> ObjectID? {
        offset(index).map { ObjectID(bytes.part(from: $0, count: 12)) }
    }

    /// Returns the UUID at an index; `nil` for null.
    func uuid(_ index: Int) -> UUID? {
        offset(index).map { UUID(bytes.part(from: $0, count: 16)) }
    }
}

extension ObjectID {
    /// An object id from 12 bytes.
    init(_ bytes: ByteSlice) {
        self.init(
            high: bytes.integer(0, as: UInt64.self).byteSwapped,
            low: bytes.integer(8, as: UInt32.self).byteSwapped)
    }
}

extension UUID {
    /// A UUID from 16 bytes.
    init(_ bytes: ByteSlice) {
        self.init(
            high: bytes.integer(0, as: UInt64.self).byteSwapped,
            low: bytes.integer(8, as: UInt64.self).byteSwapped)
    }
}
