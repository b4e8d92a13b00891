@testable import FirnReplication

extension PostgresConnection {
    /// Creates a user, who may read and change all tables of the replication.
    func createUser(_ name: String) throws {
        try execute(
            """
            DO $$ BEGIN CREATE ROLE \(name) LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            GRANT USAGE ON SCHEMA firn TO \(name);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA firn TO \(name);
            """)
    }
}
