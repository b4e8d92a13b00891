import FirnQuery
import FirnValues

/// What there is to be named in a session at one moment.
struct CompletionScope {
    /// The version that statements see; `nil` if no database is open.
    var snapshot: DatabaseSnapshot?
    /// The class of statements that name none.
    var className: String?
    /// The class of the last result.
    var lastResult: String?
    /// The classes of the saved results by their names.
    var savedResults: [String: String] = [:]
    var variables: [String: Value] = [:]
    var freezes: [String] = []
    var formats: [String] = []
    /// What `.help` can be asked about besides the dot commands.
    var topics: [String] = []
}
