import FirnPlatform
import FirnValues

extension RowFormat {
    /// Rejects an output name whose suffix is an unknown format.
    ///
    /// - Parameters:
    ///   - path: the output; `nil` or `-` for standard output. A name without a suffix is accepted.
    ///   - choice: how to choose another format.
    ///   - isOffered: whether a format is available.
    static func checkSuffix(
        of path: String?, choice: String = "choose one with -f",
        offering isOffered: (RowFormat) -> Bool
    ) throws(CommandFailure) {
        guard let path, path != "-", RowFormat(path: path) == nil,
            let suffix = PathName.suffix(of: path)
        else { return }
        let names = RowFormat.allCases.filter(isOffered).map(\.rawValue)
        var diagnostic = Diagnostic.usage(
            "\(SafeText.escaping(path)): unknown format \(SafeText.escaping(suffix))",
            remedy: "\(choice): \(names.joined(separator: ", "))")
        diagnostic.suggestions = NearestNames.misspelt(suffix, among: names)
        if let near = diagnostic.suggestions.first {
            diagnostic.details = [diagnostic.remedy].compactMap(\.self)
            diagnostic.remedy = "did you mean \"\(near)\"?"
        }
        throw .diagnostic(diagnostic)
    }
}
