/// An array of texts of at most 63 bytes, each in the same number of bytes.
///
///     66 69 72 6e 00 00 00 03      "firn": the last byte is the number of unused bytes before it
///     00 00 00 00 00 00 00 08      null: the last byte is the width
struct ShortStrings {
    private let node: ArrayNode

    init(_ node: ArrayNode) throws(RealmFileError) {
        guard !node.hasRefs, node.widthType == .bytes else {
            throw .damaged("an array of texts has another kind of elements", at: node.position)
        }
        self.node = node
    }

    var count: Int { node.size }

    /// Returns the bytes of a text; `nil` for null.
    ///
    /// - Parameter index: less than ``count``.
    func bytes(_ index: Int) throws(RealmFileError) -> ByteSlice? {
        let width = node.width
        guard width > 0 else { return nil }
        let start = index * width
        let unused = Int(node.payload.byte(start + width - 1))
        guard unused < width else {
            if unused == width { return nil }
            throw .damaged("a text has a wrong length", at: node.position)
        }
        return node.payload.part(from: start, count: width - 1 - unused)
    }
}
