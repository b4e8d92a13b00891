import FirnValues

/// The triggers of the table of a class.
///
///     firn_stamped     before an update: the times of the columns that it changed
///     firn_inserted    after a statement: the keys of its rows go to firn.change, and those of
///     firn_updated     deleted rows to firn.tomb
///     firn_deleted
///     firn_truncated   before all rows go: each of them is a deletion
///
/// They fire for statements, whose rows they read as tables, because a trigger for each row costs
/// several times the insertion of the row. They also fire in sessions that apply the changes of
/// another server, which skip ordinary triggers.
///
/// The functions run with the rights of their owner, so that a user of the table needs none on the
/// bookkeeping. Names in them are complete: the search path of the user does not matter.
extension ServerScript {
    /// A column of a property, and the column with its nanoseconds.
    typealias DataColumn = (main: String, rest: String?)

    /// Returns the statements that create or replace the triggers of the table of a class.
    ///
    /// - Parameter columns: The columns of the table, which may be more than the file knows.
    static func triggers(of type: SyncedClass, _ columns: [DataColumn]) -> String {
        let list = SQLText.literal(ArrayText.text(columns.map(\.main)))
        return [
            stamped(type, columns), inserted(type), updated(type), deleted(type), truncated(type),
        ].joined() + formerTriggers(of: type)
            + names.map { "ALTER TABLE \(type.table) ENABLE ALWAYS TRIGGER \($0);\n" }.joined()
            + "UPDATE firn.class SET columns = \(list) WHERE name = \(SQLText.literal(type.serverName));\n"
    }

    /// The triggers that each table has.
    static let names = [
        "firn_stamped", "firn_inserted", "firn_updated", "firn_deleted", "firn_truncated",
    ]

    /// Returns the triggers of formats before 4, which fired for each row.
    private static func formerTriggers(of type: SyncedClass) -> String {
        """
        DROP TRIGGER IF EXISTS firn_changed ON \(type.table);
        DROP FUNCTION IF EXISTS \(function(type, "changed"))();

        """
    }

    static func function(_ type: some RecordedRows, _ verb: String) -> String {
        "firn." + SQLText.name("\(type.serverName) \(verb)")
    }

    /// The verbs that the names of the functions of a class end with.
    static let verbs = ["stamped", "inserted", "updated", "deleted", "truncated"]

    /// Whether the statement comes from another program, whose changes get the time of the server.
    static let isForeign = "coalesce(current_setting('firn.client', true), '') = ''"

    private static let number =
        "own constant smallint := (SELECT c.number FROM firn.class c "
        + "WHERE coalesce(c.base, c.relation) = TG_RELID);"

    /// Returns a function for triggers and its trigger.
    ///
    /// - Parameter settings: Settings of the server while the function runs.
    static func trigger(
        _ type: some RecordedRows, _ verb: String, _ event: String, declarations: String = number,
        isDefiner: Bool = true, settings: String = "", body: String
    ) -> String {
        let name = function(type, verb)
        let security = isDefiner ? " SECURITY DEFINER" : ""
        // A column may have the name of a variable.
        let text = "#variable_conflict use_variable\nDECLARE \(declarations)\nBEGIN\n\(body)\nEND"
        return """
            CREATE OR REPLACE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql\(security)
                SET search_path = pg_catalog, pg_temp\(settings) AS \(SQLText.literal(text));
            CREATE OR REPLACE TRIGGER firn_\(verb) \(event) EXECUTE FUNCTION \(name)();

            """
    }

    private static func stamped(_ type: SyncedClass, _ columns: [DataColumn]) -> String {
        let stamps = columns.map { column in
            let differs = [column.main, column.rest].compactMap(\.self).map(SQLText.name)
                .map { "NEW.\($0) IS DISTINCT FROM OLD.\($0)" }.joined(separator: " OR ")
            return rest(column) + """
                IF \(differs) THEN
                    NEW._hlc := NEW._hlc || jsonb_build_object(\(SQLText.literal(column.main)), moment);
                END IF;
                """
        }
        return trigger(
            type, "stamped", "BEFORE UPDATE ON \(type.table) FOR EACH ROW",
            declarations: "moment constant bigint := \(serverTime);", isDefiner: false,
            body: "IF NOT (\(isForeign)) THEN RETURN NEW; END IF;\n"
                + stamps.joined(separator: "\n") + "\nRETURN NEW;")
    }

