import FirnPlatform

/// Finds programs in the search path, as a shell does.
enum ExecutableSearch {
    /// - Returns: the first file of that name in the search path, or `nil`.
    static func find(_ name: String) -> String? {
        let folders = (Environment.variable("PATH") ?? "").split(separator: ":")
        let files = SystemFileSystem()
        return folders.lazy.map { "\($0)/\(name)" }.first { path in
            // A folder that cannot be searched counts as one without the program.
            (try? files.status(of: path))?.kind == .regular
        }
    }
}
