import FirnEngine
import FirnFormats
import FirnValues

extension ExportRun {
    /// Rejects early what an SQLite database cannot be.
    func checkTarget() throws(CommandFailure) {
        guard options.chosenFormat == .sqlite, options.compression == nil,
            options.output == nil || options.output == "-"
        else { return }
        throw .diagnostic(
            .usage(
                "sqlite cannot be written to a stream",
                remedy: "name it: firn export \(SafeText.escaping(options.file)) out.sqlite"))
    }

    /// Adds the table from which an import recreates the same classes.
    func writeSchemaTable(to target: RowOutput) throws(CommandFailure) {
        guard options.chosenFormat == .sqlite, !options.dataOnly, options.objects.layout.depth == 0
        else { return }
        let classes = try chosenClasses()
        let taken = schema.classes.contains { $0.name.lowercased() == SQLiteSchemaTable.name }
        guard !taken else {
            return environment.note(
                "a class is called \(SQLiteSchemaTable.name), so the types are not kept\n")
        }
        try SQLiteSchemaTable.write(classes, of: schema, to: try target.sqlite(environment))
    }
}
