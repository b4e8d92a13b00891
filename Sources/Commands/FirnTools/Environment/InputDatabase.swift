import FirnValues

/// A database in memory with the objects of a CSV, TSV, JSON or NDJSON input.
///
/// It is created as `firn create` creates a file, but on a file system in memory, so that nothing
/// is written to disk.
package struct InputDatabase {
    /// The path of the database in memory.
    package let path: String
    /// The environment in which the path can be opened.
    package let environment: CommandEnvironment
    /// The name of the only class; `nil` if there are several.
    package let className: String?
}
