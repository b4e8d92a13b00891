import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// One run of `export`: one version of the database, written in one of the layouts.
struct ExportRun {
    private let command: ExportCommand
    private let line: Progress
    private let surroundings: Surroundings
    private let database: OpenDatabase

    init(
        _ command: ExportCommand, _ line: Progress, _ surroundings: Surroundings
    ) throws(CommandFailure) {
        self.command = command
        self.line = line
        self.surroundings = surroundings
        database = try OpenDatabase(command.file, at: command.version.reference, surroundings)
    }

    private var schema: Schema { database.snapshot.schema }

    func run() throws(CommandFailure) -> ExitStatus {
        if let folder = command.folder {
            try split(into: folder)
            return .ok
        }
        let target = try RowOutput(
            command.output, existing: command.force ? .replaced : .refused, surroundings)
        var count: UInt64 = 0
        if command.schemaOnly {
            try write(SchemaDocument.json(schema.definitions) + "\n", to: target)
        } else if let query = command.query {
            let result = try database.query(
                query, defaultClass: command.classNames.first,
                arguments: command.parameters.arguments)
            try transfer(result, query, to: target, className: nil, &count)
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

    /// Embedded objects are written inside of those that own them.
    private func chosenClasses() throws(CommandFailure) -> [ClassSchema] {
        var classes: [ClassSchema] = []
        for name in command.classNames {
            classes.append(try schema.chosen(name, in: command.file))
        }
        if classes.isEmpty { classes = schema.classes.filter { !$0.isEmbedded } }
        return classes
    }

    // MARK: Layouts

    private func writeOne(
        _ chosen: ClassSchema, to target: RowOutput, _ count: inout UInt64
    ) throws(CommandFailure) {
        // Embedded classes cannot be told from the objects: whoever reads needs the schema.
        let isAll = command.classNames.isEmpty && schema.classes.count > 1
        let writesSchema =
            command.chosenFormat == .ndjson && !command.dataOnly
            && (command.withSchema || isAll)
        if writesSchema { try writeSchemaLine(to: target) }
        try write(chosen, to: target, className: writesSchema ? chosen.name : nil, &count)
    }

    private func writeSchemaLine(to target: RowOutput) throws(CommandFailure) {
        try write("{\"$schema\":\(SchemaDocument.json(schema.definitions))}\n", to: target)
    }

    private func writeSeveral(
        _ classes: [ClassSchema], to target: RowOutput, _ count: inout UInt64
    ) throws(CommandFailure) {
        switch command.chosenFormat {
        case .csv, .tsv:
            throw .diagnostic(
                .usage(
                    classes.isEmpty
                        ? "the database has no classes"
                        : "a table has one class, and there are several",
                    remedy: classes.isEmpty
                        ? nil
                        : "choose one with -c: \(classes.map(\.name).joined(separator: ", ")); or "
                            + "write one file for each with --split DIR"))
        case .json:
            var opening = "{"
            if !command.dataOnly {
                opening += "\"$schema\":\(SchemaDocument.json(schema.definitions))"
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
        default:
            if !command.dataOnly { try writeSchemaLine(to: target) }
            for item in classes { try write(item, to: target, className: item.name, &count) }
        }
    }

    private func split(into folder: String) throws(CommandFailure) {
        let suffix = command.chosenFormat.rawValue
        let existing: AtomicFile.Existing = command.force ? .replaced : .refused
        var outputs: [RowOutput] = []
        var count: UInt64 = 0
        var bytes: UInt64 = 0
        for item in try chosenClasses() {
            guard !item.name.contains("/"), item.name != "schema" else {
                throw .diagnostic(
                    .usage("\(SafeText.escaping(item.name)) cannot be the name of a file"))
            }
            let output = try RowOutput(
                "\(folder)/\(item.name).\(suffix)", existing: existing, surroundings)
            try write(item, to: output, className: nil, &count)
            outputs.append(output)
        }
        if !command.dataOnly {
            let output = try RowOutput("\(folder)/schema.json", existing: existing, surroundings)
            try write(SchemaDocument.json(schema.definitions) + "\n", to: output)
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
    private func write(
        _ chosen: ClassSchema, to target: RowOutput, className: String?, _ count: inout UInt64
    ) throws(CommandFailure) {
        let isTable = [.csv, .tsv].contains(command.chosenFormat)
        let showsRow = !isTable && chosen.key == nil && !chosen.isEmbedded
        var columns = chosen.properties.map { property in
            BoundProjection(whole: property, of: chosen)
        }
        if showsRow { columns.insert(BoundProjection(column: .rowID, name: "$id"), at: 0) }
        let query = BoundQuery(
            classSchema: chosen, stages: columns.isEmpty ? [] : [.project(columns)],
            explain: false, text: chosen.name)
        let result: any ResultRows
        do { result = try database.snapshot.rows(query) } catch {
            throw database.failure(error, chosen.name)
        }
        try transfer(result, chosen.name, to: target, className: className, &count)
    }

    private func transfer(
        _ result: any ResultRows, _ text: String, to target: RowOutput, className: String?,
        _ count: inout UInt64
    ) throws(CommandFailure) {
        let before = count
        let rows = try RowTransfer(result, database: database, text: text, command.objects.layout)
            .run(
                into: writer(target.sink, className), target, surroundings
            ) { rows in
                line.update(
                    "writing \(Amounts.count(before + rows, "object"))", done: target.fileSize ?? 0,
                    of: nil)
            }
        count += rows
    }

    private func writer(_ sink: any ByteSink, _ className: String?) -> any ResultWriter {
        var options = WriterOptions()
        options.header = !command.noHeader
        options.quotesInt64 = command.objects.layout.quotesInt64
        options.className = className
        switch command.chosenFormat {
        case .csv: return CSVWriter(sink, options)
        case .tsv: return TSVWriter(sink, options)
        case .json: return JSONWriter(sink, .array, options)
        case .ndjson, .table, .auto: return JSONWriter(sink, .lines, options)
        }
    }

    private func write(_ text: String, to target: RowOutput) throws(CommandFailure) {
        let output = BufferedSink(target.sink)
        output.buffer.append(string: text)
        do { try output.flush() } catch { throw target.failure(error) }
    }

    private func report(_ count: UInt64, _ bytes: UInt64) throws(CommandFailure) {
        let version = database.snapshot.version.rawValue
        let output = command.folder ?? command.output ?? "-"
        guard !surroundings.outputIsTerminal else {
            return try surroundings.print(
                "wrote \(SafeText.escaping(output)): \(Amounts.count(count, "object")) of "
                    + "version \(version), \(Amounts.bytes(bytes))\n")
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
        try surroundings.print(json.text + "\n")
    }
}
