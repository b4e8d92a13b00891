import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

extension ExportRun {
    func severalClasses(_ classes: [ClassSchema]) -> CommandFailure {
        .diagnostic(
            .usage(
                classes.isEmpty
                    ? "the database has no classes"
                    : "a table holds one class, and the database has several",
                remedy: classes.isEmpty
                    ? nil
                    : "choose one with -c: \(classes.map(\.name).joined(separator: ", ")); or "
                        + "write one file for each with --split DIR"))
    }

    func severalMeanings(of chosen: ClassSchema) -> CommandFailure {
        let name = ReservedName.className
        return .diagnostic(
            .usage(
                "a line would have \(name) twice: its class, and the property of "
                    + SafeText.escaping(chosen.name),
                remedy: "write a document with -f json"))
    }

    /// Writes a folder with the rows of a class or of a query.
    func writePartitions() throws(CommandFailure) {
        let result: any ResultRows
        let text: String
        let again: ColumnarOutput.Repetition
        if let query = options.query {
            text = query
            let run = { () throws(CommandFailure) in
                try database.query(
                    TypedText(query), defaultClass: options.classNames.first,
                    arguments: options.parameters.arguments)
            }
            result = try run()
            again = { needed throws(CommandFailure) in (try run(), needed) }
        } else {
            let classes = try chosenClasses()
            guard classes.count == 1, let only = classes.first else {
                throw severalClasses(classes)
            }
            text = only.name
            let rows = try rows(of: only)
            result = rows
            again = { needed throws(CommandFailure) in
                let names = needed.map { rows.columns[$0].name }
                return (try self.rows(of: only, only: names), Array(needed.indices))
            }
        }
        let output = PartitionedOutput(
            path: options.output ?? "", format: options.chosenFormat, form: options.fileForm,
            existing: options.force ? .replaced : .refused, hasHeader: !options.noHeader,
            nullText: nil, compression: options.gzip ? .gzip : nil,
            objects: options.objects.layout, database: database, environment: environment)
        let written = try output.write(result, TypedText(text), again: again) { rows in
            line.update("writing \(Formatting.count(rows, "object"))", done: 0, of: nil)
        }
        line.clear()
        guard !options.isQuiet else { return }
        for note in written.notes { environment.note(note + "\n") }
        try report(written.rowCount, written.byteCount)
    }
}
