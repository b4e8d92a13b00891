import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// One run of `export`: writes one version of the database in one of the layouts.
struct ExportRun {
    private let command: ExportCommand
    private let line: Progress
    private let environment: CommandEnvironment
    private let database: OpenDatabase

    init(
        _ command: ExportCommand, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.command = command
        self.line = line
        self.environment = environment
        database = try OpenDatabase(command.file, at: command.version.reference, environment)
    }

    private var schema: Schema { database.snapshot.schema }

    /// The listed classes, and the classes that the options name.
    private var definitions: [ClassDefinition] {
        schema.classes.filter { !$0.isInternal || command.classNames.contains($0.name) }
            .map { schema.definition(of: $0) }
    }

    func run() throws(CommandFailure) -> ExitStatus {
        if let folder = command.folder {
            try split(into: folder)
            return .ok
        }
        try command.checkOutput(among: schema.classes.map(\.name))
        let target = try RowOutput(
            command.output, existing: command.force ? .replaced : .refused,
            isCompressed: command.isCompressed, environment)
        // A wrong output file is the more specific error, so it is checked first.
        try command.checkName()
        var count: UInt64 = 0
        if command.schemaOnly, command.chosenFormat == .sql {
            for item in try chosenClasses() { try writeDefinition(of: item, to: target) }
        } else if command.schemaOnly {
            try write(SchemaDocument.json(definitions) + "\n", to: target)
        } else if let query = command.query {
            let result = try database.query(
                query, defaultClass: command.classNames.first,
                arguments: command.parameters.arguments)
            let name = database.tableName(query, defaultClass: command.classNames.first)
            let table = SQLTable(name: name, parts: tableParts)
            try transfer(result, query, to: target, className: nil, table, &count)
        } else {
            let classes = try chosenClasses()
            if classes.count == 1, let only = classes.first {
                try writeOne(only, to: target, &count)
            } else {
                try writeSeveral(classes, to: target, &count)
            }
        }
        try target.commit()
        line.clear()
        if let bytes = target.fileSize, !command.common.quiet { try report(count, bytes) }
        return .ok
    }

    /// Returns the classes to export.
    ///
    /// Embedded objects are written inside their owners.
    private func chosenClasses() throws(CommandFailure) -> [ClassSchema] {
        var classes: [ClassSchema] = []
        for name in command.classNames {
            classes.append(try schema.chosen(name, in: command.file))
        }
        if classes.isEmpty { classes = schema.listedClasses.filter { !$0.isEmbedded } }
        return classes
    }

    // MARK: Layouts

    private func writeOne(
        _ chosen: ClassSchema, to target: RowOutput, _ count: inout UInt64
    ) throws(CommandFailure) {
        // The objects do not identify embedded classes, so the reader needs the schema.
        let isAll = command.classNames.isEmpty && schema.listedClasses.count > 1
        let writesSchema =
            command.chosenFormat == .ndjson && !command.dataOnly
            && (command.withSchema || isAll)
        if writesSchema { try writeSchemaLine(to: target) }
        try write(chosen, to: target, className: writesSchema ? chosen.name : nil, &count)
    }

    private func writeSchemaLine(to target: RowOutput) throws(CommandFailure) {
        try write("{\"$schema\":\(SchemaDocument.json(definitions))}\n", to: target)
    }

    private func writeSeveral(
        _ classes: [ClassSchema], to target: RowOutput, _ count: inout UInt64
    ) throws(CommandFailure) {
        switch command.chosenFormat {
        case .csv, .tsv, .markdown, .html:
            throw .diagnostic(
                .usage(
                    classes.isEmpty
                        ? "the database has no classes"
                        : "a table holds one class, and the database has several",
                    remedy: classes.isEmpty
                        ? nil
                        : "choose one with -c: \(classes.map(\.name).joined(separator: ", ")); or "
                            + "write one file for each with --split DIR"))
        case .json:
            var opening = "{"
            if !command.dataOnly {
                opening += "\"$schema\":\(SchemaDocument.json(definitions))"
            }
            try write(opening, to: target)
            for (index, item) in classes.enumerated() {
                var name = TextBuffer(capacity: 64)
                if index > 0 || !command.dataOnly { name.append(",\n") }
                name.append(jsonString: item.name)
                name.append(UInt8(ascii: ":"))
                try write(String(decoding: name.bytes, as: UTF8.self), to: target)
                try write(item, to: target, className: nil, &count)
            }
            try write("}\n", to: target)
        case .sql:
            // Links can lead to later rows.
            try write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", to: target)
            for item in classes {
                let parts = tableParts.subtracting(.transaction)
                try write(item, to: target, className: nil, parts: parts, &count)
            }
            try write("COMMIT;\n", to: target)
        case .insert:
            for item in classes { try write(item, to: target, className: nil, &count) }
        default:
            if !command.dataOnly { try writeSchemaLine(to: target) }
            for item in classes { try write(item, to: target, className: item.name, &count) }
        }
    }

