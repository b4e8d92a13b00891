import FirnEngine
import FirnFormats
import FirnText
import FirnValues

extension InputInference {
    /// Reads the records of a further input, on several threads if it is large.
    ///
    /// - Returns: the schema document at the start of the input.
    mutating func read(
        records input: ImportInput, _ className: String?
    ) throws(CommandFailure) -> JSONTree? {
        guard input.format == .objects, !tableOptions.skipsBroken else {
            let records: any RecordSource
            do { records = try input.records() } catch { throw CommandFailure(error) }
            return try read(records, input, className)
        }
        var blocks: TextBlocks
        let first: TextBlocks.Block?
        do throws(InputError) {
            blocks = TextBlocks(try input.source(), quote: nil)
            do { first = try blocks.next() } catch { throw InputError(error, name: input.name) }
        } catch { throw CommandFailure(error) }
        if let first, let seen = seen(first, input, className) {
            objects = seen.objects
            input.rowPositions = try read(&blocks, after: first, seen.rows, input, className)
            return nil
        }
        let whole = blocks.rest(after: first.map { [$0] } ?? [])
        let records: JSONRecords
        do { records = try input.records(in: whole) } catch { throw CommandFailure(error) }
        return try read(records, input, className)
    }

    /// Returns what is known after the first block of an input; `nil` if the input cannot be read in
    /// blocks, such as one that begins with a schema.
    private func seen(
        _ block: TextBlocks.Block, _ input: ImportInput, _ className: String?
    ) -> (objects: ObjectInference, rows: RowPositions.Block)? {
        let source = MemorySource(block.bytes, name: input.name)
        guard let records = try? input.records(in: source) else { return nil }
        var state = objects.copy()
        return state.see(all: records, className, at: .start).map { (state, $0) }
    }

    /// Reads the blocks after the first.
    ///
    /// - Returns: the positions of the records; `nil` if a part of the input was not read in blocks.
    private mutating func read(
        _ blocks: inout TextBlocks, after first: TextBlocks.Block, _ rows: RowPositions.Block,
        _ input: ImportInput, _ className: String?
    ) throws(CommandFailure) -> RowPositions? {
        var positions = RowPositions(.objects, partRowCount: tableOptions.partRowCount)
        positions.append(rows, byteCount: first.bytes.count)
        let form = ObjectInference.Form(name: input.name, className: className)
        var reading = BlockReading(objects, positions, form)
        let progress = progress
        var interruption: CommandFailure?
        let rest: (any ByteSource)?
        do throws(InputError) {
            rest = try reading.read(&blocks, name: input.name) { done in
                do throws(CommandFailure) { try progress(input, done) } catch {
                    interruption = error
                }
                return interruption == nil
            }
        } catch { throw interruption ?? CommandFailure(error) }
        objects = reading.evidence
        guard let rest else { return reading.positions }
        let records = JSONRecords(rest, continuingAt: reading.positions.end)
        _ = try read(records, input, className)
        return nil
    }

    /// Reads records one by one.
    private mutating func read(
        _ records: any RecordSource, _ input: ImportInput, _ className: String?
    ) throws(CommandFailure) -> JSONTree? {
        var schema: JSONTree?
        var count: UInt64 = 0
        // Only a record that is read as a tree can be skipped.
        let json = tableOptions.skipsBroken ? nil : records as? JSONRecords
        while true {
            if let name = objects.tooWide {
                throw Self.tooWide(name, records.name, records.line)
            }
            if let json, try see(json, className, input) {
                count += 1
                if count & 0xFFF == 0 { try progress(input, records.bytesRead) }
                continue
            }
            guard let item = try next(records, input) else { return schema }
            switch item {
            case .schema(let tree):
                schema = tree
                objects.noteSchema()
            case .record(let record):
                guard objects.see(record, className) else {
                    throw Self.unnamed(record, records.name)
                }
                count += 1
                if count & 0xFFF == 0 { try progress(input, records.bytesRead) }
            }
        }
    }

    /// Returns the next record.
    ///
    /// Errors in skippable records are reported when the records are written.
    private func next(
        _ records: any RecordSource, _ input: ImportInput
    ) throws(CommandFailure) -> ImportItem? {
        while true {
            do { return try records.next() } catch {
                try progress(input, records.bytesRead)
                guard tableOptions.skipsBroken, records.canContinue else {
                    throw CommandFailure(error)
                }
            }
        }
    }

    /// Examines the next record if it can be read without a tree.
    ///
    /// - Returns: whether it was seen; if not, ``next(_:_:)`` returns it.
    private mutating func see(
        _ records: JSONRecords, _ className: String?, _ input: ImportInput
    ) throws(CommandFailure) -> Bool {
        do { return try objects.seeNext(of: records, className) } catch {
            try progress(input, records.bytesRead)
            throw CommandFailure(error)
        }
    }

    private static func tooWide(
        _ className: String, _ input: String, _ line: UInt64
    ) -> CommandFailure {
        let max = ClassSchema.propertyCountMaximum
        var diagnostic = Diagnostic(
            .writeSchema,
            "\(SafeText.escaping(input)):\(line): the objects of class "
                + "\(SafeText.escaping(className)) have more than \(max) names")
        diagnostic.remedy =
            "names that are keys belong into a map: jq '{entries: .}' makes one of each object"
        return .diagnostic(diagnostic)
    }

    private static func unnamed(_ record: ImportRecord, _ input: String) -> CommandFailure {
        var mistake = RecordMistake(
            .usageArguments, "the record does not name its class", at: record.position)
        mistake.remedy = "name it with -c CLASS, or in each record with \"$class\""
        return .diagnostic(mistake.diagnostic(in: input))
    }
}
