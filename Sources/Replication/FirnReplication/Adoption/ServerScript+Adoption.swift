import FirnValues

/// The SQL that lets files replicate a table of another program.
///
///     firn."Customer"             a view with the columns of a class, in the types of its properties,
///                                 and the times of the rows from firn.stamp
///     firn."Customer put"()       writes a row of the view to the table
///     firn."Customer inserted"()  ... the triggers of the table, which record its changes
///
/// The table itself gets triggers and nothing else: neither columns nor constraints. The view runs with
/// the rights of its user, so that policies of the table hold.
extension ServerScript {
    static func adoption(of part: AdoptionPlan.Part, number: Int) -> String {
        guard let key = part.table.keyColumn else { return "" }
        let writer = AdoptedTable(part, key: key, number: number)
        return writer.view + writer.writing + writer.recording + writer.registration
    }
}

/// The SQL of one adopted table.
struct AdoptedTable {
    private let part: AdoptionPlan.Part
    private let key: SourceTable.Column
    private let number: Int

    init(_ part: AdoptionPlan.Part, key: SourceTable.Column, number: Int) {
        self.part = part
        self.key = key
        self.number = number
    }

    private var base: String { part.table.quotedName }
    private var viewName: String { "firn." + SQLText.name(part.className) }
    private var keyName: String { SQLText.name(key.name) }

    private func keyText(_ row: String) -> String { "(\(row).\(keyName))::text COLLATE \"C\"" }

    // MARK: Reading

    var view: String {
        let columns = part.properties.map { column, type, _ in
            let name = SQLText.name(column.name)
            var value = type.read("b.\(name)")
            // Texts are compared by their bytes; a key is found by the index of the table.
            if type.tag == .string, type.container == .single, column.number != key.number {
                value = "(\(value)) COLLATE \"C\""
            }
            return "\(value) AS \(name)"
        }
        func stamp(_ column: String) -> String {
            "(SELECT s.\(column) FROM firn.stamp s WHERE s.class = \(number) AND s.pk = \(keyText("b")))"
        }
        return """
            DROP VIEW IF EXISTS \(viewName);
            CREATE VIEW \(viewName) WITH (security_invoker = true) AS SELECT
                \(columns.joined(separator: ",\n    ")),
                coalesce(\(stamp("hlc")), '{}') AS _hlc,
                coalesce(\(stamp("row_hlc")), 0) AS _row_hlc, b.xmin AS xmin
                FROM \(base) b;
            GRANT SELECT, INSERT, UPDATE, DELETE ON \(viewName) TO PUBLIC;

            """
    }

    // MARK: Writing

    private var written: [(column: SourceTable.Column, type: SourceType, target: String?)] {
        part.properties.filter { !$0.column.isGenerated }
    }

    private var advance: String {
        guard ["smallint", "integer", "bigint"].contains(key.type) else { return "" }
        return "PERFORM firn.advance(\(number)::smallint, NEW.\(keyName)::bigint);"
    }

    /// The function that implements the view.
    ///
    /// A row that another client has created meanwhile is left out, as by ON CONFLICT DO NOTHING. Columns
    /// that did not change keep the exact form that the program gave them.
    var writing: String {
        let names = written.map { SQLText.name($0.column.name) }
        let values = written.map { $0.type.write("NEW.\(SQLText.name($0.column.name))") }
        let assignments = written.filter { $0.column.number != key.number }.map { column, type, _ in
            let name = SQLText.name(column.name)
            return "\(name) = CASE WHEN NEW.\(name) IS DISTINCT FROM OLD.\(name) THEN "
                + "\(type.write("NEW.\(name)")) ELSE b.\(name) END"
        }
        let update =
            assignments.isEmpty
            ? ""
            : "UPDATE \(base) b SET \(assignments.joined(separator: ", ")) "
                + "WHERE b.\(keyName) = OLD.\(keyName); IF NOT FOUND THEN RETURN NULL; END IF;"
        let body = """
            BEGIN
            IF TG_OP = 'DELETE' THEN
                DELETE FROM \(base) b WHERE b.\(keyName) = OLD.\(keyName);
                IF NOT FOUND THEN RETURN NULL; END IF;
                RETURN OLD;
            ELSIF TG_OP = 'INSERT' THEN
                BEGIN
                    INSERT INTO \(base) (\(names.joined(separator: ", "))) OVERRIDING SYSTEM VALUE
                        VALUES (\(values.joined(separator: ", ")));
                    IF NOT FOUND THEN RETURN NULL; END IF;
                EXCEPTION WHEN unique_violation THEN
                    IF EXISTS (SELECT FROM \(base) b WHERE b.\(keyName) = NEW.\(keyName)) THEN
                        RETURN NULL;
                    END IF;
                    RAISE;
                END;
                \(advance)
            ELSE
                \(update)
            END IF;
            PERFORM firn.stamp(\(number)::smallint, \(keyText("NEW")), NEW._row_hlc, NEW._hlc);
            RETURN NEW;
            END
            """
        let function = "firn." + SQLText.name("\(part.className) put")
        return """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql
                SET search_path = pg_catalog, pg_temp AS \(SQLText.literal(body));
            CREATE TRIGGER firn_put INSTEAD OF INSERT OR UPDATE OR DELETE ON \(viewName)
                FOR EACH ROW EXECUTE FUNCTION \(function)();

            """
    }

