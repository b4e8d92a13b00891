import FirnValues

/// The elements of a collection as of one version.
enum CollectionContent {
    /// Objects of one class.
    case objects([RowID])
    /// Anything else.
    case values([Value])

    var count: Int {
        switch self {
        case .objects(let rows): rows.count
        case .values(let values): values.count
        }
    }
}
