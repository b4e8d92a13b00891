import FirnPlatform
import FirnValues

/// The formats of results that the user chose for databases in earlier sessions.
///
/// They are in `modes` beside the history, one line per database: the format, a tab, and the path.
/// A read or write error is ignored, as it is for the history.
struct RememberedModes {
    /// The maximum size of a file that is read.
    private static let fileBytesMax = 1 << 20
    private static let entriesMax = 1000

    private let file: PrivateFile

    /// - Parameter variable: returns the value of an environment variable that is not empty.
    /// - Returns: `nil` if the user has no folder for such files.
    init?(_ variable: (String) -> String?) {
        guard let history = History.path(variable) else { return nil }
        file = PrivateFile(PathName.folder(of: history) + "/modes")
    }

    /// Returns the format for a database; `nil` for the default.
    ///
    /// - Parameter path: the absolute path of the database.
    func format(of path: String) -> String? { entries.last { $0.path == path }?.format }

    /// Stores the format for a database; `auto` for the default.
    func set(_ format: String, of path: String) {
        guard !path.contains("\n"), format != self.format(of: path) ?? "auto" else { return }
        var entries = entries.filter { $0.path != path }
        if format != "auto" { entries.append((format, path)) }
        let text = entries.suffix(RememberedModes.entriesMax)
            .map { "\($0.format)\t\($0.path)\n" }.joined()
        // Creates the file if it does not exist.
        try? file.append([])
        try? file.change(bytesMax: RememberedModes.fileBytesMax) { _ in Array(text.utf8) }
    }

    private var entries: [(format: String, path: String)] {
        guard let bytes = try? file.read(bytesMax: RememberedModes.fileBytesMax) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.cut(at: "\t").map { (String($0.before), String($0.after)) }
        }
    }
}
