import FirnValues

/// New rows of a transaction.
enum AppendedRows: Sendable {
    /// Created one by one and sealed.
    case memory(MemoryRowGroup)
    /// Streamed by a bulk load: the pages are on disk already, but no root leads to them.
    case stored(RowGroup)

    var firstRowID: RowID {
        switch self {
        case .memory(let group): group.firstRowID
        case .stored(let group): group.firstRowID
        }
    }

    var rowCount: Int {
        switch self {
        case .memory(let group): group.rowCount
        case .stored(let group): group.rowCount
        }
    }

    /// The same rows as a view takes them.
    var source: RowGroupView.Source {
        switch self {
        case .memory(let group): .memory(group)
        case .stored(let group): .stored(group)
        }
    }
}
