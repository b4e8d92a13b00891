import FirnValues

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

    /// Calls a closure with the bytes of some texts; `nil` for null.
    func forEach(
        in rows: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>?) -> Void
    ) throws(RealmFileError) {
        let width = node.width
        precondition(rows.lowerBound >= 0 && rows.upperBound <= count)
        guard width > 0 else {
            for _ in rows { body(nil) }
            return
        }
        let areSound = node.payload.withBytes { bytes in
            for row in rows {
                let start = row * width
                let unused = Int(bytes[start + width - 1])
                guard unused <= width else { return false }
                body(
                    unused == width
                        ? nil
                        : UnsafeBufferPointer(
                            rebasing: bytes[start..<start + width - 1 - unused]))
            }
            return true
        }
        guard areSound else { throw wrongLength }
    }

    private var wrongLength: RealmFileError {
        .damaged("a text has a wrong length", at: node.position)
    }

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
            throw wrongLength
        }
        return node.payload.part(from: start, count: width - 1 - unused)
    }
}
