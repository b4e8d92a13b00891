import FirnValues

/// The parts of a file that values of a leaf refer to.
struct LeafContext {
    let nodes: NodeReader
    /// The classes by the keys of their tables.
    let classIndices: [UInt32: Int]

    /// Returns the value of a link with the key of a table.
    func link(
        tableKey: Int64, key: Int64, at position: UInt64
    ) throws(RealmFileError) -> RealmValue {
        guard key >= 0 else { return .unresolvedLink }
        guard let table = UInt32(exactly: tableKey), let index = classIndices[table] else {
            throw .damaged("a link leads to the missing table \(tableKey)", at: position)
        }
        return .link(RealmLink(classIndex: index, key: UInt64(key)))
    }
}

extension RealmValue {
    /// Returns the value of a text, which Realm does not check.
    static func text(_ bytes: ByteSlice) -> RealmValue {
        bytes.text.map { .string($0) } ?? .invalidText(bytes.array)
    }

    /// Returns the value of a text, which Realm does not check.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> RealmValue {
        String(validating: bytes, as: UTF8.self).map { .string($0) }
            ?? .invalidText(Array(bytes))
    }
}
