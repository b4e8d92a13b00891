package import FirnValues

extension ColumnPage {
    /// Creates a page in which all rows have the same value, such as the page of a property that is
    /// newer than its row group.
    ///
    /// - Throws: ``CodecError`` if the kind has no such value, or if the bytes of all rows exceed
    ///   those of a page.
    /// - Complexity: O(1)
    package convenience init(
        repeating value: Value, kind: ValueTag, rowCount: Int
    ) throws(CodecError) {
        try ColumnPage.checkRepeated(value, kind, rowCount)
        try self.init(
            PageBody(
                kind: kind, rowCount: rowCount, nullCount: value.isNull ? rowCount : 0,
                parameters: .constant(value)))
    }

    private static func checkRepeated(
        _ value: Value, _ kind: ValueTag, _ rowCount: Int
    ) throws(CodecError) {
        guard !value.isNull else { return }
        guard kind.isStoredAsBytes else {
            guard value.tag == kind else { throw mismatch(value, kind) }
            return
        }
        guard let byteCount = try value.withColumnBytes(of: kind, { $0.count }) else {
            throw mismatch(value, kind)
        }
        guard byteCount <= CodecLimits.pageRawBytesMax / max(1, rowCount) else {
            throw CodecError(.tooLarge, "more bytes than a page holds")
        }
    }

    private static func mismatch(_ value: Value, _ kind: ValueTag) -> CodecError {
        CodecError(.typeMismatch, "\(value.tag.name) in a column of \(kind.name)")
    }
}
