import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// Applies a stream of `observe`, so that the objects match the objects of the source.
///
/// Applying a line twice has no further effect: objects are written as a whole under their keys,
/// and lines up to the last applied version are skipped.
final class ObservedStream {
    private let run: WriteRun
    private let input: String
    /// The class of all objects, if the stream has a single class.
    private var className: String?
    /// The classes of the stream.
    private var classNames: [String] = []
    /// The version of the previous line, if known.
    private var lineVersion: UInt64?
    /// The last version that was applied completely.
    private var applied: UInt64?
    /// The objects that a stream contains since its restart; all other objects are deleted.
    private var kept: [ClassID: Set<RowID>]?
    /// Whether a commit of the stream is incomplete.
    private(set) var isInside = false
    /// The position at which the stream can resume after everything applied so far; `nil` if no
    /// line has given one yet.
    private var position: String?
    /// The stored position.
    private var stored: String?
    /// The number of objects processed since the last commit to this database.
    private(set) var recordCount: UInt64 = 0
    /// Whether classes were added since the last commit.
    private var hasNewSchema = false

    init(_ run: WriteRun, _ input: String) {
        self.run = run
        self.input = input
    }

    private var session: WriteSession { run.session }

    /// Applies a line.
    ///
    /// - Returns: whether the line completes a commit of the stream.
    func take(_ record: ImportRecord) throws(CommandFailure) -> Bool {
        let line: ObservedLine
        do { line = try ObservedLine(record) } catch { throw failure(.rejected(error)) }
        defer { lineVersion = line.version }
        if line.changesObjects {
            try session.begin()
            // The lines of a commit give its result, in another order than that of its changes.
            session.transaction.checksUniqueAtEnd = true
        }
        if case .initial = line.kind { try begin(line) }
        if case .resume = line.kind { try begin(line) }
        do {
            let isComplete = try take(line)
            // Lines inside a commit have the token of the previous version, which is not a new
            // position.
            if !isInside, let token = line.token { position = token }
            return isComplete
        } catch { throw failure(error) }
    }

    /// Whether there are changes to commit.
    var hasChanges: Bool { recordCount > 0 || hasNewSchema }

    /// Records that the applied lines are committed.
    func noteCommit() {
        recordCount = 0
        hasNewSchema = false
    }

    /// Stores the position; everything before it is committed.
    func storePosition(_ cursor: CursorFile?) throws(CommandFailure) {
        guard let cursor, let position, position != stored else { return }
        try cursor.store(position)
        stored = position
    }

    /// Finishes the stream.
    func finish() throws(CommandFailure) {
        guard isInside else { return }
        var diagnostic = Diagnostic(
            .inputSyntax, "\(SafeText.escaping(input)): the stream ends inside a commit")
        diagnostic.file = input
        diagnostic.remedy = "nothing after the last report was written; resume from there"
        throw .diagnostic(diagnostic)
    }

    private func failure(_ error: RecordError) -> CommandFailure {
        switch error {
        case .store(let error): session.failure(error)
        case .rejected(let mistake): .diagnostic(mistake.diagnostic(in: input))
        }
    }

    // MARK: Lines

    private func take(_ line: ObservedLine) throws(RecordError) -> Bool {
        switch line.kind {
        case .sign, .resume: return false
        case .reset:
            kept = [:]
            applied = nil
            isInside = true
            return false
        case .initial: return try takeInitial(line)
        case .update: return try takeUpdate(line)
        case .row(let verb): return try takeRow(line, verb)
        }
    }

    /// Reads the class or classes of the stream.
    private func begin(_ line: ObservedLine) throws(CommandFailure) {
        // Lines of all classes name the class of their objects, not the class of the stream.
        let isQuery = line.record["query"] != nil
        className = isQuery ? line.className : nil
        guard let schema = line.record["schema"] else { return }
        classNames = isQuery ? [line.className].compactMap { $0 } : ObservedStream.names(in: schema)
        if try run.takeObserved(schema: schema, input) { hasNewSchema = true }
    }

    /// Returns the classes of a schema that are not embedded.
    private static func names(in schema: JSONTree) -> [String] {
        guard case .array(let classes)? = schema["classes"]?.content else { return [] }
        return classes.compactMap { tree in
            guard case .string(let name)? = tree["name"]?.content else { return nil }
            if case .bool(true)? = tree["embedded"]?.content { return nil }
            return name
        }
    }

    private func takeInitial(_ line: ObservedLine) throws(RecordError) -> Bool {
        guard line.record["more"] != nil else {
            // A count of the objects cannot replace the earlier objects.
            guard kept == nil else {
                throw mistake(
                    "the stream starts again without its objects; observe with --initial full", line
                )
            }
            return true
        }
        isInside = true
        for entry in try entries("objects", line) {
            try put(entry, try schema(line.className ?? className, entry), identity: entry["$id"])
        }
        return line.flag("more") ? false : try endCommit(line)
    }

