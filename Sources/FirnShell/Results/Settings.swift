import FirnTools

/// How results are shown, and where they go.
struct Settings {
    /// Where results go.
    enum Target: Hashable {
        case standard
        case file(String)
        case command(String)
    }

    enum Paging: Hashable {
        case off
        /// The pager of the user.
        case on
        case command(String)
    }

    var style = PrintedQuery.Style()
    /// Whether each result is followed by what it cost.
    var showsCost = false
    var explains = false
    var paging = Paging.on
    /// Where the next result goes, and only that.
    var once: Target?
}
