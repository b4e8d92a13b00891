import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// Loads the inputs of `create` that the bulk loader does not support, record by record.
struct RecordLoad {
    private let transaction: WriteTransaction
    private let names: FieldNames
    private let planner: ObjectPlanner
    private let writer: ObjectWriter
    private let rejects: Rejects
    private let deferred = DeferredRecords()
    private let line: Progress
    private let environment: CommandEnvironment

    init(
        _ transaction: WriteTransaction, names: FieldNames, _ rejects: Rejects, line: Progress,
        _ environment: CommandEnvironment
    ) {
        self.transaction = transaction
        self.rejects = rejects
        self.names = names
        self.line = line
        self.environment = environment
        // The report of the types says which words are null.
        planner = ObjectPlanner(
            transaction, names, remedy: .declare, nullWords: NullWordCounts())
        writer = ObjectWriter(transaction)
    }

    func load(_ input: CreateInput) throws(CommandFailure) {
        let records: any RecordSource
        do { records = try input.input.records() } catch { throw CommandFailure(error) }
        let direct = DirectInsertion(
            records, into: transaction, className: input.className, names: names,
            nullText: input.input.nullText, links: rejects.mode == .abort ? writer.keyed : nil)
        while true {
            try environment.checkSignals()
            if let direct, try insertNext(direct, records) {
                line.update(
                    "writing \(records.name)", done: records.bytesRead, of: input.input.size)
                continue
            }
            let item: ImportItem?
            do { item = try records.next() } catch {
                try skip(error, records)
                continue
            }
            guard let item else { return }
            // The schema was read during planning.
            guard case .record(let record) = item else { continue }
            try load(record, input.className, records.name)
            line.update(
                "writing \(records.name)", done: records.bytesRead, of: input.input.size)
        }
    }

    /// Writes a record of an input.
    ///
    /// - Parameter place: where in the input the record is, for errors.
    func load(
        _ record: ImportRecord, _ className: String?, _ input: String, in place: String? = nil
    ) throws(CommandFailure) {
        do {
            try write(record, className, input)
        } catch {
            switch error {
            case .rejected(var mistake):
                // The policies of write are not options of create.
                if mistake.slug == .writeDuplicateKey {
                    mistake.remedy =
                        "choose another key or unique property, or remove one of the duplicates"
                }
                if let place { mistake.details.append(place) }
                try rejects.reject(mistake, record, input)
            case .store(let error): throw CommandFailure(error)
            }
        }
    }

    /// - Returns: whether the next record was written, or skipped because of a mistake.
    private func insertNext(
        _ direct: DirectInsertion, _ records: any RecordSource
    ) throws(CommandFailure) -> Bool {
        do {
            guard case .inserted = try direct.insertNext() else { return false }
        } catch {
            try environment.checkSignals()
            switch error {
            case .input(let error): try skip(error, records)
            case .store(let error): throw CommandFailure(error)
            }
        }
        return true
    }

    private func skip(
        _ error: InputError, _ records: any RecordSource
    ) throws(CommandFailure) {
        try environment.checkSignals()
        try rejects.skip(error, records, written: "nothing")
    }

    private func write(
        _ record: ImportRecord, _ className: String?, _ input: String
    ) throws(RecordError) {
        let name = self.className(in: record, otherwise: record.className ?? className)
        guard let name, let schema = transaction.schema.classNamed(name) else {
            throw .rejected(
                RecordMistake(
                    .writeUnknownClass, unknown: name ?? "", what: "class",
                    among: transaction.schema.classes.map(\.name), at: record.position))
        }
        let plan = try planner.plan(record, of: schema, policy: .insert)
        if rejects.mode != .abort,
            deferred.keep(plan, record, schema, .insert, identity: nil, from: input)
        {
            return
        }
        do { try writer.write(plan, from: input) } catch { throw .store(error) }
    }

    /// Returns the class of a record, which its `$class` names, unless that is a value.
    private func className(in record: ImportRecord, otherwise given: String?) -> String? {
        guard !record.isTable, case .string(let said)? = record[ReservedName.className]?.content
        else { return given }
        let schema = transaction.schema
        guard schema.classNamed(given ?? "")?.propertyNamed(ReservedName.className) != nil else {
            return said
        }
        // Records of another program may have it as a value, and others as the name of a class.
        let isClass =
            record.className == nil && ReservedName.isClassName(said.utf8)
            && schema.classNamed(said) != nil
        return isClass ? said : given
    }

    /// Writes the deferred records whose link targets exist, and rejects the others.
    private func settleDeferred() throws(CommandFailure) {
        let (complete, dangling) = try deferred.settle { name throws(CommandFailure) in
            do throws(RecordError) { return try planner.find(name) != nil } catch {
                if case .store(let error) = error { throw CommandFailure(error) }
                return true
            }
        }
        for item in complete {
            do throws(RecordError) {
                let plan = try planner.plan(item.record, of: item.schema, policy: item.policy)
                do throws(StoreError) { try writer.write(plan, from: item.input) } catch {
                    throw .store(error)
                }
            } catch {
                switch error {
                case .store(let error): throw CommandFailure(error)
                case .rejected(let mistake):
                    try rejects.reject(mistake, item.record, item.input)
                }
            }
        }
        for found in dangling {
            try rejects.reject(
                writer.dangling(found.name, found.property), found.item.record, found.item.input)
        }
    }

    /// Sets the links to objects that came later in the input.
    func finish() throws(CommandFailure) {
        try settleDeferred()
        let dangling: (count: UInt64, first: (RecordMistake, String))?
        do { dangling = try writer.settle() } catch { throw CommandFailure(error) }
        if let dangling {
            throw .diagnostic(ObjectWriter.diagnostic(dangling.count, dangling.first))
        }
    }
}
