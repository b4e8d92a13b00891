import FirnCodec

/// A column of single values that replaces that of a row group.
enum PatchColumn: Sendable {
    case memory(ColumnPage)
    /// A column on disk, which no root references yet.
    case stored(StoredColumn)

    var stored: StoredColumn? {
        guard case .stored(let column) = self else { return nil }
        return column
    }
}
