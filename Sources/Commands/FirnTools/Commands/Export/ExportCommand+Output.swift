import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

extension ExportCommand {
    /// Checks early that the format matches the suffix of the output.
    func checkName() throws(CommandFailure) {
        if format == nil { try RowFormat.checkSuffix(of: output) { !$0.isDrawn } }
        if !schemaOnly { try fileForm.check(chosenFormat) }
    }

    var chosenFormat: RowFormat {
        format ?? output.flatMap { RowFormat(path: $0) }
            ?? (fileForm.partitions.isEmpty ? .ndjson : .parquet)
    }

    /// The details of the format, with the character between the fields of csv.
    var fileForm: FileForm {
        var form = form.form
        form.delimiter = delimiter?.byte
        return form
    }

    var compression: Compression? {
        output.flatMap { Compression(path: $0) } ?? (gzip ? .gzip : nil)
    }

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
