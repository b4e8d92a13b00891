import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues
import RealmImport

/// A Realm file among the inputs of a command, and its classes.
struct PlannedRealm {
    let input: RealmInput
    let plan: RealmImportPlan

    /// - Parameters:
    ///   - prefix: the text before each name of a class.
    ///   - definitions: the classes of the inputs before.
    init(
        _ input: RealmInput, prefix: String, after definitions: [ClassDefinition]
    ) throws(CommandFailure) {
        self.input = input
        plan = RealmImportPlan(input.reader, prefix: prefix)
        let known = TextSet(definitions.map(\.name))
        if let twice = plan.definitions.first(where: { known.contains($0.name) }) {
            throw .diagnostic(
                .usage(
                    "\(SafeText.escaping(input.path)) has a class "
                        + "\(SafeText.escaping(twice.name)), as has an input before it",
                    remedy: "put a prefix before its classes: --from "
                        + "Old=\(SafeText.escaping(input.path))"))
        }
    }

    /// Returns the lines that describe the differences from the file.
    func notes(_ report: RealmImportReport) -> String {
        report.lines.map { "\(SafeText.escaping(input.path)): \(SafeText.escaping($0))\n" }.joined()
    }
}

extension PlannedRealm {
    /// Returns the classes that a Realm file has as a database, without its objects.
    static func schema(
        of file: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Schema {
        let line = Progress(.never, quiet: true, environment)
        let input = try RealmInput(file, RealmInput.Options(), line, environment)
        let realm = try PlannedRealm(input, prefix: "", after: [])
        let notes = realm.notes(realm.plan.report)
        if !notes.isEmpty { environment.note(notes) }
        let memory = try environment.withMemory()
        return try CommandFailure.converting { () throws(StoreError) in
            let creation = try Store.create(
                "\(MountedFileSystem.folder)/schema.firn", services: memory.services)
            let transaction = try creation.store.beginWrite()
            try transaction.addClasses(realm.plan.definitions)
            return transaction.schema
        }
    }
}
