import FirnEngine
import FirnQuery
import FirnValues

/// The options of `export`, as plain values.
struct ExportOptions {
    let file: String
    /// The file to write; `nil` or `-` for standard output.
    let output: String?
    let query: String?
    /// The classes to write; empty for all.
    let classNames: [String]
    /// The format, if an option chose it.
    let format: RowFormat?
    /// The folder for one file per class.
    let folder: String?
    let isSchemaOnly: Bool
    let isDataOnly: Bool
    /// Whether ndjson begins with the schema even if there is only one class.
    let beginsWithSchema: Bool
    /// Whether to compress, whatever the name of the output.
    let compresses: Bool
    /// Whether an existing output is replaced.
    let replaces: Bool
    let hasHeader: Bool
    let version: VersionReference?
    let objects: ObjectLayout
    let form: FileForm
    /// The values of `$name`.
    let arguments: QueryArguments
    let progress: ProgressStyle
    let isQuiet: Bool

    /// Checks early that the format matches the suffix of the output.
    func checkName() throws(CommandFailure) {
        if format == nil { try RowFormat.checkSuffix(of: output) { !$0.isDrawn } }
        if !isSchemaOnly { try form.check(chosenFormat) }
    }

    var chosenFormat: RowFormat {
        format ?? output.flatMap { RowFormat(path: $0) }
            ?? (form.partitions.isEmpty ? .ndjson : .parquet)
    }

    var compression: Compression? {
        output.flatMap { Compression(path: $0) } ?? (compresses ? .gzip : nil)
    }
}

extension ExportOptions {
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
        let file = ShellWord.quoted(file)
        var diagnostic = Diagnostic.usage(
            isQuery
                ? "found a query in place of the output file"
                : "found the class \(SafeText.escaping(output)) in place of the output file"
        )
        diagnostic.remedy =
            isQuery
            ? "to export a query: firn export \(file) - \(ShellWord.quoted(output))"
            : "to export the class: firn export \(file) -c \(ShellWord.quoted(output)); "
                + "to a file of that name: \(ShellWord.quoted("./" + output))"
        throw .diagnostic(diagnostic)
    }
}
