import FirnTools
import FirnValues

/// The display and the destination of results.
struct Settings {
    /// A destination of results.
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
    /// Whether each result is followed by its cost.
    var showsCost = false
    var explains = false
    var paging = Paging.on
    /// The time zone of functions that do not name one; `nil` for UTC.
    var zone: String?
    /// The destination of only the next result.
    var once: Target?
}