    private func split(into folder: String) throws(CommandFailure) {
        let suffix = command.chosenFormat.suffix + (command.isCompressed ? ".gz" : "")
        let existing: AtomicFile.Existing = command.force ? .replaced : .refused
        var outputs: [RowOutput] = []
        var count: UInt64 = 0
        var bytes: UInt64 = 0
        for item in try chosenClasses() {
            guard !item.name.contains("/"), item.name != "schema" else {
                throw .diagnostic(
                    .usage("\(SafeText.escaping(item.name)) cannot be a file name"))
            }
            let output = try RowOutput(
                "\(folder)/\(item.name).\(suffix)", existing: existing,
                isCompressed: command.isCompressed, environment)
            try write(item, to: output, className: nil, &count)
            outputs.append(output)
        }
        if !command.dataOnly {
            let output = try RowOutput("\(folder)/schema.json", existing: existing, environment)
            try write(SchemaDocument.json(definitions) + "\n", to: output)
            outputs.append(output)
        }
        for output in outputs {
            try output.commit()
            bytes += output.fileSize ?? 0
        }
        line.clear()
        if !command.common.quiet { try report(count, bytes) }
    }

    // MARK: Objects

    /// Writes all objects of a class.
    ///
    /// - Parameter parts: the parts of the SQL table to write; by default, only those of a table.
    private func write(
        _ chosen: ClassSchema, to target: RowOutput, className: String?,
        parts: SQLTable.Parts? = nil, _ count: inout UInt64
    ) throws(CommandFailure) {
        let result = try rows(of: chosen)
        let table = try sqlTable(of: chosen, parts ?? tableParts)
        try transfer(result, chosen.name, to: target, className: className, table, &count)
    }

    private func rows(of chosen: ClassSchema) throws(CommandFailure) -> any ResultRows {
        let isTable = [.csv, .tsv, .markdown, .html].contains(command.chosenFormat)
        let showsRow = !isTable && chosen.key == nil && !chosen.isEmbedded
        var columns = chosen.properties.map { property in
            BoundProjection(whole: property, of: chosen)
        }
        if showsRow { columns.insert(BoundProjection(column: .rowID, name: "$id"), at: 0) }
        if [.insert, .sql].contains(command.chosenFormat), columns.isEmpty {
            throw .diagnostic(
                .usage(
                    "an SQL table needs a column, and \(SafeText.escaping(chosen.name)) has none"))
        }
        let query = BoundQuery(
            classSchema: chosen, stages: columns.isEmpty ? [] : [.project(columns)],
            explain: false, text: chosen.name)
        do { return try database.snapshot.rows(query) } catch {
            throw CommandFailure(error, text: chosen.name, file: database.path)
        }
    }

    private func transfer(
        _ result: any ResultRows, _ text: String, to target: RowOutput, className: String?,
        _ table: SQLTable, _ count: inout UInt64
    ) throws(CommandFailure) {
        let before = count
        let rows = try RowTransfer(result, database: database, text: text, command.objects.layout)
            .run(
                into: writer(target, className, table), target, environment
            ) { rows in
                line.update(
                    "writing \(Formatting.count(before + rows, "object"))",
                    done: target.fileSize ?? 0,
                    of: nil)
            }
        count += rows
    }

    private func writer(
        _ target: RowOutput, _ className: String?, _ table: SQLTable
    ) -> any ResultWriter {
        var options = WriterOptions()
        options.header = !command.noHeader
        options.quotesInt64 = command.objects.layout.quotesInt64
        options.disarmsFormulas = command.objects.csvSafe
        options.className = className
        if let writer = command.chosenFormat.dataWriter(target.dataSink, options, table) {
            return writer
        }
        var drawing = TableOptions()
        drawing.style = command.chosenFormat.tableStyle
        drawing.nullText = ""
        return TableWriter(target.sink, drawing)
    }

    // MARK: SQL

    private var tableParts: SQLTable.Parts {
        let parts = command.chosenFormat.tableParts(namesColumns: !command.noHeader)
        return command.dataOnly ? parts.subtracting(.definition) : parts
    }

    private func sqlTable(
        of chosen: ClassSchema, _ parts: SQLTable.Parts
    ) throws(CommandFailure) -> SQLTable {
        SQLTable(
            of: chosen, in: schema, exported: try chosenClasses(),
            refersToTargets: command.objects.depth == 0, parts: parts)
    }

    private func writeDefinition(
        of chosen: ClassSchema, to target: RowOutput
    ) throws(CommandFailure) {
        let table = try sqlTable(of: chosen, .definition)
        let writer = writer(target, nil, table)
        let resolver = ResultResolver(
            try rows(of: chosen).columns, lookup: SnapshotLookup(database.snapshot.snapshot),
            command.objects.layout.values(for: writer))
        do {
            try writer.begin(resolver.columns)
            try writer.finish()
        } catch { throw target.failure(error) }
    }

    private func write(_ text: String, to target: RowOutput) throws(CommandFailure) {
        let output = BufferedSink(target.dataSink)
        output.buffer.append(string: text)
        do { try output.flush() } catch { throw target.failure(error) }
    }

    private func report(_ count: UInt64, _ bytes: UInt64) throws(CommandFailure) {
        let version = database.snapshot.version.rawValue
        let output = command.folder ?? command.output ?? "-"
        guard !environment.outputIsTerminal else {
            return try environment.print(
                "wrote \(SafeText.escaping(output)): \(Formatting.count(count, "object")) of "
                    + "version \(version), \(Formatting.bytes(bytes))\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "export")
        json.add("file", command.file)
        json.add("output", output)
        json.add("version", Int64(clamping: version))
        json.add("objects", Int64(clamping: count))
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: line.elapsed)
        try environment.print(json.text + "\n")
    }
}
