import FirnEngine
import FirnQuery

/// Files that may only be read are shown as if they had all classes of the model.
extension RealmFile {
    /// The newest version, as the realms of this file show it.
    func newestSnapshot() throws(StoreError) -> DatabaseSnapshot {
        completed(try database.snapshot())
    }

    /// A version with the classes of the model that the file lacks, if it may only be read.
    func completed(_ snapshot: DatabaseSnapshot) -> DatabaseSnapshot {
        guard configuration.readOnly else { return snapshot }
        // Somebody else may have changed the file so that it does not fit the model any more: that is
        // found where it is read.
        return (try? model.completing(snapshot)) ?? snapshot
    }

    /// Whether a frozen realm has all classes that a snapshot of its version has.
    ///
    /// The model may have got more of them since it was made.
    func shows(_ frozen: RealmInstance, all snapshot: DatabaseSnapshot) -> Bool {
        guard configuration.readOnly else { return true }
        return frozen.snapshot.schema.classes.count >= snapshot.schema.classes.count
    }

    /// Whether a version has all classes of the model.
    func isComplete(_ snapshot: DatabaseSnapshot) -> Bool {
        model.isComplete(in: snapshot.snapshot.schema)
    }

    private var model: ModelSchema { ModelSchema(layouts, of: configuration, path: path) }
}
