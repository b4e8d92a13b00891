package import FirnValues

/// The SQL that prepares a server for replication.
///
/// Running it again changes nothing.
///
///     firn.meta       the epoch, which changes when the history of changes is cut, the format, and
///                     the horizon before which changes are forgotten
///     firn.class      the numbers of the classes, and the rules of conflicts
///     firn."Flight"   one table per class, with a column per property
///     firn.change     the keys of changed rows, stamped with the transaction that changed them
///     firn.tomb       the keys of deleted rows, with the times of their deletion
///     firn.client     the files that replicate, and the last batch and the last pull of each
///     firn.rejected   the transactions of files that the server did not accept
///
/// Triggers fill `change` and `tomb`, so that changes by other programs are replicated like those
/// of files. Each row carries the time of its last change (`_row_hlc`) and the times of single
/// columns that differ from it (`_hlc`); see ``HybridTime``.
package struct ServerScript {
    /// The version of the tables and triggers.
    ///
    ///     2   rules of conflicts in firn.class
    ///     3   the last pull of each file in firn.client
    package static let format = 3

    private let classes: [SyncedClass]
    private let rules: TextMap<ConflictRules>

    /// Creates a script.
    ///
    /// - Parameter rules: The rules of conflicts of some classes; the others keep theirs.
    /// - Throws: ``UpstreamError`` if a rule does not fit the classes.
    package init(
        _ classes: [SyncedClass], rules: TextMap<ConflictRules> = [:]
    ) throws(UpstreamError) {
        try ServerScript.check(rules, of: classes)
        self.classes = classes
        self.rules = rules
    }

    /// All statements, each ended by a semicolon.
    package var text: String {
        ([ServerScript.bookkeeping] + classes.map { ServerScript.table($0) }
            + [ServerScript.statements(rules)])
            .joined(separator: "\n")
    }

    private static let modes = ConflictRules.Mode.allCases
        .map { SQLText.literal($0.rawValue) }.joined(separator: ", ")

    /// Writes the time of the server as a hybrid time without a counter and a client.
    private static let serverTime =
        "(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20)"

    private static let bookkeeping = """
        CREATE SCHEMA IF NOT EXISTS firn;
        CREATE TABLE IF NOT EXISTS firn.meta (
            id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
            epoch uuid NOT NULL DEFAULT gen_random_uuid(),
            format integer NOT NULL,
            horizon xid8 NOT NULL DEFAULT '0'
        );
        INSERT INTO firn.meta (format) VALUES (\(format)) ON CONFLICT DO NOTHING;
        UPDATE firn.meta SET format = \(format) WHERE format < \(format);
        CREATE TABLE IF NOT EXISTS firn.class (
            number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE
        );
        ALTER TABLE firn.class
            ADD COLUMN IF NOT EXISTS conflicts text NOT NULL DEFAULT 'last-writer'
                CHECK (conflicts IN (\(ServerScript.modes))),
            ADD COLUMN IF NOT EXISTS counters text[] NOT NULL DEFAULT '{}';
        CREATE TABLE IF NOT EXISTS firn.change (
            xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
            class smallint NOT NULL,
            pk text COLLATE "C" NOT NULL,
            at timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX IF NOT EXISTS change_class_xid ON firn.change (class, xid);
        CREATE INDEX IF NOT EXISTS change_at ON firn.change (at);
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
        ALTER TABLE firn.client ADD COLUMN IF NOT EXISTS pulled bigint;
        ALTER TABLE firn.client ALTER COLUMN pulled SET DEFAULT 0;
        CREATE TABLE IF NOT EXISTS firn.rejected (
            client_id uuid NOT NULL,
            seq bigint NOT NULL,
            class text NOT NULL,
            pk text NOT NULL,
            reason text NOT NULL,
            at timestamptz NOT NULL DEFAULT now()
        );
        CREATE OR REPLACE FUNCTION firn.truncated() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE firn.meta SET epoch = gen_random_uuid();
            RETURN NULL;
        END $$;

        """

    /// Returns the table of a class with its triggers.
    private static func table(_ type: SyncedClass) -> String {
        let key = SQLText.name(type.key.name)
        let definitions = type.columns.flatMap(\.definitions)
        var script = """
            INSERT INTO firn.class (name) SELECT \(SQLText.literal(type.name))
                WHERE NOT EXISTS (SELECT FROM firn.class WHERE name = \(SQLText.literal(type.name)));
            CREATE TABLE IF NOT EXISTS \(type.table) (
                \(definitions.joined(separator: ",\n    ")),
                _hlc jsonb NOT NULL DEFAULT '{}',
                _row_hlc bigint NOT NULL DEFAULT 0,
                PRIMARY KEY (\(key))
            );

            """
        for definition in definitions {
            script += "ALTER TABLE \(type.table) ADD COLUMN IF NOT EXISTS \(definition);\n"
        }
        for column in type.columns where column.isLink {
            // Rows that link to new objects of a subset are looked up by these columns.
            let name = SQLText.name("\(type.name).\(column.name)")
            let method = column.isCollection ? "USING gin " : ""
            script +=
                "CREATE INDEX IF NOT EXISTS \(name) ON \(type.table) "
                + "\(method)(\(SQLText.name(column.name)));\n"
        }
        return script + functions(type, key) + triggers(type)
    }

    private static func functions(_ type: SyncedClass, _ key: String) -> String {
        let number = "(SELECT number FROM firn.class WHERE name = \(SQLText.literal(type.name)))"
        let log = function(type, "changed")
        let stamp = function(type, "stamped")
        let stamps = type.columns.map { column in
            let differs = column.names.map(SQLText.name)
                .map { "NEW.\($0) IS DISTINCT FROM OLD.\($0)" }.joined(separator: " OR ")
            return rest(column) + """
                    IF \(differs) THEN
                        NEW._hlc := NEW._hlc || jsonb_build_object(\(SQLText.literal(column.name)), now_hlc);
                    END IF;
                """
        }
        return """
            CREATE OR REPLACE FUNCTION \(stamp)() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE now_hlc bigint := \(serverTime);
            BEGIN
                IF coalesce(current_setting('firn.client', true), '') <> '' THEN RETURN NEW; END IF;
                IF TG_OP = 'INSERT' THEN
                    NEW._row_hlc := now_hlc;
                    NEW._hlc := '{}';
                    RETURN NEW;
                END IF;
            \(stamps.joined(separator: "\n"))
                RETURN NEW;
            END $$;
            CREATE OR REPLACE FUNCTION \(log)() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE number smallint := \(number);
            BEGIN
                IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR OLD.\(key) IS DISTINCT FROM NEW.\(key)) THEN
                    INSERT INTO firn.change (class, pk) VALUES (number, \(type.keyText(ofRow: "OLD")));
                    IF coalesce(current_setting('firn.client', true), '') = '' THEN
                        INSERT INTO firn.tomb (class, pk, hlc)
                            VALUES (number, \(type.keyText(ofRow: "OLD")), \(serverTime))
                            ON CONFLICT (class, pk) DO UPDATE
                            SET hlc = greatest(firn.tomb.hlc, excluded.hlc), at = now();
                    END IF;
                END IF;
                IF TG_OP <> 'DELETE' THEN
                    INSERT INTO firn.change (class, pk) VALUES (number, \(type.keyText(ofRow: "NEW")));
                    IF TG_OP = 'INSERT' THEN
                        DELETE FROM firn.tomb WHERE class = number AND pk = \(type.keyText(ofRow: "NEW"));
                    END IF;
                END IF;
                RETURN NULL;
            END $$;

            """
    }

    /// Returns the statement that clears the nanoseconds of a date that only got a new main column.
    private static func rest(_ column: SyncedColumn) -> String {
        guard column.names.count == 2, let date = column.names.first, let rest = column.names.last
        else { return "" }
        let (first, second) = (SQLText.name(date), SQLText.name(rest))
        return """
                IF NEW.\(first) IS DISTINCT FROM OLD.\(first)
                    AND NEW.\(second) IS NOT DISTINCT FROM OLD.\(second) THEN
                    NEW.\(second) := 0;
                END IF;

            """
    }

    private static func triggers(_ type: SyncedClass) -> String {
        """
        CREATE OR REPLACE TRIGGER firn_stamped BEFORE INSERT OR UPDATE ON \(type.table)
            FOR EACH ROW EXECUTE FUNCTION \(function(type, "stamped"))();
        CREATE OR REPLACE TRIGGER firn_changed AFTER INSERT OR UPDATE OR DELETE ON \(type.table)
            FOR EACH ROW EXECUTE FUNCTION \(function(type, "changed"))();
        CREATE OR REPLACE TRIGGER firn_truncated AFTER TRUNCATE ON \(type.table)
            FOR EACH STATEMENT EXECUTE FUNCTION firn.truncated();

        """
    }

    private static func function(_ type: SyncedClass, _ verb: String) -> String {
        "firn." + SQLText.name("\(type.name) \(verb)")
    }
}

