import FirnValues

/// The new rows of a transaction.
enum AppendedRows: Sendable {
    /// Rows that were created one by one and sealed.
    case memory(MemoryRowGroup)
    /// Rows of a bulk load, whose pages are on disk already but referenced by no root.
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

    /// The rows as the source of a view.
    var source: RowGroupView.Source {
        switch self {
        case .memory(let group): .memory(group)
        case .stored(let group): .stored(group)
        }
    }
}
