import FirnValues

/// The elements of a collection in one version.
enum CollectionContent {
    /// Objects of one class.
    case objects([RowID])
    /// Values of any other type.
    case values([Value])

    var count: Int {
        switch self {
        case .objects(let rows): rows.count
        case .values(let values): values.count
        }
    }
}
