import FirnValues

/// The functions by which files write the bookkeeping.
///
///     firn.register   creates a file, or continues one
///     firn.state      the state of a file
///     firn.claim      moves the last batch of a file on; false if another batch came first
///     firn.pulled     the time of a pull
///     firn.bury       the times of deletions by a file
///     firn.refuse     a transaction that was not accepted
///     firn.has_sent   which transactions of a file the server has
///     firn.prune      forgets what every file has had time to read
///     firn.stamp      the times of a row of an adopted table
///     firn.advance    moves the sequence of a key on, past one that a file chose
///     firn.tagged     plain JSON as files have it, and back
///     firn.untagged
///     firn.settle     begins another history after a dump was restored into another cluster
///
/// They run with the rights of their owner. A file belongs to the user that registered it: a user
/// without rights on the bookkeeping can neither see nor change what other users' files have sent, and
/// can neither remove changes nor alter rules.
extension ServerScript {
    static let functions = [
        access, register, state, claim, pulled, bury, refuse, sent, prune, settle,
        tagged, untagged, stamp, advance,
    ].joined()

    private static func function(
        _ signature: String, _ result: String, _ volatility: String = "VOLATILE",
        declarations: String = "", body: String
    ) -> String {
        let text = (declarations.isEmpty ? "" : "DECLARE \(declarations)\n") + "BEGIN\n\(body)\nEND"
        return """
            CREATE OR REPLACE FUNCTION firn.\(signature) RETURNS \(result) LANGUAGE plpgsql
                \(volatility) SECURITY DEFINER SET search_path = pg_catalog, pg_temp
                AS \(SQLText.literal(text));

            """
    }

    /// Raises an error unless the user is a member of the role that registered a file.
    private static let access = function(
        "own(file uuid)", "void", declarations: "holder name;",
        body: """
                SELECT c.owner INTO holder FROM firn.client c WHERE c.client_id = file;
                IF FOUND AND holder IS NOT NULL AND NOT EXISTS (
                    SELECT FROM pg_roles r
                    WHERE r.rolname = holder AND pg_has_role(session_user, r.oid, 'MEMBER')) THEN
                    RAISE 'this file replicates as the user %', holder USING ERRCODE = '28000';
                END IF;
            """)

    private static let register = function(
        "register(file uuid)", "void",
        body: """
                PERFORM firn.settle();
                INSERT INTO firn.client (client_id) VALUES (file) ON CONFLICT DO NOTHING;
                PERFORM firn.own(file);
            """)

    private static let state = function(
        "state(file uuid, OUT last_seq bigint, OUT last_digest text, OUT pulled bigint)", "record",
        "STABLE",
        body: """
                PERFORM firn.own(file);
                SELECT c.last_seq, c.last_digest, c.pulled INTO last_seq, last_digest, pulled
                    FROM firn.client c WHERE c.client_id = file;
            """)

    private static let claim = function(
        """
        claim(file uuid, former bigint, latest bigint, digest text, numbers bigint[],
            digests text[])
        """, "boolean",
        body: """
                PERFORM firn.own(file);
                UPDATE firn.client c SET last_seq = latest, last_digest = digest, last_seen = now()
                    WHERE c.client_id = file AND c.last_seq = former;
                IF NOT FOUND THEN RETURN false; END IF;
                INSERT INTO firn.sent (client_id, seq, digest)
                    SELECT file, s.number, s.digest FROM unnest(numbers, digests) s(number, digest)
                    ON CONFLICT DO NOTHING;
                RETURN true;
            """)

    private static let pulled = function(
        "pulled(file uuid, moment bigint)", "void",
        body: """
                PERFORM firn.own(file);
                UPDATE firn.client c SET pulled = greatest(c.pulled, moment) WHERE c.client_id = file;
            """)

    /// A deletion cannot be later than the clock of the server counts, and only a user that may delete
    /// rows of the class can record one.
    private static let bury = function(
        "bury(number smallint, keys text[], times bigint[])", "void",
        body: """
                IF NOT EXISTS (SELECT FROM firn.class c WHERE c.number = bury.number
                    AND has_table_privilege(session_user, coalesce(c.base, c.relation), 'DELETE')) THEN
                    RAISE 'no right to delete objects of this class' USING ERRCODE = '42501';
                END IF;
                INSERT INTO firn.tomb (class, pk, hlc)
                    SELECT bury.number, k.pk,
                        least(k.hlc, \(serverTime) + (60000::bigint << 20)) FROM unnest(keys, times) k(pk, hlc)
                    ON CONFLICT (class, pk) DO UPDATE
                    SET hlc = greatest(firn.tomb.hlc, excluded.hlc), at = now();
            """)

    private static let refuse = function(
        "refuse(file uuid, number bigint, name text, key text, reason text, content jsonb)", "void",
        body: """
                PERFORM firn.own(file);
                INSERT INTO firn.rejected (client_id, seq, class, pk, reason, content)
                    VALUES (file, number, name, key, reason, content);
            """)

    private static let sent = function(
        "has_sent(file uuid, numbers bigint[], digests text[])", "SETOF bigint", "STABLE",
        body: """
                PERFORM firn.own(file);
                RETURN QUERY SELECT s.seq
                    FROM firn.sent s JOIN unnest(numbers, digests) n(seq, digest) USING (seq, digest)
                    WHERE s.client_id = file;
            """)

