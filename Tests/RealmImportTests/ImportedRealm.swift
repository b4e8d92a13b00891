import FirnEngine
import FirnPlatform
import FirnTesting
import RealmFile
import RealmImport

/// A Realm file that was imported into a database of its own.
struct ImportedRealm {
    let reader: RealmReader
    let report: RealmImportReport
    let store: Store
    private let folder = TemporaryFolder()

    init(
        _ bytes: [UInt8], key: [UInt8]? = nil, prefix: String = "",
        models: [ClassDefinition] = []
    ) throws {
        reader = try RealmReader(MemoryAccessor(bytes), key: key)
        let path = folder("new.firn")
        let creation = try Store.create(path)
        let plan = RealmImportPlan(reader, prefix: prefix, models: models)
        report = try creation.importRealm(reader, plan) { _, _, _ in true }
        store = try Store.open(path, readOnly: true)
    }

    init(_ name: String) throws { try self.init(try RealmSample.bytes(name)) }

    func dump() throws -> String {
        var text = ""
        try ImportedDump(try store.snapshot(), of: reader) { text += $0 + "\n" }.run()
        return text
    }
}