    // MARK: Recording

    var recording: String {
        let rows = AdoptedRows(serverName: part.className, table: base, keyText: keyText)
        let insertion = """
            IF \(ServerScript.isForeign) THEN
                INSERT INTO firn.stamp (class, pk, row_hlc, hlc)
                    SELECT own, \(keyText("n")), \(ServerScript.serverTime), '{}' FROM new_rows n
                    ON CONFLICT (class, pk) DO UPDATE SET row_hlc = excluded.row_hlc, hlc = '{}';
            END IF;
            """
        let update = """
            IF \(ServerScript.isForeign) THEN
                INSERT INTO firn.stamp (class, pk, row_hlc, hlc)
                    SELECT own, \(keyText("n")), 0, \(changedTimes)
                    FROM new_rows n JOIN old_rows o ON n.\(keyName) = o.\(keyName)
                    ON CONFLICT (class, pk) DO UPDATE SET hlc = firn.stamp.hlc || excluded.hlc;
            END IF;
            """
        let deletion =
            "DELETE FROM firn.stamp s USING old_rows o WHERE s.class = own AND s.pk = \(keyText("o"));"
        return ServerScript.inserted(rows, stamps: insertion)
            + ServerScript.updated(rows, stamps: update)
            + ServerScript.deleted(rows, stamps: deletion)
            + ServerScript.truncated(rows, stamps: "DELETE FROM firn.stamp s WHERE s.class = own;")
            + AdoptedTable.triggerNames.map {
                "ALTER TABLE \(base) ENABLE ALWAYS TRIGGER \($0);\n"
            }.joined()
    }

    static let triggerNames = ServerScript.names.filter { $0 != "firn_stamped" }

    /// The times of the columns that an update has changed, as JSON.
    private var changedTimes: String {
        let pairs = part.properties.map { column, type, _ in
            let name = SQLText.name(column.name)
            // The type json has no equality.
            let (new, old) =
                type.tag == .any
                ? ("n.\(name)::text", "o.\(name)::text")
                : ("n.\(name)", "o.\(name)")
            return "\(SQLText.literal(column.name)), CASE WHEN \(new) IS DISTINCT FROM \(old) THEN "
                + "\(ServerScript.serverTime) END"
        }
        // A function has at most 100 arguments.
        let parts = stride(from: 0, to: pairs.count, by: 40).map { start in
            "jsonb_strip_nulls(jsonb_build_object("
                + pairs[start..<min(start + 40, pairs.count)].joined(separator: ", ") + "))"
        }
        return parts.joined(separator: " || ")
    }

    var registration: String {
        let names = ArrayText.text(part.table.columns.map(\.name))
        return """
            UPDATE firn.class SET relation = \(SQLText.literal(viewName)),
                base = \(SQLText.literal(base)), key = \(SQLText.literal(key.name)),
                columns = \(SQLText.literal(names)) WHERE number = \(number);

            """
    }
}

/// The rows of an adopted table, as its triggers see them.
struct AdoptedRows: RecordedRows {
    let serverName: String
    let table: String
    let keyText: (String) -> String

    func keyText(ofRow row: String) -> String { keyText(row) }
}
