import FirnEngine
package import FirnQuery
import FirnValues

extension Upstream {
    /// Returns the classes that tables of another program would become; nothing is changed.
    ///
    /// - Parameter patterns: Names of tables, with `*` for any characters, with a schema and a period
    ///   unless it is public, and with `=` and the name of the class if it is not that of the table.
    package static func adoptionPlan(
        of patterns: [String], at address: String
    ) throws(UpstreamError) -> AdoptionPlan {
        let connection = try PostgresConnection(address)
        return try connection.transaction("READ ONLY") { () throws(UpstreamError) in
            try ServerScript.plan(patterns, on: connection)
        }
    }

    /// Lets files replicate tables of another program, and adds their classes to a file.
    ///
    /// - Throws: ``UpstreamError``; what the server got until then is there, and adopting again is safe.
    package static func adopt(
        _ patterns: [String], for database: Database, at address: String
    ) throws(UpstreamError) -> AdoptionPlan {
        let plan = try ServerScript.adopt(patterns, on: try PostgresConnection(address))
        guard !plan.parts.isEmpty else { return plan }
        try UpstreamError.converting { () throws(StoreError) in
            let transaction = try database.store.beginWrite()
            do throws(StoreError) {
                try plan.addClasses(in: transaction)
                _ = try database.commit(transaction)
            } catch {
                transaction.rollback()
                throw error
            }
        }
        return plan
    }
}

extension AdoptionPlan {
    /// Adds the classes and properties that the file lacks.
    fileprivate func addClasses(in transaction: WriteTransaction) throws(StoreError) {
        let (known, new) = (
            definitions.filter { transaction.schema.classNamed($0.name) != nil },
            definitions.filter { transaction.schema.classNamed($0.name) == nil }
        )
        if !new.isEmpty { _ = try transaction.addClasses(new) }
        for definition in known {
            guard let type = transaction.schema.classNamed(definition.name) else { continue }
            for property in definition.properties where type.propertyNamed(property.name) == nil {
                try transaction.addProperty(property, to: type.id)
            }
        }
    }
}
