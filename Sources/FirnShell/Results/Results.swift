/// The last result, and those that have names.
struct Results {
    /// How many rows a result had when it was shown.
    struct Size: Hashable {
        let rowCount: UInt64
        /// Whether a table left out the rest.
        let isCut: Bool
    }

    private(set) var last: ShellQuery?
    private(set) var lastSize: Size?
    /// The class of its objects.
    private(set) var lastClassName: String?
    /// How many rows of it were shown, for `.more`.
    var shownCount: UInt64 = 0
    var saved: [String: ShellQuery] = [:]

    mutating func set(_ query: ShellQuery, of className: String, _ size: Size) {
        last = query
        lastClassName = className
        lastSize = size
        shownCount = size.rowCount
    }

    /// Forgets all, because the database is another.
    mutating func removeAll() { self = Results() }
}
