import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// A database of an ordinary application, of which files replicate parts while it goes on.
@Suite("Tables of other programs", .serialized, .timeLimit(.minutes(5)))
struct AdoptionTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("shop")
        server = try PostgresConnection(address)
        try server.execute(Self.application)
    }

    /// Twenty tables as applications have them, with their keys, types, triggers and rules.
    private static let application = #"""
        CREATE TYPE status AS ENUM ('new', 'paid', 'sent');
        CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
        CREATE TABLE country (code char(2) PRIMARY KEY, name varchar(60) NOT NULL);
        CREATE TABLE city (id serial PRIMARY KEY, name text NOT NULL, country char(2) REFERENCES country);
        CREATE TABLE customer (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(40) NOT NULL,
            mail email, city integer REFERENCES city, active boolean NOT NULL DEFAULT true,
            credit numeric(10, 2), tags text[], settings jsonb, created timestamp NOT NULL DEFAULT now(),
            born date, updated timestamptz);
        CREATE TABLE orders (
            id bigserial PRIMARY KEY, customer integer NOT NULL REFERENCES customer,
            state status NOT NULL DEFAULT 'new', placed timestamptz NOT NULL DEFAULT now(),
            total numeric NOT NULL CHECK (total >= 0), note text);
        CREATE TABLE order_items (
            id uuid PRIMARY KEY, "order" bigint NOT NULL REFERENCES orders ON DELETE CASCADE,
            article integer NOT NULL, count smallint NOT NULL, price real NOT NULL,
            amount double precision GENERATED ALWAYS AS (count * price) STORED);
        CREATE TABLE article (id integer PRIMARY KEY, title text NOT NULL, picture bytea, weight interval);
        CREATE TABLE stock (article integer, place text, count integer, PRIMARY KEY (article, place));
        CREATE TABLE log (at timestamptz, text text);
        CREATE TABLE measurement (id bigint, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
        CREATE TABLE measurement_2026 PARTITION OF measurement
            FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
        CREATE TABLE price (amount numeric PRIMARY KEY);
        CREATE VIEW active_customer AS SELECT * FROM customer WHERE active;
        CREATE TABLE category (id integer PRIMARY KEY, parent integer REFERENCES category, name text);
        CREATE TABLE article_category (
            id serial PRIMARY KEY, article integer REFERENCES article, category integer REFERENCES category,
            UNIQUE (article, category));
        CREATE TABLE staff (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text, address inet);
        CREATE TABLE setting (name text PRIMARY KEY, value json);
        CREATE TABLE invoice (number varchar(20) PRIMARY KEY, "order" bigint REFERENCES orders, paid date);
        CREATE TABLE payment (id integer PRIMARY KEY, invoice varchar(20) REFERENCES invoice, cents bigint);
        CREATE TABLE review (id integer PRIMARY KEY, article integer REFERENCES article, stars smallint);
        CREATE TABLE wide (id integer PRIMARY KEY, "select" text, "a$$b" text, "q""x" text);
        CREATE SCHEMA sales; CREATE TABLE sales.region (id integer PRIMARY KEY, name text);
        CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.updated := now(); RETURN NEW; END $$;
        CREATE TRIGGER touch BEFORE UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION touch();
        CREATE INDEX ON customer (lower(name)); CREATE INDEX ON customer (born) WHERE active;
        CREATE UNIQUE INDEX ON customer (name, created); CREATE INDEX ON orders (state);
        CREATE INDEX ON orders (customer, placed);
        INSERT INTO country VALUES ('NO', 'Norway'), ('IT', 'Italy');
        INSERT INTO city (name, country) VALUES ('Oslo', 'NO'), ('Rome', 'IT');
        INSERT INTO customer (name, mail, city, credit, tags, settings, born)
            VALUES ('Ada', 'ada@x.org', 1, 12.50, '{a,b}', '{"theme": "dark", "sizes": [1, 2.5, null]}',
                '1990-05-17'), ('Bob', NULL, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO orders (customer, total) VALUES (1, 10), (2, 20.5);
        """#

    private static let adopted = ["customer", "city", "country", "orders=Order", "order_items"]

    private func client(_ name: String, _ queries: [String]) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"), [])
        let plan = try adopt(Self.adopted, for: client)
        #expect(plan.refused.isEmpty)
        try client.attach(address, queries)
        return client
    }

    private func adopt(_ patterns: [String], for client: SyncClient) throws -> AdoptionPlan {
        let plan = try Upstream.adopt(patterns, at: address)
        try plan.addClasses(to: client.database)
        return plan
    }

    private func one(_ sql: String) throws -> String? { try server.query(sql)[0, 0] }

    // MARK: Plans

    @Test("An index of whole columns becomes an index, which is not unique in the file")
    func indexes() throws {
        let client = try client("indexes", [])
        let schema = try client.database.snapshot().schema
        func names(_ name: String) throws -> [String] {
            let owner = try #require(schema.classNamed(name))
            #expect(owner.indexes.allSatisfy { !$0.isUnique })
            return owner.indexes.map { owner.name(of: $0) }.sorted()
        }
        #expect(try names("Customer") == ["Customer(name, created)"])
        #expect(try names("Order") == ["Order(customer, placed)", "Order.state"])
        #expect(try names("City").isEmpty)
    }

    @Test("The plan names the class of each table, and says why other tables cannot be adopted")
    func plan() throws {
        let plan = try Upstream.adoptionPlan(of: ["*", "sales.*"], at: address)
        let lines = plan.lines
        #expect(lines.contains("customer -> Customer"))
        #expect(lines.contains("order_items -> OrderItems"))
        #expect(lines.contains("sales.region -> Region"))
        #expect(lines.contains("  id  integer  Int32  key"))
        #expect(lines.contains("  city  integer  City?"))
        #expect(lines.contains("  settings  jsonb  Any"))
        #expect(lines.contains("  tags  text[]  List<String?>"))
        #expect(
            lines.contains { $0.hasPrefix("  amount") && $0.hasSuffix("the server computes it") })
        #expect(
            plan.refused.map { "\($0.detail); \($0.remedy ?? "")" }.sorted() == [
                "log cannot be adopted: it has no primary key; run: ALTER TABLE \"public\".\"log\" ADD "
                    + "PRIMARY KEY (...)",
                "measurement cannot be adopted: it is partitioned, and changes of its partitions are not "
                    + "seen; adopt a table without partitions",
                "measurement_2026 cannot be adopted: it is partitioned, and changes of its partitions "
                    + "are not seen; adopt a table without partitions",
                "price cannot be adopted: its key amount is numeric; a key is an integer, a text or a "
                    + "uuid: give the table such a key",
                "stock cannot be adopted: its key has several columns: article, place; give it a key of "
                    + "one column, and keep these UNIQUE",
            ])
        let view = try Upstream.adoptionPlan(of: ["active_customer"], at: address)
        #expect(view.refused.first?.detail.contains("it is a view") == true)
        let error = #expect(throws: UpstreamError.self) {
            try Upstream.adoptionPlan(of: ["customers"], at: address)
        }
        #expect(error?.detail == "the server has no table customers")
    }

    @Test("All adoptable tables of the database are adopted, and keep their content")
    func everything() throws {
        let a = try SyncClient(folder("a.firn"), [])
        let plan = try adopt(["*"], for: a)
        #expect(plan.parts.count == 14)
        try a.attach(address, plan.parts.map(\.className))
        _ = try a.upstream.synchronize()
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
        #expect(try a.keys("Customer") == ["1", "2"])
        // Adopting again changes nothing.
        _ = try adopt(["*"], for: a)
        _ = try a.upstream.synchronize()
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    // MARK: Data

    @Test("A file gets the rows with their values and links")
    func reading() throws {
        let a = try client("a", ["Customer", "City", "Country", "Order"])
        let skipped = try a.upstream.synchronize().skipped
        #expect(skipped == [])
        func value(_ name: String, of key: Int64 = 1) throws -> Value? {
            try a.value("Customer", .int(key), name)
        }
        #expect(try value("name") == .string("Ada"))
        #expect(try value("credit") == .decimal128(try present(Decimal128("12.50"))))
        #expect(try value("tags") == .list([.string("a"), .string("b")]))
        #expect(
            try value("settings")
                == .map([
                    "theme": .string("dark"),
                    "sizes": .list([.int(1), .double(2.5), .null]),
                ]))
        #expect(try value("born") == .date(try present(Timestamp("1990-05-17T00:00:00Z"))))
        #expect(try value("city") == a.link("City", .int(1)))
        #expect(try value("mail", of: 2) == .null)
        #expect(try value("tags", of: 2) == .list([]))
        #expect(try a.value("Order", .int(2), "customer") == a.link("Customer", .int(2)))
        #expect(try a.value("Order", .int(2), "state") == .string("new"))
        #expect(try a.keys("Country") == ["IT", "NO"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("The application continues to work, and its changes arrive")
    func application() throws {
        let a = try client("a", ["Customer active == true", "Order"])
        _ = try a.upstream.synchronize()
        // Without names of columns, as before.
        try server.execute(
            """
            INSERT INTO country VALUES ('DE', 'Germany');
            INSERT INTO customer (name) VALUES ('Cy');
            UPDATE customer SET name = 'Ada L.' WHERE id = 1;
            UPDATE customer SET active = false WHERE id = 2;
            DELETE FROM orders WHERE id = 1;
            ALTER TABLE customer ADD COLUMN phone text;
            CREATE INDEX ON customer (name);
            UPDATE customer SET phone = '1'
            """)
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Customer") == ["1", "3"])
        #expect(try a.value("Customer", .int(1), "name") == .string("Ada L."))
        #expect(try a.keys("Order") == ["2"])
        try server.execute("TRUNCATE orders CASCADE")
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Order") == [])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
        let columns = try server.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'customer'::regclass AND attnum > 0")
        #expect(columns.count == 12, "the table has its own columns only")
    }

    @Test(
        "Changes from a file reach the table, and the triggers and rules of the application apply")
    func writing() throws {
        let a = try client("a", ["Customer", "City", "Order"])
        let b = try client("b", ["Customer"])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try a.put(
            "Customer", ["id": .int(1), "name": .string("Ada K."), "tags": .list([.string("c")])])
        try a.put(
            "Customer",
            [
                "id": .int(50), "name": .string("Eve"), "active": .bool(true),
                "settings": .map(["k": .list([.bool(true), .string("x")])]),
                "born": .date(Timestamp(seconds: 86_400)), "created": .date(Timestamp(seconds: 5)),
                "city": try a.link("City", .int(2)),
            ])
        try a.put("Order", ["id": .int(2), "state": .string("paid")])
        #expect(try a.upstream.synchronize().refused == [])
        #expect(try one("SELECT name FROM customer WHERE id = 1") == "Ada K.")
        #expect(try one("SELECT tags FROM customer WHERE id = 1") == "{c}")
        #expect(try one("SELECT updated IS NOT NULL FROM customer WHERE id = 1") == "t")
        #expect(
            try one("SELECT settings FROM customer WHERE id = 1")
                == #"{"sizes": [1, 2.5, null], "theme": "dark"}"#)
        #expect(try one("SELECT settings FROM customer WHERE id = 50") == #"{"k": [true, "x"]}"#)
        #expect(try one("SELECT born FROM customer WHERE id = 50") == "1970-01-02")
        #expect(try one("SELECT city FROM customer WHERE id = 50") == "2")
        #expect(try one("SELECT state FROM orders WHERE id = 2") == "paid")
        // The application's next row gets a key that is free.
        #expect(try one("INSERT INTO customer (name) VALUES ('Zoe') RETURNING id") == "51")
        try server.execute("DELETE FROM customer WHERE id = 51")
        // Each refusal of the application is one of the file.
        for (key, fields) in [
            (60, ["name": Value.string(String(repeating: "x", count: 41))]),
            (61, ["name": .string("F"), "mail": .string("none")]),
        ] as [(Int64, TextMap<Value>)] {
            var fields = fields
            fields["id"] = .int(key)
            fields["active"] = .bool(true)
            fields["created"] = .date(Timestamp(seconds: 0))
            try a.put("Customer", fields)
        }
        try a.put("Order", ["id": .int(2), "state": .string("lost")])
        try a.put("Order", ["id": .int(1), "total": .decimal128(try present(Decimal128("-1")))])
        try a.delete("Customer", .int(1))
        let report = try a.upstream.synchronize()
        #expect(report.refused.count == 5, "\(report.refused)")
        try a.delete("Customer", .int(50))
        _ = try a.upstream.synchronize()
        for client in [a, b] {
            _ = try client.upstream.synchronize()
            #expect(try client.keys("Customer") == ["1", "2"])
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
    }

    @Test("Of two changes to a column, the later one wins, even against the application")
    func conflicts() throws {
        let (a, b) = (try client("a", ["Customer"]), try client("b", ["Customer"]))
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try a.put("Customer", ["id": .int(1), "name": .string("early")])
        try b.put("Customer", ["id": .int(1), "mail": .string("b@x")])
        try server.execute("UPDATE customer SET name = 'late' WHERE id = 1")
        for client in [a, b, a] { _ = try client.upstream.synchronize() }
        #expect(try one("SELECT name || mail FROM customer WHERE id = 1") == "lateb@x")
        try a.put("Customer", ["id": .int(1), "name": .string("latest")])
        _ = try a.upstream.synchronize()
        #expect(try one("SELECT name FROM customer WHERE id = 1") == "latest")
        // Deletion wins, and the key is free again.
        try b.put("Customer", ["id": .int(2), "name": .string("gone")])
        try server.execute("DELETE FROM orders; DELETE FROM customer WHERE id = 2")
        for client in [b, a] {
            _ = try client.upstream.synchronize()
            #expect(try client.keys("Customer") == ["1"])
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
    }

    @Test("A user sees and changes only what the policies of the table allow")
    func policies() throws {
        let a = try client("a", ["Customer"])
        _ = try a.upstream.synchronize()
        try server.execute(
            """
            DO $$ BEGIN CREATE ROLE firn_clerk LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            GRANT USAGE ON SCHEMA firn TO firn_clerk;
            GRANT SELECT, INSERT, UPDATE, DELETE ON customer TO firn_clerk;
            ALTER TABLE customer ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON customer USING (name <> 'Ada')
            """)
        let c = try SyncClient(folder("c.firn"), [])
        _ = try adopt(Self.adopted, for: c)
        try c.attach(address.replacing("user=firn", with: "user=firn_clerk"), ["Customer"])
        _ = try c.upstream.synchronize()
        #expect(try c.keys("Customer") == ["2"])
        try c.put("Customer", ["id": .int(2), "name": .string("Ada")])
        #expect(try c.upstream.synchronize().refused.count == 1)
        try c.put("Customer", ["id": .int(2), "name": .string("Bo")])
        #expect(try c.upstream.synchronize().refused == [])
        #expect(try one("SELECT name FROM customer WHERE id = 2") == "Bo")
    }

    @Test("A column that the application renames or drops is an error until it is adopted again")
    func migration() throws {
        let a = try client("a", ["Customer"])
        _ = try a.upstream.synchronize()
        try server.execute("ALTER TABLE customer RENAME COLUMN mail TO email")
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail.contains("has changed since it was adopted") == true)
        #expect(error?.remedy == "run: firn sync init FILE URL --adopt 'customer=Customer'")
        _ = try adopt(["customer"], for: a)
        let missing = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(missing?.detail == "the server has no column for Customer.mail")
        try a.writeChecked { transaction in
            let type = try present(transaction.schema.classNamed("Customer"))
            try transaction.removeProperty(try present(type.propertyNamed("mail")).id, of: type.id)
        }
        _ = try a.upstream.synchronize()
        #expect(try a.value("Customer", .int(1), "email") == .string("ada@x.org"))
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A table that was dropped and recreated can be adopted again")
    func dropped() throws {
        let a = try client("a", ["Customer"])
        _ = try a.upstream.synchronize()
        try server.execute("DROP TABLE customer CASCADE")
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail == "the table that is the class Customer was dropped on the server")
        #expect(try a.keys("Customer") == ["1", "2"])
        try server.execute(
            "CREATE TABLE public.customer (id integer PRIMARY KEY, name varchar(40) NOT NULL); "
                + "INSERT INTO public.customer VALUES (7, 'New')")
        _ = try adopt(["customer"], for: a)
        let reset = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(reset?.code == .resetNeeded)
    }
}
