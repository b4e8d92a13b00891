import FirnValues

/// The last result, and the saved results.
struct Results {
    /// The number of rows of a result when it was shown.
    struct Size: Hashable {
        let rowCount: UInt64
        /// Whether a table omitted rows.
        let isCut: Bool
    }

    private(set) var last: ShellQuery?
    private(set) var lastSize: Size?
    /// The class of its objects.
    private(set) var lastClassName: String?
    /// Whether a table omitted columns or the ends of texts, which `.more` shows.
    var isShortened = false
    /// The number of its rows that were shown, for `.more`.
    var shownCount: UInt64 = 0
    var saved: TextMap<ShellQuery> = [:]

    mutating func set(_ query: ShellQuery, of className: String, _ size: Size) {
        last = query
        lastClassName = className
        lastSize = size
        shownCount = size.rowCount
        isShortened = false
    }

    /// Removes all results, because another database was opened.
    mutating func removeAll() { self = Results() }
}
