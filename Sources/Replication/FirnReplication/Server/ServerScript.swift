package import FirnValues

/// The SQL that prepares a server for replication.
///
/// Running it again changes nothing.
///
///     firn.meta       the epoch, which changes when the history of changes is cut, the format, the
///                     horizon before which changes are forgotten, and the cluster whose numbers
///                     the transactions have
///     firn.class      the numbers and the tables of the classes, and the rules of conflicts
///     firn."Flight"   one table per class, with a column per property
///     firn.change     the keys of changed rows, stamped with the transaction that changed them
///     firn.tomb       the keys of deleted rows, with the times of their deletion
///     firn.client     the files that replicate, and the last batch and the last pull of each
///     firn.sent       the transactions of files that the server has, for as long as the changes
///     firn.stamp      the times of rows of adopted tables, which belong to other programs
///     firn.rejected   the transactions of files that the server did not accept
///
/// Triggers fill `change` and `tomb`, so that changes by other programs are replicated like those
/// of files; see `ServerScript+Triggers.swift`. Files write the rest by functions; see
/// `ServerScript+Functions.swift`. Each row carries the time of its last change (`_row_hlc`) and the
/// times of single columns that differ from it (`_hlc`); see ``HybridTime``.
package struct ServerScript {
    /// The version of the tables and triggers.
    ///
    ///     2   rules of conflicts in firn.class
    ///     3   the last pull of each file in firn.client
    ///     4   tables of classes by identity, functions instead of rights on the bookkeeping, the
    ///         transactions of each file in firn.sent, triggers for statements
    package static let format = 4

    let classes: [SyncedClass]
    let rules: TextMap<ConflictRules>
    /// Whether constraints keep out values that files cannot have.
    let hasChecks: Bool

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - rules: The rules of conflicts of some classes; the others keep theirs.
    ///   - hasChecks: Whether constraints keep values out that files cannot have.
    /// - Throws: ``UpstreamError`` if a rule does not fit the classes.
    package init(
        _ classes: [SyncedClass], rules: TextMap<ConflictRules> = [:], hasChecks: Bool = false
    ) throws(UpstreamError) {
        try ServerScript.check(rules, of: classes)
        self.classes = classes
        self.rules = rules
        self.hasChecks = hasChecks
    }

    /// All statements for a server without tables of these classes, each ended by a semicolon.
    package var text: String {
        ([ServerScript.bookkeeping]
            + classes.map {
                ServerScript.creation(of: $0)
                    + ServerScript.triggers(of: $0, $0.columns.map { ($0.main, $0.rest) })
                    + (hasChecks ? ServerScript.checks(of: $0) : "")
            }
            + [ServerScript.statements(rules, of: classes)])
            .joined(separator: "\n")
    }

    private static let modes = ConflictRules.Mode.allCases
        .map { SQLText.literal($0.rawValue) }.joined(separator: ", ")

    static let bookkeeping = tables + functions + rights

    private static let tables = """
        CREATE SCHEMA IF NOT EXISTS firn;
        CREATE TABLE IF NOT EXISTS firn.meta (
            id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
            epoch uuid NOT NULL DEFAULT gen_random_uuid(),
            format integer NOT NULL,
            horizon xid8 NOT NULL DEFAULT '0'
        );
        INSERT INTO firn.meta (format) VALUES (\(format)) ON CONFLICT DO NOTHING;
        ALTER TABLE firn.meta ADD COLUMN IF NOT EXISTS cluster text NOT NULL DEFAULT '';
        UPDATE firn.meta SET cluster = (SELECT system_identifier::text FROM pg_control_system())
            WHERE cluster = '';
        CREATE TABLE IF NOT EXISTS firn.class (
            number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE
        );
        ALTER TABLE firn.class
            ADD COLUMN IF NOT EXISTS conflicts text NOT NULL DEFAULT 'last-writer'
                CHECK (conflicts IN (\(modes))),
            ADD COLUMN IF NOT EXISTS counters text[] NOT NULL DEFAULT '{}',
            ADD COLUMN IF NOT EXISTS relation regclass,
            ADD COLUMN IF NOT EXISTS columns text[] NOT NULL DEFAULT '{}',
            ADD COLUMN IF NOT EXISTS base regclass,
            ADD COLUMN IF NOT EXISTS key text;
        UPDATE firn.class SET relation = to_regclass(format('firn.%I', name))
            WHERE relation IS NULL;
        CREATE TABLE IF NOT EXISTS firn.change (
            xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
            class smallint NOT NULL,
            pk text COLLATE "C" NOT NULL,
            at timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX IF NOT EXISTS change_class_xid ON firn.change (class, xid);
        DROP INDEX IF EXISTS firn.change_at;
        CREATE INDEX IF NOT EXISTS change_time ON firn.change USING brin (at);
        CREATE TABLE IF NOT EXISTS firn.tomb (
            class smallint NOT NULL,
            pk text COLLATE "C" NOT NULL,
            hlc bigint NOT NULL,
            at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (class, pk)
        );
        CREATE TABLE IF NOT EXISTS firn.client (
            client_id uuid PRIMARY KEY,
            last_seq bigint NOT NULL DEFAULT 0,
            last_digest text,
            last_seen timestamptz NOT NULL DEFAULT now()
        );
        ALTER TABLE firn.client
            ADD COLUMN IF NOT EXISTS pulled bigint,
            ADD COLUMN IF NOT EXISTS owner name;
        ALTER TABLE firn.client
            ALTER COLUMN pulled SET DEFAULT 0, ALTER COLUMN owner SET DEFAULT session_user;
        CREATE TABLE IF NOT EXISTS firn.sent (
            client_id uuid NOT NULL,
            seq bigint NOT NULL,
            digest text NOT NULL,
            at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (client_id, seq)
        );
        CREATE TABLE IF NOT EXISTS firn.stamp (
            class smallint NOT NULL,
            pk text COLLATE "C" NOT NULL,
            row_hlc bigint NOT NULL,
            hlc jsonb NOT NULL,
            PRIMARY KEY (class, pk)
        );
        CREATE TABLE IF NOT EXISTS firn.rejected (
            client_id uuid NOT NULL,
            seq bigint NOT NULL,
            class text NOT NULL,
            pk text NOT NULL,
            reason text NOT NULL,
            at timestamptz NOT NULL DEFAULT now()
        );
        ALTER TABLE firn.rejected ADD COLUMN IF NOT EXISTS content jsonb;
        UPDATE firn.meta SET format = \(format) WHERE format < \(format);

        """

    /// A user of the schema may read what all files have in common.
    private static let rights =
        "GRANT SELECT ON firn.meta, firn.class, firn.change, firn.tomb, firn.stamp TO PUBLIC;\n"

    /// Returns the statements that create the table of a class, without its triggers.
    static func creation(of type: SyncedClass) -> String {
        let name = SQLText.literal(type.name)
        let key = type.key.names.map(SQLText.name).joined(separator: ", ")
        let definitions = type.columns.flatMap(\.definitions) + stamps
        return """
            CREATE TABLE IF NOT EXISTS \(type.table) (
                \(definitions.joined(separator: ",\n    ")),
                PRIMARY KEY (\(key))
            );
            INSERT INTO firn.class (name, relation) SELECT \(name), \(SQLText.literal(type.table))
                WHERE NOT EXISTS (SELECT FROM firn.class WHERE name = \(name));
            \(indexes(of: type))
            """
    }

    /// The time of the server as a hybrid time without a counter and a client.
    static let serverTime =
        "(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint << 20)"

    /// The columns of the times; other programs insert rows at the time of the server.
    private static let stamps = [
        "_hlc jsonb NOT NULL DEFAULT '{}'", "_row_hlc bigint NOT NULL DEFAULT \(serverTime)",
    ]

    /// Returns the statements that index the link columns, by which rows that link to new objects
    /// of a subset are found.
    static func indexes(of type: SyncedClass) -> String {
        type.columns.filter(\.isLink).map { column in
            let name = SQLText.name("\(type.name).\(column.name)")
            let method = column.isCollection ? "USING gin " : ""
            return "CREATE INDEX IF NOT EXISTS \(name) ON \(type.table) "
                + "\(method)(\(SQLText.name(column.main)));\n"
        }.joined()
    }
}
