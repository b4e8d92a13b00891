import FirnFormats
import FirnValues

extension Diagnostic {
    /// Adds the files of the same folder whose names are similar to the name of a missing file, or
    /// the command that creates a database.
    ///
    /// - Parameter words: the command line; its words are not suggested.
    func suggestingFiles(_ environment: CommandEnvironment, typed words: [String]) -> Diagnostic {
        guard slug == .fileMissing, suggestions.isEmpty, let file, !file.isEmpty else {
            return self
        }
        let parts = file.cut(atLast: "/")
        let folder = parts.map { "\($0.before)/" } ?? ""
        let name = parts.map { String($0.after) } ?? file
        guard !name.isEmpty else { return self }
        // Auxiliary files of firn and hidden files are never suggested.
        let names = environment.namesInFolder(folder.isEmpty ? "." : folder).filter {
            $0 != name && !$0.hasPrefix(".")
        }
        let stem = name.cut(atLast: ".").map { String($0.before) } ?? name
        var found = names.filter { $0 == name + ".firn" }
        // The right name with the suffix of another tool.
        found += names.filter { !stem.isEmpty && $0 == stem + ".firn" && !found.contains($0) }
        found += NearestNames.misspelt(name, among: names).filter { !found.contains($0) }
        var diagnostic = self
        diagnostic.suggestions = Array(
            found.map { folder + $0 }.filter { !words.contains($0) }.prefix(3))
        if let first = diagnostic.suggestions.first {
            diagnostic.remedy = "did you mean \"\(first)\"?"
        } else if remedy == nil, name.hasSuffix(".firn") {
            diagnostic.remedy =
                "create it with: firn create \(SafeText.escaping(file)) --from INPUT"
        }
        return diagnostic
    }
}
