import FirnEngine
import FirnValues

extension ServerScript {
    /// The first version of the server whose views run with the rights of their users.
    private static let versionMinimum = 150_000

    /// Installs what is needed for the replication of tables of another program, in one
    /// transaction.
    ///
    /// - Parameter patterns: As ``AdoptionPlan`` has them.
    /// - Throws: ``UpstreamError``; the server is then unchanged.
    static func adopt(
        _ patterns: [String], on connection: PostgresConnection
    ) throws(UpstreamError) -> AdoptionPlan {
        try connection.transaction { () throws(UpstreamError) in
            let version = try connection.query("SHOW server_version_num")[0, 0].flatMap(Int.init)
            guard version ?? 0 >= versionMinimum else {
                throw UpstreamError(
                    .unsupported, "tables of other programs need PostgreSQL 15 or newer",
                    remedy: "let 'firn sync init' make tables of its own")
            }
            try prepareBooks(connection)
            let plan = try plan(patterns, on: connection)
            guard !plan.parts.isEmpty else { return plan }
            var isGap = false
            for part in plan.parts {
                let (number, hadTriggers) = try register(part, connection)
                try connection.execute(adoption(of: part, number: number))
                isGap = isGap || hadTriggers == false
            }
            if isGap { try beginHistory(connection) }
            return plan
        }
    }

    /// Returns the classes that tables of another program would become.
    static func plan(
        _ patterns: [String], on connection: PostgresConnection
    ) throws(UpstreamError) -> AdoptionPlan {
        try AdoptionPlan(try SourceTable.all(connection), patterns)
    }

    /// Returns the number of a class, and whether the triggers of its table have fired so far;
    /// `nil` for a new class.
    private static func register(
        _ part: AdoptionPlan.Part, _ connection: PostgresConnection
    ) throws(UpstreamError) -> (number: Int, hadTriggers: Bool?) {
        let base = part.table.quotedName
        let known = try ServerLayout(connection)
        let found = try connection.query(
            """
            SELECT number, name, base IS NOT NULL FROM firn.class
            WHERE base = $1::regclass OR name = $2 ORDER BY base IS NULL
            """, [base, part.className])
        if let number = found[0, 0].flatMap(Int.init), let name = found[0, 1] {
            guard name == part.className, found[0, 2] == "t" else {
                throw UpstreamError(
                    .schema,
                    name == part.className
                        ? "the server has another class \(name) already"
                        : "\(part.table.displayName) is the class \(name) already",
                    remedy: "name the class: --adopt '\(part.table.displayName)="
                        + "\(name == part.className ? "NAME" : name)'")
            }
            return (
                number, known.table(number: number)?.triggerCount == AdoptedTable.triggerNames.count
            )
        }
        let added = try connection.query(
            "INSERT INTO firn.class (name, base) VALUES ($1, $2::regclass) RETURNING number",
            [part.className, base])
        return (added[0, 0].flatMap(Int.init) ?? 0, nil)
    }
}
