import FirnEngine
import FirnValues

/// Loads the inputs of `create` that the bulk loader does not support, record by record.
struct RecordLoad {
    private let transaction: WriteTransaction
    private let names: FieldNames
    private let planner: ObjectPlanner
    private let writer: ObjectWriter
    private let line: Progress
    private let environment: CommandEnvironment

    init(
        _ transaction: WriteTransaction, names: FieldNames, line: Progress,
        _ environment: CommandEnvironment
    ) {
        self.transaction = transaction
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
            nullText: input.input.nullText)
        while true {
            try environment.checkSignals()
            if let direct, try insertNext(direct) {
                line.update(
                    "writing \(records.name)", done: records.bytesRead, of: input.input.size)
                continue
            }
            let item: ImportItem?
            do { item = try records.next() } catch {
                try environment.checkSignals()
                throw CommandFailure(error)
            }
            guard let item else { return }
            // The schema was read during planning.
            guard case .record(let record) = item else { continue }
            do {
                try write(record, input.className, records.name)
            } catch {
                switch error {
                case .rejected(var mistake):
                    // The policies of write are not options of create.
                    if mistake.slug == .writeDuplicateKey {
                        mistake.remedy = "choose another key, or remove one of the duplicates"
                    }
                    throw .diagnostic(mistake.diagnostic(in: records.name))
                case .store(let error): throw CommandFailure(error)
                }
            }
            line.update(
                "writing \(records.name)", done: records.bytesRead, of: input.input.size)
        }
    }

    /// - Returns: whether the next record was written.
    private func insertNext(_ direct: DirectInsertion) throws(CommandFailure) -> Bool {
        do {
            guard case .inserted = try direct.insertNext() else { return false }
            return true
        } catch {
            try environment.checkSignals()
            switch error {
            case .input(let error): throw CommandFailure(error)
            case .store(let error): throw CommandFailure(error)
            }
        }
    }

    private func write(
        _ record: ImportRecord, _ className: String?, _ input: String
    ) throws(RecordError) {
        var name = record.className ?? className
        if !record.isTable, case .string(let said)? = record["$class"]?.content { name = said }
        guard let name, let schema = transaction.schema.classNamed(name) else {
            throw .rejected(
                RecordMistake(
                    .writeUnknownClass, unknown: name ?? "", what: "class",
                    among: transaction.schema.classes.map(\.name), at: record.position))
        }
        let plan = try planner.plan(record, of: schema, policy: .insert)
        do { try writer.write(plan, from: input) } catch { throw .store(error) }
    }

    /// Sets the links to objects that came later in the input.
    func finish() throws(CommandFailure) {
        let dangling: (count: UInt64, first: (RecordMistake, String))?
        do { dangling = try writer.settle() } catch { throw CommandFailure(error) }
        if let dangling {
            throw .diagnostic(ObjectWriter.diagnostic(dangling.count, dangling.first))
        }
    }
}
