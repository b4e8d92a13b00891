package import FirnEngine
import FirnValues
package import RealmFile

extension StoreCreation {
    /// Fills the new database with the contents of one Realm file, and gives it its name.
    ///
    /// After an error, the database is to be abandoned.
    ///
    /// - Parameter progress: called with the name of a class, the number of objects so far and that
    ///   of all objects; returns whether to go on.
    package func importRealm(
        _ reader: RealmReader, _ plan: RealmImportPlan,
        progress: (String, UInt64, UInt64) -> Bool
    ) throws(RealmImportError) -> RealmImportReport {
        let transaction = try writing { () throws(StoreError) in
            let transaction = try store.beginWrite()
            transaction.rebuildsLinkIndexes = true
            if !plan.definitions.isEmpty { try transaction.addClasses(plan.definitions) }
            return transaction
        }
        let importer = RealmImporter(reader, plan, into: transaction)
        try importer.run { progress($0, $1, importer.objectCount) }
        try writing { () throws(StoreError) in
            if let version = reader.schemaVersion, version > 0 {
                try transaction.setModelVersion(UInt64(version))
            }
            _ = try transaction.commit()
            try publish()
            try store.close()
        }
        return importer.report
    }
}
