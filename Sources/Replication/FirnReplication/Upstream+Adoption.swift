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

    /// Lets files replicate tables of another program; a file gets their classes by
    /// ``AdoptionPlan/addClasses(to:)``.
    ///
    /// - Throws: ``UpstreamError``; the server is then unchanged.
    package static func adopt(
        _ patterns: [String], at address: String
    ) throws(UpstreamError) -> AdoptionPlan {
        try ServerScript.adopt(patterns, on: try PostgresConnection(address))
    }
}

extension AdoptionPlan {
    /// Adds the classes and properties that a file lacks, in one transaction.
    package func addClasses(to database: Database) throws(UpstreamError) {
        _ = try UpstreamError.converting { () throws(StoreError) in
            try database.write { transaction throws(StoreError) in
                try addClasses(in: transaction)
            }
        }
    }

    /// Adds the classes and properties that the file lacks.
    private func addClasses(in transaction: WriteTransaction) throws(StoreError) {
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
