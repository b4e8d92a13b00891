import FirnEngine
import FirnFormats
import FirnValues
import RealmFile
import RealmImport

/// Imports the Realm files of `create`.
struct RealmLoad {
    private let transaction: WriteTransaction
    private let line: Progress
    private let environment: CommandEnvironment

    init(_ transaction: WriteTransaction, _ line: Progress, _ environment: CommandEnvironment) {
        self.transaction = transaction
        self.line = line
        self.environment = environment
    }

    /// Imports the objects of a file; returns the differences from it.
    ///
    /// - Parameter texts: what names all classes that are needed; `nil` for all.
    func load(
        _ planned: PlannedRealm, neededBy texts: [String]?
    ) throws(CommandFailure) -> RealmImportReport {
        let reader = planned.input.reader
        let importer = RealmImporter(
            reader, planned.plan, into: transaction,
            only: texts.map { planned.plan.classes(neededBy: $0, of: reader) })
        do {
            try importer.run { name, done in
                line.update("importing \(name)", done: done, of: importer.objectCount, .objects)
                return environment.pendingSignal() == nil
            }
        } catch {
            try environment.checkSignals()
            switch error {
            case .realm(let error): throw CommandFailure(error, planned.input.path)
            case .store(let error): throw CommandFailure(error)
            case .stopped: throw .diagnostic(Diagnostic(.internalError, "the import was stopped"))
            }
        }
        return importer.report
    }

    /// Gives the database the version of the schema of the only file that has one.
    func setSchemaVersion(_ realms: [PlannedRealm]) throws(CommandFailure) {
        let versions = Set(realms.compactMap(\.input.reader.schemaVersion))
        guard versions.count == 1, let only = versions.first, only > 0 else { return }
        try CommandFailure.converting { () throws(StoreError) in
            try transaction.setModelVersion(UInt64(only))
        }
    }
}
