import FirnPlatform
import FirnValues

extension RowFormat {
    /// Refuses the name of an output that promises a format which there is not.
    ///
    /// - Parameters:
    ///   - path: `nil` or `-` for standard output. A name without a suffix promises nothing.
    ///   - choice: how to say another one.
    ///   - isOffered: whether a format can be chosen instead.
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
