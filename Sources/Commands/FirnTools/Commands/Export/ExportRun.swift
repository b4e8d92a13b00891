import FirnCodec
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnText
import FirnValues

/// One run of `export`: writes one version of the database in one of the layouts.
struct ExportRun: CommandRun {
    let options: ExportCommand
    let line: Progress
    let environment: CommandEnvironment
    let database: OpenDatabase

    init(_ options: ExportCommand, _ environment: CommandEnvironment) throws(CommandFailure) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress.progress, quiet: options.isQuiet, environment)
        do throws(CommandFailure) {
            database = try OpenDatabase(options.file, at: options.version.reference, environment)
        } catch {
            guard error.isNotADatabase, ForeignDatabase.isOne(options.file, environment) else {
                throw error
            }
            let input = try InputDatabase(
                options.file, className: nil, isQuiet: options.isQuiet, environment)
            let made = try OpenDatabase(
                input.path, at: options.version.reference, input.environment)
            // Errors name the given file.
            database = OpenDatabase(options.file, made.database, made.snapshot)
        }
    }

    func stateAfterInterruption() -> String? {
        let file = "\(SafeText.escaping(options.file)) was only read"
        if let folder = options.folder {
            return "no file was written to \(SafeText.escaping(folder)), and \(file)"
        }
        guard let output = options.output, output != "-" else {
            return "the output is incomplete, and \(file)"
        }
        return "\(SafeText.escaping(output)) was not written, and \(file)"
    }

    var schema: Schema { database.snapshot.schema }

    /// The listed classes, and the classes that the options name.
    private var definitions: [ClassDefinition] {
        schema.classes.filter { !$0.isInternal || options.classNames.contains($0.name) }
            .map { schema.definition(of: $0) }
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        if let folder = options.folder {
            try split(into: folder)
            return .ok
        }
        if !options.fileForm.partitions.isEmpty {
            try writePartitions()
            return .ok
        }
        try options.checkOutput(among: schema.classes.map(\.name))
        try checkTarget()
        let target = try RowOutput(
            options.output, existing: options.force ? .replaced : .refused,
            compression: options.compression, environment)
        // A wrong output file is the more specific error, so it is checked first.
        try options.checkName()
        var count: UInt64 = 0
        if options.schemaOnly, [.sql, .sqlite].contains(options.chosenFormat) {
            for item in try chosenClasses() { try writeDefinition(of: item, to: target) }
            try writeSchemaTable(to: target)
        } else if options.schemaOnly {
            try write(SchemaDocument.json(definitions) + "\n", to: target)
        } else if let query = options.query {
            let result = try database.query(
                TypedText(query), defaultClass: options.classNames.first,
                arguments: options.parameters.arguments)
            let name = database.tableName(query, defaultClass: options.classNames.first)
            let table = SQLTable(name: name, parts: tableParts)
            let run = { () throws(CommandFailure) in
                try database.query(
                    TypedText(query), defaultClass: options.classNames.first,
                    arguments: options.parameters.arguments)
            }
            let columnar = try columnarWriter(result, target) { needed throws(CommandFailure) in
                (try run(), needed)
            }
            let writer = try columnarOr(columnar, target, nil, table)
            try transfer(result, query, to: target, writer, &count)
        } else {
            let classes = try chosenClasses()
            if classes.count == 1, let only = classes.first, !needsDocument(only) {
                try writeOne(only, to: target, &count)
            } else {
                try writeSeveral(classes, to: target, &count)
            }
            try writeSchemaTable(to: target)
        }
        try target.commit()
        line.clear()
        if !options.isQuiet { for note in target.notes { environment.note(note + "\n") } }
        if let bytes = target.fileSize, !options.isQuiet { try report(count, bytes) }
        return .ok
    }

    /// Returns the classes to export.
    ///
    /// Embedded objects are written inside their owners.
    func chosenClasses() throws(CommandFailure) -> [ClassSchema] {
        var classes: [ClassSchema] = []
        for name in options.classNames {
            classes.append(try schema.chosen(name, in: options.file))
        }
        if classes.isEmpty { classes = schema.listedClasses.filter { !$0.isEmbedded } }
        return classes
    }

    // MARK: Layouts

    /// Returns whether an array of objects would not show which names are properties.
    private func needsDocument(_ chosen: ClassSchema) -> Bool {
        options.chosenFormat == .json && !options.dataOnly
            && ReservedName.isUsed(in: chosen.properties.map(\.name))
    }

    private func writeOne(
        _ chosen: ClassSchema, to target: RowOutput, _ count: inout UInt64
    ) throws(CommandFailure) {
        // The objects do not identify embedded classes, so the reader needs the schema.
        let isAll = options.classNames.isEmpty && schema.listedClasses.count > 1
        let writesSchema =
            options.chosenFormat == .ndjson && !options.dataOnly
            && (options.withSchema || isAll
                || ReservedName.isUsed(in: chosen.properties.map(\.name)))
        if writesSchema { try writeSchemaLine(to: target) }
        try write(chosen, to: target, className: writesSchema ? chosen.name : nil, &count)
    }

    private func writeSchemaLine(to target: RowOutput) throws(CommandFailure) {
        try write("{\"$schema\":\(SchemaDocument.json(definitions))}\n", to: target)
    }

    private func writeSeveral(
        _ classes: [ClassSchema], to target: RowOutput, _ count: inout UInt64
    ) throws(CommandFailure) {
        switch options.chosenFormat {
        case .csv, .tsv, .markdown, .html, .parquet, .arrow:
            throw severalClasses(classes)
        case .json:
            var opening = "{"
            if !options.dataOnly {
                opening += "\"$schema\":\(SchemaDocument.json(definitions))"
            }
            try write(opening, to: target)
            for (index, item) in classes.enumerated() {
                var name = TextBuffer(capacity: 64)
                if index > 0 || !options.dataOnly { name.append(",\n") }
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
        case .insert, .sqlite:
            for item in classes { try write(item, to: target, className: nil, &count) }
        default:
            if !options.dataOnly { try writeSchemaLine(to: target) }
            for item in classes { try write(item, to: target, className: item.name, &count) }
        }
    }

    private func split(into folder: String) throws(CommandFailure) {
        let suffix = options.chosenFormat.suffix + (options.compression?.suffix ?? "")
        let existing: AtomicFile.Existing = options.force ? .replaced : .refused
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
                compression: options.compression, environment)
            try write(item, to: output, className: nil, &count)
            outputs.append(output)
        }
        if !options.dataOnly {
            let output = try RowOutput("\(folder)/schema.json", existing: existing, environment)
            try write(SchemaDocument.json(definitions) + "\n", to: output)
            outputs.append(output)
        }
        for output in outputs {
            try output.commit()
            bytes += output.fileSize ?? 0
        }
        line.clear()
        if !options.isQuiet { try report(count, bytes) }
    }

    // MARK: Objects

    /// Writes all objects of a class.
    ///
    /// - Parameter parts: the parts of the SQL table to write; by default, only those of a table.
    private func write(
        _ chosen: ClassSchema, to target: RowOutput, className: String?,
        parts: SQLTable.Parts? = nil, _ count: inout UInt64
    ) throws(CommandFailure) {
        if className != nil, chosen.propertyNamed(ReservedName.className) != nil {
            throw severalMeanings(of: chosen)
        }
        let result = try rows(of: chosen)
        let table = try sqlTable(of: chosen, parts ?? tableParts)
        let columnar = try columnarWriter(result, target, chosen) {
            needed throws(CommandFailure) in
            let names = needed.map { result.columns[$0].name }
            return (try rows(of: chosen, only: names), Array(needed.indices))
        }
        let writer = try columnarOr(columnar, target, className, table)
        try transfer(result, chosen.name, to: target, writer, &count)
    }

    /// Returns the writer of a format with typed columns; `nil` for other formats.
    ///
    /// - Parameter chosen: the class whose objects the rows are.
    private func columnarWriter(
        _ result: any ResultRows, _ target: RowOutput, _ chosen: ClassSchema? = nil,
        again: ([Int]) throws(CommandFailure) -> (any ResultRows, [Int])
    ) throws(CommandFailure) -> (any ResultWriter)? {
        guard options.chosenFormat.isColumnar else { return nil }
        let output = ColumnarOutput(
            format: options.chosenFormat, database: database, objects: options.objects.layout,
            codec: (options.fileForm.codec ?? .zstd).codec, environment: environment)
        var metadata: [(key: String, value: String)] = []
        if let chosen, !options.dataOnly, options.objects.layout.depth == 0 {
            metadata = [(ColumnarMetadata.key, ColumnarMetadata.text(of: chosen, in: schema))]
        }
        return try output.writer(
            target, options.folder.map { "\($0)/." } ?? options.output, result.columns,
            metadata: metadata, again: again)
    }

    /// - Parameter names: the properties to read; by default, all.
    func rows(
        of chosen: ClassSchema, only names: [String]? = nil
    ) throws(CommandFailure) -> any ResultRows {
        let isTable = [.csv, .tsv, .markdown, .html, .parquet, .arrow]
            .contains(options.chosenFormat)
        // A property of this name is data.
        let showsRow =
            !isTable && chosen.key == nil && !chosen.isEmbedded
            && chosen.propertyNamed(ReservedName.id) == nil
        let properties = chosen.properties.filter { names?.contains($0.name) ?? true }
        var columns = properties.map { BoundProjection(whole: $0, of: chosen) }
        if showsRow { columns.insert(BoundProjection(column: .rowID, name: "$id"), at: 0) }
        if [.insert, .sql, .sqlite].contains(options.chosenFormat), columns.isEmpty {
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
        _ result: any ResultRows, _ text: String, to target: RowOutput,
        _ writer: any ResultWriter, _ count: inout UInt64
    ) throws(CommandFailure) {
        let before = count
        let rows = try RowTransfer(
            result, database: database, text: TypedText(text), options.objects.layout
        )
        .run(into: writer, target, environment) { rows in
            line.update(
                "writing \(Formatting.count(before + rows, "object"))",
                done: target.fileSize ?? 0,
                of: nil)
        }
        count += rows
    }

    private func columnarOr(
        _ columnar: (any ResultWriter)?, _ target: RowOutput, _ className: String?,
        _ table: SQLTable
    ) throws(CommandFailure) -> any ResultWriter {
        if let columnar { return columnar }
        return try writer(target, className, table)
    }

    private func writer(
        _ target: RowOutput, _ className: String?, _ table: SQLTable
    ) throws(CommandFailure) -> any ResultWriter {
        if options.chosenFormat == .sqlite {
            return SQLiteResultWriter(try target.sqlite(environment), table)
        }
        var values = WriterOptions()
        values.header = !options.noHeader
        values.className = className
        values.set(options.fileForm, options.objects.layout)
        if let writer = options.chosenFormat.dataWriter(target.dataSink, values, table) {
            return writer
        }
        var drawing = TableOptions()
        drawing.style = options.chosenFormat.tableStyle
        drawing.nullText = ""
        return TableWriter(target.sink, drawing)
    }

    // MARK: SQL

    private var tableParts: SQLTable.Parts {
        let parts = options.chosenFormat.tableParts(namesColumns: !options.noHeader)
        return options.dataOnly ? parts.subtracting(.definition) : parts
    }

    private func sqlTable(
        of chosen: ClassSchema, _ parts: SQLTable.Parts
    ) throws(CommandFailure) -> SQLTable {
        var table = SQLTable(
            of: chosen, in: schema, exported: try chosenClasses(),
            refersToTargets: options.objects.layout.depth == 0, parts: parts)
        if options.chosenFormat == .sqlite { table.isKeyAscending = try isKeyAscending(chosen) }
        return table
    }

    private func isKeyAscending(_ chosen: ClassSchema) throws(CommandFailure) -> Bool {
        guard let key = chosen.keyProperty, key.type.base == .int else { return true }
        let rows = try rows(of: chosen, only: [key.name])
        var last = Int64.min
        while true {
            let batch: ResultBatch?
            do { batch = try rows.next() } catch {
                throw CommandFailure(error, text: chosen.name, file: database.path)
            }
            guard let values = batch?.vectors.first?.ints else { return true }
            for value in values {
                if value < last { return false }
                last = value
            }
            try environment.checkSignals()
        }
    }

    private func writeDefinition(
        of chosen: ClassSchema, to target: RowOutput
    ) throws(CommandFailure) {
        let table = try sqlTable(of: chosen, .definition)
        let writer = try writer(target, nil, table)
        let resolver = ResultResolver(
            try rows(of: chosen).columns, lookup: SnapshotLookup(database.snapshot.snapshot),
            options.objects.layout.values(for: writer))
        do {
            try writer.begin(resolver.columns)
            try writer.finish()
        } catch { throw (writer as? any FailingResultWriter)?.failure ?? target.failure(error) }
    }

    private func write(_ text: String, to target: RowOutput) throws(CommandFailure) {
        let output = BufferedSink(target.dataSink)
        output.buffer.append(string: text)
        do { try output.flush() } catch { throw target.failure(error) }
    }

    func report(_ count: UInt64, _ bytes: UInt64) throws(CommandFailure) {
        let version = database.snapshot.version.rawValue
        let output = options.folder ?? options.output ?? "-"
        guard !environment.outputIsTerminal else {
            return try environment.print(
                "wrote \(SafeText.escaping(output)): \(Formatting.count(count, "object")) of "
                    + "version \(version), \(Formatting.bytes(bytes))\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "export")
        json.add("file", options.file)
        json.add("output", output)
        json.add("version", Int64(clamping: version))
        json.add("objects", Int64(clamping: count))
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: line.elapsed)
        try environment.print(json.text + "\n")
    }
}
