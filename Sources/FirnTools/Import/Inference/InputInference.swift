import FirnEngine
import FirnValues

/// Infers the classes of an input by reading all of it.
struct InputInference {
    /// The class of records that name no class.
    let className: String?
    let declared: [DeclaredType]
    let names: FieldNames
    /// Whether invalid records are skipped, because they are reported when they are written.
    let skipsBroken: Bool
    /// Called periodically with the number of bytes read; throws to stop reading.
    let progress: (UInt64) throws(CommandFailure) -> Void

    struct Outcome {
        /// The schema document at the start of the input.
        var schema: JSONTree?
        /// The classes in the order of their first occurrence; embedded classes first.
        var classes: [InferredClass] = []
        /// The names of the fields of all objects in the input.
        var fieldNames: [String] { classes.flatMap { $0.fields.map(\.name) } }
    }

    func run(_ input: ImportInput) throws(CommandFailure) -> Outcome {
        if case .table(let format) = input.format {
            return Outcome(classes: [try table(input, format)])
        }
        let records: any RecordSource
        do { records = try input.records() } catch { throw CommandFailure(error) }
        var outcome = Outcome()
        var classNames: [String] = []
        var evidence: [String: ObjectEvidence] = [:]
        var count: UInt64 = 0
        while let item = try next(records) {
            switch item {
            case .schema(let tree): outcome.schema = tree
            case .record(let record):
                let name = try name(of: record, records.name)
                let known = evidence[name] ?? ObjectEvidence()
                if evidence.updateValue(known, forKey: name) == nil { classNames.append(name) }
                known.see(record.fields)
                count += 1
                if count & 0xFFF == 0 { try progress(records.bytesRead) }
            }
        }
        for name in classNames {
            guard let evidence = evidence[name] else { continue }
            outcome.classes += InferredClass.classes(
                evidence, named: name, declared: declared, names: names)
        }
        return outcome
    }

    /// Returns the next record.
    ///
    /// Errors in skippable records are reported when the records are written.
    private func next(_ records: any RecordSource) throws(CommandFailure) -> ImportItem? {
        while true {
            do { return try records.next() } catch {
                try progress(records.bytesRead)
                guard skipsBroken, records.canContinue else { throw CommandFailure(error) }
            }
        }
    }

    private func name(
        of record: ImportRecord, _ input: String
    ) throws(CommandFailure) -> String {
        if case .string(let name)? = record["$class"]?.content { return name }
        if let name = record.className ?? className { return name }
        var mistake = RecordMistake(
            .usageArguments, "the record does not name its class", at: record.place)
        mistake.remedy = "name it with -c CLASS, or in each record with \"$class\""
        throw .diagnostic(mistake.diagnostic(in: input))
    }

    private func table(
        _ input: ImportInput, _ format: DelimitedFormat
    ) throws(CommandFailure) -> InferredClass {
        guard let className else {
            throw .diagnostic(
                .usage(
                    "cannot derive a class name from \(SafeText.escaping(input.name))",
                    remedy: "name it with -c CLASS"))
        }
        let outcome: TableInference.Outcome
        var interruption: CommandFailure?
        do throws(InputError) {
            outcome = try TableInference.run(
                try input.table(format), skipsBroken: skipsBroken
            ) { done in
                do throws(CommandFailure) { try progress(done) } catch { interruption = error }
                return interruption == nil
            }
        } catch { throw interruption ?? CommandFailure(error) }
        return InferredClass(
            name: className,
            fields: outcome.columns.map { column in
                let name = names.property(column.name)
                let declared = declared.last { $0.isMeant(for: name, of: className) }
                return InferredClass.Field(
                    name: column.name,
                    property: ClassDefinition.Property(
                        name: name, type: declared?.type ?? column.type,
                        display: declared == nil ? column.display : nil,
                        targetName: declared?.targetName),
                    reason: declared == nil ? column.reason : "declared", nulls: column.nulls)
            }, isEmbedded: false, rowCount: outcome.rowCount)
    }
}
