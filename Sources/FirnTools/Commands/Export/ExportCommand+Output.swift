import FirnValues

extension ExportCommand {
    /// Rejects a class or a query in place of the output file: a file of that name with all objects
    /// is rarely intended.
    ///
    /// - Parameter classes: the names of the classes of the database.
    func checkOutput(among classes: [String]) throws(CommandFailure) {
        guard let output, output != "-", query == nil else { return }
        let isQuery = classes.contains { name in
            output.hasPrefix(name) && output.dropFirst(name.count).first?.isWhitespace == true
        }
        // With an explicit format, a file with the name of a class is probably intended.
        guard isQuery || (format == nil && classes.contains(output)) else { return }
        let file = SafeText.escaping(file)
        var diagnostic = Diagnostic.usage(
            isQuery
                ? "found a query in place of the output file"
                : "found the class \(SafeText.escaping(output)) in place of the output file"
        )
        let shown = output.contains("'") ? "..." : SafeText.escaping(output)
        diagnostic.remedy =
            isQuery
            ? "to export a query: firn export \(file) - '\(shown)'"
            : "to export the class: firn export \(file) -c \(shown); to a file of that name: ./\(shown)"
        throw .diagnostic(diagnostic)
    }
}
