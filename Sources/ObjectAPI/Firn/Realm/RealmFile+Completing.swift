import FirnEngine
import FirnQuery
import FirnValues

/// Showing read-only files as if they had all classes of the model.
extension RealmFile {
    /// Returns the message for a class of the program that the realm does not have.
    func absence(of type: ObjectBase.Type) -> String {
        if configuration.objectTypes == nil, let reason = ModelSchema.reasonAgainst(type) {
            return "the class \(type.className()) cannot be stored: \(reason)"
        }
        return "the realm at \(path) has no class \(type.className()): add it to objectTypes of "
            + "the configuration"
    }

    /// Returns the newest version, as the realms of this file show it.
    func newestSnapshot() throws(StoreError) -> DatabaseSnapshot {
        completed(try database.snapshot())
    }

    /// Returns a version of a read-only file with the classes of the model that it lacks.
    func completed(_ snapshot: DatabaseSnapshot) -> DatabaseSnapshot {
        guard configuration.readOnly else { return snapshot }
        // Another process may have changed the file so that it no longer matches the model. Reading
        // the file detects that.
        return (try? model.completing(snapshot)) ?? snapshot
    }

    /// Returns whether a frozen realm has all classes that a snapshot of its version has.
    ///
    /// The model may have gained classes since the realm was created.
    func shows(_ frozen: RealmInstance, all snapshot: DatabaseSnapshot) -> Bool {
        guard configuration.readOnly else { return true }
        return frozen.snapshot.schema.classes.count >= snapshot.schema.classes.count
    }

    /// Returns whether a version has all classes of the model.
    func isComplete(_ snapshot: DatabaseSnapshot) -> Bool {
        model.isComplete(in: snapshot.snapshot.schema)
    }

    private var model: ModelSchema { ModelSchema(layouts, of: configuration, path: path) }
}