extension ServerScript {
    /// The number of times that the script is run again after another client got in its way.
    private static let retriesMax = 10

    /// Runs the script in one transaction.
    ///
    /// Programs that replicate meanwhile lock the same tables in another order: the server then ends
    /// one of the transactions, and the script is run again.
    ///
    /// - Throws: ``UpstreamError``; the server is then unchanged.
    package func run(on address: String) throws(UpstreamError) {
        let connection = try PostgresConnection(address)
        var retries = 0
        while true {
            do throws(UpstreamError) { return try run(in: connection) } catch {
                guard error.isTransient, error.code == .server, retries < Self.retriesMax else {
                    throw error
                }
                retries += 1
            }
        }
    }

    private func run(in connection: PostgresConnection) throws(UpstreamError) {
        try connection.transaction { () throws(UpstreamError) in
            // Two programs that create the same objects would fail at each other.
            try connection.execute("SELECT pg_advisory_xact_lock(7308895166)")
            try connection.execute(text)
            let found = try connection.query("SELECT format FROM firn.meta")[0, 0] ?? "0"
            guard found == String(ServerScript.format) else {
                throw UpstreamError(
                    .notPrepared,
                    "the tables on the server have format \(found), and this firn knows "
                        + "\(ServerScript.format)", remedy: "use a newer firn")
            }
        }
    }
}
