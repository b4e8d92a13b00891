import FirnFormats
import FirnTools
import FirnValues

/// `.save FILE`.
extension Session {
    /// Returns whether the argument of `.save` is a file, not the name of a result.
    static func isFileName(_ word: String) -> Bool { word.contains(".") || word.contains("/") }

    /// Copies the version being read to a new database.
    func saveDatabase(in file: String) throws(CommandFailure) {
        try checkSafe("access to other files")
        try checkNoTransaction("save the database")
        let database = try openDatabase()
        let format = isForPeople ? "text" : "json"
        try perform("freeze", ["--output=\(file)", "-f", format] + versionWords)
        if frozen == nil { database.noteSaved() }
    }
}
