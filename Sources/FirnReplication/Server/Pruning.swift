import FirnValues

/// The removal of changes and deletions that every file has had time to read.
enum Pruning {
    /// The time for which the server keeps changes, in days.
    ///
    /// A file that was offline for longer begins again.
    static let days = 30

    private static let lock = "7308895167"

    /// Removes old changes, and moves the horizon in the same transaction.
    ///
    /// Any client may do it; while one does, the others do not wait. A client without the right to
    /// delete leaves it to those with the right.
    static func run(_ connection: PostgresConnection) throws(UpstreamError) {
        do throws(UpstreamError) {
            try connection.transaction { () throws(UpstreamError) in
                let isFree = try connection.query(
                    "SELECT pg_try_advisory_xact_lock(\(lock))")[0, 0]
                guard isFree == "t" else { return }
                try remove(connection)
            }
        } catch {
            guard error.code == .permission else { throw error }
        }
    }

    private static func remove(_ connection: PostgresConnection) throws(UpstreamError) {
        let old = "at < now() - interval '\(days) days'"
        let last = try connection.query(
            "SELECT xid::text FROM firn.change WHERE \(old) ORDER BY xid DESC LIMIT 1")
        if let number = last[0, 0].flatMap(UInt64.init) {
            // The horizon moves first: what is removed is never missed without a word.
            try connection.query(
                "UPDATE firn.meta SET horizon = greatest(horizon, $1::xid8)",
                [String(number &+ 1)])
            try connection.execute("DELETE FROM firn.change WHERE \(old)")
        }
        try connection.execute("DELETE FROM firn.tomb WHERE \(old)")
    }
}
