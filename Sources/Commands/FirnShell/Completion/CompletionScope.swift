import FirnQuery
import FirnValues

/// The names available in a session at one moment.
struct CompletionScope {
    /// The version that statements read; `nil` if no database is open.
    var snapshot: DatabaseSnapshot?
    /// The class of statements that name no class.
    var className: String?
    /// The class of the last result.
    var lastResult: String?
    /// The classes of the saved results by their names.
    var savedResults: TextMap<String> = [:]
    var arguments: QueryArguments = [:]
    var freezes: [String] = []
    var formats: [String] = []
    /// The topics of `.help` other than dot commands.
    var topics: [String] = []
}