    /// Any file may call it; while one does, the others do not wait.
    private static let prune = function(
        "prune()", "void",
        declarations:
            "last xid8;\nold constant timestamptz := now() - interval '\(retentionDays) days';",
        body: """
                IF NOT pg_try_advisory_xact_lock(7308895167) THEN RETURN; END IF;
                SELECT c.xid INTO last FROM firn.change c WHERE c.at < old ORDER BY c.xid DESC LIMIT 1;
                IF FOUND THEN
                    -- The horizon moves first: what is removed is never missed without a word.
                    UPDATE firn.meta SET horizon = greatest(horizon, (last::text::numeric + 1)::text::xid8);
                    DELETE FROM firn.change c WHERE c.at < old;
                END IF;
                DELETE FROM firn.tomb t WHERE t.at < old;
                DELETE FROM firn.sent s WHERE s.at < old;
            """)

    /// The time for which the server keeps changes, in days.
    ///
    /// A file that was offline for longer begins again.
    static let retentionDays = 30

    /// The numbers of transactions in a dump belong to the former cluster.
    private static let settle = function(
        "settle()", "void",
        declarations:
            "here constant text := (SELECT system_identifier::text FROM pg_control_system());",
        body: """
                IF EXISTS (SELECT FROM firn.meta m WHERE m.cluster = here) THEN RETURN; END IF;
                UPDATE firn.meta SET cluster = here, epoch = gen_random_uuid(),
                    horizon = pg_snapshot_xmin(pg_current_snapshot());
                DELETE FROM firn.change;
            """)

    private static let stamp = function(
        "stamp(number smallint, key text, moment bigint, moments jsonb)", "void",
        body: """
            IF NOT EXISTS (SELECT FROM firn.class c WHERE c.number = stamp.number
                AND has_any_column_privilege(session_user, c.base, 'INSERT, UPDATE')) THEN
                RAISE 'no right to change objects of this class' USING ERRCODE = '42501';
            END IF;
            INSERT INTO firn.stamp (class, pk, row_hlc, hlc) VALUES (number, key, moment, moments)
                ON CONFLICT (class, pk) DO UPDATE
                SET row_hlc = excluded.row_hlc, hlc = excluded.hlc;
            """)

    /// The next row of the application would otherwise get the key of the file's row.
    private static let advance = function(
        "advance(number smallint, key bigint)", "void",
        declarations: "found firn.class;\nsequence text;\nlast bigint;\nisThere boolean;",
        body: """
            SELECT * INTO found FROM firn.class c WHERE c.number = advance.number;
            sequence := pg_get_serial_sequence(found.base::text, found.key);
            IF sequence IS NULL THEN RETURN; END IF;
            EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I = $1)', found.base, found.key)
                INTO isThere USING key;
            EXECUTE format('SELECT last_value FROM %s', sequence) INTO last;
            IF isThere AND key > last THEN PERFORM setval(sequence, key); END IF;
            """)

    /// An Any names the type of each value; see ``JSONEncoding``.
    private static let tagged = function(
        "tagged(value jsonb)", "jsonb", "IMMUTABLE",
        body: """
            RETURN CASE jsonb_typeof(value)
                WHEN 'boolean' THEN jsonb_build_object('t', 'bool', 'v', value)
                WHEN 'string' THEN jsonb_build_object('t', 'string', 'v', value)
                WHEN 'number' THEN
                    CASE WHEN value::numeric % 1 = 0 AND abs(value::numeric) < 9223372036854775808
                        THEN jsonb_build_object('t', 'int', 'v', to_jsonb(value::numeric::bigint))
                        ELSE jsonb_build_object('t', 'double', 'v', to_jsonb(value::float8)) END
                WHEN 'array' THEN jsonb_build_object('t', 'list', 'v', (
                    SELECT coalesce(jsonb_agg(firn.tagged(e.value) ORDER BY e.ordinality), '[]')
                    FROM jsonb_array_elements(value) WITH ORDINALITY e))
                WHEN 'object' THEN jsonb_build_object('t', 'map', 'v', (
                    SELECT coalesce(jsonb_object_agg(e.key, firn.tagged(e.value)), '{}')
                    FROM jsonb_each(value) e))
                WHEN 'null' THEN 'null'::jsonb END;
            """)

    private static let untagged = function(
        "untagged(value jsonb)", "jsonb", "IMMUTABLE",
        body: """
            RETURN CASE value->>'t'
                WHEN 'map' THEN (
                    SELECT coalesce(jsonb_object_agg(e.key, firn.untagged(e.value)), '{}')
                    FROM jsonb_each(value->'v') e)
                WHEN 'list' THEN (
                    SELECT coalesce(jsonb_agg(firn.untagged(e.value) ORDER BY e.ordinality), '[]')
                    FROM jsonb_array_elements(value->'v') WITH ORDINALITY e)
                WHEN 'set' THEN (
                    SELECT coalesce(jsonb_agg(firn.untagged(e.value) ORDER BY e.ordinality), '[]')
                    FROM jsonb_array_elements(value->'v') WITH ORDINALITY e)
                ELSE coalesce(value->'v', 'null') END;
            """)
}