    /// Returns the statement that clears the nanoseconds of a date that only got a new main column.
    private static func rest(_ column: DataColumn) -> String {
        guard let rest = column.rest else { return "" }
        let (first, second) = (SQLText.name(column.main), SQLText.name(rest))
        return """
            IF NEW.\(first) IS DISTINCT FROM OLD.\(first)
                AND NEW.\(second) IS NOT DISTINCT FROM OLD.\(second) THEN
                NEW.\(second) := 0;
            END IF;

            """
    }

    static func inserted(_ type: some RecordedRows, stamps: String = "") -> String {
        trigger(
            type, "inserted",
            "AFTER INSERT ON \(type.table) REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT",
            body: """
                INSERT INTO firn.change (class, pk)
                    SELECT own, \(type.keyText(ofRow: "n")) FROM new_rows n;
                DELETE FROM firn.tomb t USING new_rows n
                    WHERE t.class = own AND t.pk = \(type.keyText(ofRow: "n"));
                \(stamps)
                RETURN NULL;
                """)
    }

    /// Returns the trigger for updates; an update that changes keys deletes objects and creates
    /// others.
    ///
    /// The keys are compared as sets, because the server has no statistics of the tables of rows, and
    /// would look for each row in all others.
    static func updated(_ type: some RecordedRows, stamps: String = "") -> String {
        let former =
            "(SELECT \(type.keyText(ofRow: "o")) AS pk FROM old_rows o "
            + "EXCEPT SELECT \(type.keyText(ofRow: "n")) FROM new_rows n)"
        return trigger(
            type, "updated",
            "AFTER UPDATE ON \(type.table) REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows "
                + "FOR EACH STATEMENT",
            // Rows are joined with their former ones, of which the server has no statistics.
            settings: stamps.isEmpty ? "" : " SET enable_nestloop = off",
            body: """
                INSERT INTO firn.change (class, pk)
                    SELECT own, \(type.keyText(ofRow: "n")) FROM new_rows n;
                IF EXISTS \(former) THEN
                    INSERT INTO firn.change (class, pk) SELECT own, k.pk FROM \(former) k;
                    \(burial("k.pk", "\(former) k"))
                    DELETE FROM firn.tomb t USING new_rows n
                        WHERE t.class = own AND t.pk = \(type.keyText(ofRow: "n"));
                END IF;
                \(stamps)
                RETURN NULL;
                """)
    }

    static func deleted(_ type: some RecordedRows, stamps: String = "") -> String {
        trigger(
            type, "deleted",
            "AFTER DELETE ON \(type.table) REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT",
            body: """
                INSERT INTO firn.change (class, pk)
                    SELECT own, \(type.keyText(ofRow: "o")) FROM old_rows o;
                IF \(isForeign) THEN
                    \(burial(type.keyText(ofRow: "o"), "old_rows o"))
                END IF;
                \(stamps)
                RETURN NULL;
                """)
    }

    static func truncated(_ type: some RecordedRows, stamps: String = "") -> String {
        trigger(
            type, "truncated", "BEFORE TRUNCATE ON \(type.table) FOR EACH STATEMENT",
            body: """
                INSERT INTO firn.change (class, pk)
                    SELECT own, \(type.keyText(ofRow: "o")) FROM \(type.table) o;
                \(burial(type.keyText(ofRow: "o"), "\(type.table) o"))
                \(stamps)
                RETURN NULL;
                """)
    }

    /// Returns the statement that records deletions at the time of the server.
    private static func burial(_ key: String, _ source: String) -> String {
        """
        INSERT INTO firn.tomb (class, pk, hlc)
            SELECT own, \(key), \(serverTime) FROM \(source)
            ON CONFLICT (class, pk) DO UPDATE
            SET hlc = greatest(firn.tomb.hlc, excluded.hlc), at = now();
        """
    }
}

/// A table whose changes triggers record.
protocol RecordedRows {
    /// The name of the class on the server.
    var serverName: String { get }
    /// The table, quoted and with its schema.
    var table: String { get }
    /// Returns an expression for the key's text in a row.
    func keyText(ofRow row: String) -> String
}

extension SyncedClass: RecordedRows {}
