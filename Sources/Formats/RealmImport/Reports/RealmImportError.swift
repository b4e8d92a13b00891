package import FirnEngine
package import RealmFile

/// An error in an import: of the Realm file, or of the new database.
package enum RealmImportError: Error {
    case realm(RealmFileError)
    case store(StoreError)
    /// The caller stopped the import.
    case stopped
}
