import FirnEngine
import FirnPlatform
import FirnValues

/// Fills a new database from inputs whose types are decided, and gives it its name at the end.
struct DatabaseMaking {
    struct Outcome {
        let version: LSN
        let bytes: UInt64
    }

    private let path: String
    private let surroundings: Surroundings
    private let line: Progress

    init(path: String, _ surroundings: Surroundings, _ line: Progress) {
        self.path = path
        self.surroundings = surroundings
        self.line = line
    }

    func make(_ tables: [ImportTable]) throws(CommandFailure) -> Outcome {
        let creation: StoreCreation
        let transaction: WriteTransaction
        do throws(StoreError) {
            creation = try Store.create(
                path, services: surroundings.services, options: surroundings.storeOptions)
            transaction = try creation.store.beginWrite()
            for table in tables { try transaction.addClass(table.definition) }
        } catch { throw failure(error) }
        for table in tables { try load(table, transaction) }
        do throws(StoreError) {
            let version = try transaction.commit()
            try creation.publish()
            return Outcome(version: version, bytes: try creation.store.fileStatus().size)
        } catch { throw failure(error) }
    }

    private func load(
        _ table: ImportTable, _ transaction: WriteTransaction
    ) throws(CommandFailure) {
        let loader: BulkLoader
        do throws(StoreError) {
            guard let schema = transaction.schema.classNamed(table.definition.name) else {
                throw StoreError(
                    .unknownClass, path: path, detail: "class \(table.definition.name) is gone")
            }
            loader = try transaction.bulkLoader(for: schema.id)
        } catch { throw failure(error) }
        do throws(ImportFailure) {
            try fill(loader, from: table)
        } catch {
            // An interruption ends the reading with an error of its own.
            try surroundings.checkSignals()
            switch error {
            case .input(let error): throw CommandFailure(error)
            case .store(let error): throw failure(error)
            }
        }
        do { try loader.finish() } catch { throw failure(error) }
    }

    private func fill(_ loader: BulkLoader, from table: ImportTable) throws(ImportFailure) {
        let reader: TableReader
        do { reader = try table.input.reader() } catch { throw .input(error) }
        _ = try TableLoader.run(
            reader, columns: table.columns, key: table.keyIndex, into: BulkSink(loader)
        ) { done in
            line.update("writing \(table.definition.name)", done: done, of: table.input.size)
            return surroundings.pendingSignal() == nil
        }
    }

    /// The temporary name is nobody's business, and nothing of the database can be missing but the
    /// folder that it should stand in.
    private func failure(_ error: StoreError) -> CommandFailure {
        if error.code == .missing {
            return .diagnostic(
                Diagnostic(
                    .outputCannotCreate,
                    "cannot create \(SafeText.escaping(path)): no such folder"))
        }
        return CommandFailure(
            StoreError(
                error.code, path: path, detail: error.detail, remedy: error.remedy,
                cause: error.cause))
    }
}
