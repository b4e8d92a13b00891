@testable import FirnReplication

extension PostgresConnection {
    /// Creates a user with the rights of firn-upstream(7): to use the schema, and to read and change the
    /// tables of the classes.
    func createUser(_ name: String) throws {
        try execute(
            """
            DO $$ BEGIN CREATE ROLE \(name) LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            GRANT USAGE ON SCHEMA firn TO \(name);
            """)
        let tables = try query("SELECT relation FROM firn.class WHERE relation IS NOT NULL")
        for row in 0..<tables.count {
            guard let table = tables[row, 0] else { continue }
            try execute("GRANT SELECT, INSERT, UPDATE, DELETE ON \(table) TO \(name)")
        }
    }
}
