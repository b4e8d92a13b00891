import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// One run of `diff`: pairs the objects of two versions, compares them, and prints the differences.
struct DiffRun: CommandRun {
    /// The number of objects that are compared at a time.
    private static let batchCount = 1000

    private let options: DiffCommand
    private let environment: CommandEnvironment
    private let old: OpenDatabase
    private let new: OpenDatabase
    private let line: Progress

    init(_ options: DiffCommand, _ environment: CommandEnvironment) throws(CommandFailure) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress.progress, quiet: options.isQuiet, environment)
        if let other = options.other {
            old = try OpenDatabase(options.file, at: options.from?.reference, environment)
            new = try OpenDatabase(other, at: options.to?.reference, environment)
            return
        }
        new = try OpenDatabase(options.file, at: options.to?.reference, environment)
        let reference = options.from?.reference ?? .back(1)
        do {
            old = OpenDatabase(
                options.file, new.database, try new.database.snapshot(at: reference))
        } catch {
            throw VersionFailure.failure(error, at: reference, in: new.database.store)
        }
    }

    func stateAfterInterruption() -> String? {
        let other = options.other.map { " and \(SafeText.escaping($0)) were" } ?? " was"
        return "\(SafeText.escaping(options.file))\(other) only read"
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        let classes = try chosenClasses()
        let output = DiffOutput(
            options.summary ? nil : options.format.resolved(environment), environment,
            version: new.snapshot.version, line)
        var counts: [DiffCounts] = []
        var schemaChanged = false
        for name in classes {
            if !isSameClass(name) { schemaChanged = true }
            let found = try compare(name, output)
            if !found.isEmpty { counts.append(found) }
        }
        try output.finish()
        line.clear()
        let schema = SchemaDifference(
            from: old.snapshot.schema, to: new.snapshot.schema, isSameFile: options.other == nil)
        if options.summary {
            let report = DiffReport(
                file: options.file, other: options.other, from: old.snapshot.version,
                to: new.snapshot.version, schemaChanged: schemaChanged, schema: schema,
                counts: counts)
            let isText = options.format.isText(environment)
            try environment.print(isText ? report.text : report.json)
        } else if schemaChanged, !options.isQuiet {
            environment.note(
                schema.changes.isEmpty
                    ? "the classes differ: see firn schema\n"
                    : "the classes differ: \(schema.text)\n")
        }
        return counts.isEmpty && !schemaChanged ? .ok : .no
    }

    /// Returns the classes of both versions; classes of the newer version come first.
    private func chosenClasses() throws(CommandFailure) -> [String] {
        var names: [String] = []
        for snapshot in [new.snapshot, old.snapshot] {
            for item in snapshot.schema.classes where !item.isEmbedded && !names.contains(item.name)
            {
                if item.isInternal, !options.classNames.contains(item.name) { continue }
                names.append(item.name)
            }
        }
        for name in options.classNames where !names.contains(name) {
            _ = try new.snapshot.schema.chosen(name, in: new.path)
        }
        return options.classNames.isEmpty ? names : names.filter(options.classNames.contains)
    }

    private func isSameClass(_ name: String) -> Bool {
        func definition(_ schema: Schema) -> String? {
            schema.classNamed(name).map { SchemaDocument.json([schema.definition(of: $0)]) }
        }
        return definition(old.snapshot.schema) == definition(new.snapshot.schema)
    }

    // MARK: Objects

    private func compare(
        _ name: String, _ output: DiffOutput
    ) throws(CommandFailure) -> DiffCounts {
        var counts = DiffCounts(className: name)
        let pairing = try pairing(name)
        var done = 0
        func advance(_ count: Int) throws(CommandFailure) {
            try environment.checkSignals()
            line.update(
                "comparing \(name)", done: UInt64(done), of: UInt64(pairing.count), .objects)
            done += count
        }
        if let schema = old.snapshot.schema.classNamed(name) {
            let shape = ObjectShape(schema, in: old.snapshot.schema)
            try forEach(pairing.deleted, shape, in: old, advance) {
                row, images throws(CommandFailure) in
                counts.deleted += 1
                try output.deleted(row, name, images)
            }
        }
        guard let schema = new.snapshot.schema.classNamed(name) else { return counts }
        let shape = ObjectShape(schema, in: new.snapshot.schema)
        try forEach(pairing.inserted, shape, in: new, advance) {
            row, images throws(CommandFailure) in
            counts.inserted += 1
            try output.inserted(row, name, images)
        }
        guard let oldSchema = old.snapshot.schema.classNamed(name) else { return counts }
        let oldShape = ObjectShape(oldSchema, in: old.snapshot.schema)
        for batch in pairing.common.batches(of: DiffRun.batchCount) {
            try advance(batch.count)
            let difference = ImageDifference(
                old: try images(of: batch.map(\.old), oldShape, in: old), oldShape,
                new: try images(of: batch.map(\.new), shape, in: new), shape)
            for pair in batch {
                let changed = difference.changed(pair)
                guard !changed.isEmpty else { continue }
                counts.updated += 1
                try output.updated(pair, name, changed, difference)
            }
        }
        return counts
    }

    /// Reads objects in batches.
    ///
    /// - Parameter advance: called with the number of objects in each batch.
    private func forEach(
        _ rows: [RowID], _ shape: ObjectShape, in database: OpenDatabase,
        _ advance: (Int) throws(CommandFailure) -> Void,
        _ body: (RowID, ObjectImages) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        for batch in rows.batches(of: DiffRun.batchCount) {
            try advance(batch.count)
            let images = try images(of: batch, shape, in: database)
            for row in batch { try body(row, images) }
        }
    }

    private func pairing(_ name: String) throws(CommandFailure) -> ObjectPairing {
        do {
            guard options.other == nil else {
                return try ObjectPairing(of: name, old.snapshot, new.snapshot)
            }
            return try ObjectPairing(
                of: name, old.snapshot, new.snapshot, of: new.database)
        } catch { throw CommandFailure(error) }
    }

    private func images(
        of rows: some Collection<RowID>, _ shape: ObjectShape, in database: OpenDatabase
    ) throws(CommandFailure) -> ObjectImages {
        do {
            return try ObjectImages(of: Array(rows), shape, in: database.snapshot)
        } catch {
            throw CommandFailure(error, text: shape.classSchema.name, file: database.path)
        }
    }
}

extension Array {
    /// Returns slices with this number of elements; the last slice can be shorter.
    fileprivate func batches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min(count, $0 + size)] }
    }
}
