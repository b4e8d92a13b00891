import FirnPlatform
import FirnValues

/// A path of inputs whose last part can be a pattern, such as `2013-*.csv`.
enum InputPattern {
    /// A pattern that matches more files is a mistake.
    private static let filesMax = 100_000

    /// Returns the files that a path names, sorted by their names: the path itself, unless it is a
    /// pattern and there is no file of that name.
    static func files(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [String] {
        guard path != "-", path.contains(where: { "*?[".contains($0) }) else { return [path] }
        if let status = try? environment.services.files.status(of: path), status.size >= 0 {
            return [path]
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let pattern = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let entries = FolderEntry.all(
            in: folder.isEmpty ? "." : folder, startingWith: "", countMax: filesMax)
        let names = entries.filter { !$0.isFolder && $0.matches(pattern) }.map(\.name).sorted()
        guard !names.isEmpty else {
            var diagnostic = Diagnostic(
                .fileMissing, "no file matches \(SafeText.escaping(path))")
            diagnostic.remedy = "* matches any text, ? a character, and [a-z] one of several"
            throw .diagnostic(diagnostic)
        }
        return names.map { folder + $0 }
    }
}