    private func takeUpdate(_ line: ObservedLine) throws(RecordError) -> Bool {
        if let applied, line.version <= applied { return false }
        if let previous = line.number("prev"), let lineVersion, previous > lineVersion {
            throw mistake(
                "the stream skips the versions between \(lineVersion) and \(previous)",
                line)
        }
        guard let deletions = line.record["deletions"], case .array(let trees) = deletions.content,
            !trees.contains(where: { if case .number = $0.content { true } else { false } })
        else {
            throw mistake("--shape index has no objects; observe with --shape events or rows", line)
        }
        for entry in try entries("deletions", line) { try delete(entry) }
        for name in ["insertions", "modifications"] {
            for entry in try entries(name, line) {
                try put(try object(entry), try schema(nil, entry), identity: entry["id"])
            }
        }
        return try endCommit(line)
    }

    private func takeRow(
        _ line: ObservedLine, _ verb: ObservedLine.Verb
    ) throws(RecordError) -> Bool {
        let isInitial = line.flag("initial")
        if !isInitial, let applied, line.version <= applied { return false }
        isInside = true
        if verb == .delete {
            try delete(line.record)
        } else {
            try put(
                try object(line.record), try schema(nil, line.record), identity: line.record["id"])
        }
        return line.flag("commit") ? try endCommit(line) : false
    }

    private func endCommit(_ line: ObservedLine) throws(RecordError) -> Bool {
        if let kept { try deleteAll(but: kept) }
        kept = nil
        isInside = false
        applied = line.version
        return true
    }

    // MARK: Objects

    private func mistake(_ message: String, _ line: ObservedLine) -> RecordError {
        .rejected(RecordMistake(.inputSyntax, message, at: line.record.position))
    }

    private func entries(
        _ name: String, _ line: ObservedLine
    ) throws(RecordError) -> [ImportRecord] {
        do { return try line.entries(name) } catch { throw .rejected(error) }
    }

    private func object(_ record: ImportRecord) throws(RecordError) -> ImportRecord {
        guard let tree = record["object"] else {
            throw .rejected(
                RecordMistake(.inputSyntax, "the line has no \"object\"", at: record.position))
        }
        do { return try ObservedLine.object(tree) } catch { throw .rejected(error) }
    }

    /// - Parameter name: the class if it is known; otherwise the record or the stream names it.
    private func schema(
        _ name: String?, _ record: ImportRecord
    ) throws(RecordError) -> ClassSchema {
        var name = name
        if case .string(let own)? = record["class"]?.content { name = name ?? own }
        guard let name = name ?? className ?? run.options.className else {
            throw .rejected(
                RecordMistake(
                    .inputSyntax, "the stream does not name the class", at: record.position))
        }
        let known = session.transaction.schema
        if let schema = known.classNamed(name) { return schema }
        var mistake = RecordMistake(
            .writeUnknownClass, unknown: name, what: "class", among: known.classes.map(\.name),
            at: record.position)
        mistake.remedy = "--create adds the classes that the start of a stream describes"
        throw .rejected(mistake)
    }

    private func put(
        _ object: ImportRecord, _ schema: ClassSchema, identity: JSONTree?
    ) throws(RecordError) {
        recordCount += 1
        let plan = try session.planner.plan(
            object, of: schema, policy: .upsert, identity: identity)
        run.noteWritten(schema)
        let row: RowID
        do { row = try session.objects.write(plan, from: input).row } catch { throw .store(error) }
        session.note(ObjectReference(classID: schema.id, rowID: row))
        if kept != nil { kept?[schema.id, default: []].insert(row) }
    }

    /// Deletes an object that is no longer shown; a moved object is inserted again.
    private func delete(_ record: ImportRecord) throws(RecordError) {
        if case .bool(true)? = record["moved"]?.content { return }
        recordCount += 1
        let schema = try schema(nil, record)
        guard let id = record["id"] else {
            throw .rejected(
                RecordMistake(.writeMissingKey, "the line has no \"id\"", at: record.position))
        }
        guard let row = try session.planner.find(try session.planner.identity(id, of: schema))
        else {
            // The line was applied before, or the object was deleted with another object.
            session.unchanged += 1
            return
        }
        try delete(row, schema)
    }

    private func delete(_ row: RowID, _ schema: ClassSchema) throws(RecordError) {
        do { try session.transaction.delete(row, in: schema.id) } catch { throw .store(error) }
        session.deleted += 1
    }

    /// Deletes the objects that a restarted stream does not contain.
    private func deleteAll(but kept: [ClassID: Set<RowID>]) throws(RecordError) {
        let names = classNames.isEmpty ? [className].compactMap { $0 } : classNames
        for name in names {
            guard let schema = session.transaction.schema.classNamed(name) else { continue }
            let rows: [RowID]
            do {
                rows = try session.transaction.snapshot().table(schema.id)?.liveRowIDs() ?? []
            } catch { throw .store(error) }
            for row in rows where kept[schema.id]?.contains(row) != true {
                try delete(row, schema)
                recordCount += 1
            }
        }
    }
}
