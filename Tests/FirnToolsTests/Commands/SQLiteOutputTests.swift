import FirnPlatform
import FirnTesting
import FirnTools
import Testing

/// Databases of SQLite that export and query write, read by the real program.
@Suite("Databases of SQLite as output")
struct SQLiteOutputTests {
    private let harness = CommandHarness()

    private func sqlite(_ path: String, _ statements: String) throws -> String {
        let run = try CommandRunner("/usr/bin/sqlite3").run([path], input: Array(statements.utf8))
        try #require(run.status == 0, "\(run)")
        return String(decoding: run.output, as: UTF8.self)
    }

    /// Makes a database with properties of every type, links, collections, embedded objects, a
    /// class without a key, and an inverse.
    private func makeShop() throws -> String {
        let file = harness.folder("shop.firn")
        let schema = """
            {"$schema":{"v":1,"classes":[
            {"name":"Part","embedded":true,"properties":[
            {"name":"w","type":"Int"},{"name":"tags","type":"List<String?>"}]},
            {"name":"Maker","key":"code","properties":[{"name":"code","type":"String"},
            {"name":"items","type":"LinkingObjects<Item>","origin":"maker"}]},
            {"name":"Note","properties":[{"name":"text","type":"String","optional":true},
            {"name":"next","type":"Note"}]},
            {"name":"Item","key":"id","properties":[
            {"name":"id","type":"Int"},{"name":"small","type":"Int8","optional":true},
            {"name":"real","type":"Double","optional":true,"decimalPlaces":2},
            {"name":"single","type":"Float","optional":true},
            {"name":"flag","type":"Bool","optional":true},
            {"name":"text","type":"String","optional":true,"indexed":true},
            {"name":"data","type":"Data","optional":true},
            {"name":"uuid","type":"UUID","optional":true},
            {"name":"oid","type":"ObjectId","optional":true},
            {"name":"price","type":"Decimal128","optional":true},
            {"name":"odd","type":"Decimal128","optional":true},
            {"name":"day","type":"Date","optional":true,"dateOnly":true},
            {"name":"time","type":"Date","optional":true},
            {"name":"any","type":"Any"},{"name":"numbers","type":"List<Int?>"},
            {"name":"words","type":"Set<String>"},{"name":"scores","type":"Map<Double?>"},
            {"name":"part","type":"Part"},{"name":"parts","type":"List<Part>"},
            {"name":"maker","type":"Maker"},{"name":"makers","type":"List<Maker>"},
            {"name":"note","type":"Note"}]}]}}

            """
        let objects = """
            {"$class":"Maker","code":"acme"}
            {"$class":"Maker","code":"Ærø"}
            {"$class":"Note","$id":2,"text":"second","next":5}
            {"$class":"Note","$id":5,"text":null,"next":2}
            {"$class":"Item","id":9,"small":-128,"real":0.1,"single":-1.5,"flag":true,\
            "text":"a\\"b\\u0000c","data":"AAEC",\
            "uuid":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","oid":"507111771111861799439011",\
            "price":"1.10","odd":"NaN","day":"1969-12-31","time":"2024-02-29T12:00:00.000000001Z",\
            "any":{"a":[1,"x",null]},"numbers":[1,null,3],"words":["b","a"],\
            "scores":{"x":1.5,"y":null},"part":{"w":1,"tags":["p",null]},\
            "parts":[{"w":2,"tags":[]},{"w":3,"tags":["q"]}],"maker":"acme",\
            "makers":["Ærø","acme"],"note":5}
            {"$class":"Item","id":2,"numbers":[],"words":[],"scores":{},"parts":[],"makers":[]}
            {"$class":"Item","id":3,"small":127,"real":"-Infinity","single":0.1,"flag":false,\
            "text":"","data":"","price":"-12345.670","odd":"1E+20","day":"2024-01-01",\
            "time":"1890-01-01T00:00:00Z","any":7.0,"numbers":[-9223372036854775808],\
            "words":["東京"],"scores":{"z":0},"parts":[],"makers":[]}

            """
        let run = harness.run(
            ["create", file, "--from", "-", "-q"],
            input: schema.split(separator: "\n").joined() + "\n" + objects)
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test("Every type, link and collection is read back, and the export is identical byte for byte")
    func roundTrip() throws {
        let file = try makeShop()
        let database = harness.folder("shop.sqlite")
        let written = harness.run(["export", file, database])
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.errors == "", "nothing is lost: \(written.errors)")
        #expect(try sqlite(database, "PRAGMA integrity_check; PRAGMA foreign_key_check;") == "ok\n")
        let copy = harness.folder("copy.firn")
        let made = harness.run(["create", copy, "--from", database, "-q"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(harness.run(["export", copy]).output == harness.run(["export", file]).output)
        #expect(harness.run(["check", copy, "--deep", "-q"]).status == 0)
        #expect(harness.run(["diff", file, copy, "-q"]).status == 0)
    }

    @Test("Tables have keys, foreign keys, indexes and the types that people expect")
    func tables() throws {
        let database = harness.folder("shop.db")
        #expect(harness.run(["export", try makeShop(), database, "-q"]).status == 0)
        let maker = try sqlite(database, ".schema Maker")
        #expect(maker.contains("\"code\" TEXT PRIMARY KEY NOT NULL"), "\(maker)")
        let note = try sqlite(database, ".schema Note")
        #expect(note.contains("\"$id\" INTEGER PRIMARY KEY NOT NULL"), "\(note)")
        #expect(note.contains("\"next\" INTEGER REFERENCES \"Note\"(\"$id\")"), "\(note)")
        let item = try sqlite(database, ".schema Item")
        for column in [
            // The keys do not ascend, so they do not number the rows.
            "\"id\" INT PRIMARY KEY NOT NULL", "\"small\" INTEGER", "\"real\" REAL",
            "\"flag\" BOOLEAN", "\"text\" TEXT", "\"data\" BLOB", "\"uuid\" TEXT", "\"oid\" TEXT",
            "\"price\" TEXT", "\"day\" DATE", "\"time\" DATETIME", "\"numbers\" TEXT",
            "\"maker\" TEXT REFERENCES \"Maker\"(\"code\")",
            "\"note\" INTEGER REFERENCES \"Note\"(\"$id\")",
            "CREATE INDEX \"Item_text\" ON \"Item\"(\"text\")",
            "CREATE INDEX \"Item_maker\" ON \"Item\"(\"maker\")",
        ] {
            #expect(item.contains(column), "\(column): \(item)")
        }
        #expect(
            try sqlite(
                database,
                """
                SELECT i.id, m.code, date(i.day), json_extract(i.any, '$.a[1]'), hex(i.data),
                    i.single, i.flag
                FROM Item i JOIN Maker m ON i.maker = m.code;
                SELECT value FROM Item, json_each(words) ORDER BY value;
                SELECT typeof(real), real FROM Item WHERE id = 3;
                """) == "9|acme|1969-12-31|x|000102|-1.5|1\na\nb\n東京\nreal|-Inf\n")
    }

    @Test("A single class has the keys of its links, and an ascending key numbers the rows")
    func oneClass() throws {
        let file = try harness.makePeople()
        let database = harness.folder("people.sqlite3")
        #expect(harness.run(["export", file, database, "-c", "Person", "-q"]).status == 0)
        #expect(
            try sqlite(database, ".schema Person").contains("\"id\" INTEGER PRIMARY KEY NOT NULL"))
        let shop = try makeShop()
        let items = harness.folder("items.sqlite")
        #expect(harness.run(["export", shop, items, "-c", "Item", "-q"]).status == 0)
        let schema = try sqlite(items, ".schema Item")
        #expect(!schema.contains("REFERENCES"), "\(schema)")
        let copy = harness.folder("items.firn")
        #expect(harness.run(["create", copy, "--from", items, "-q"]).status == 0)
        #expect(
            harness.run(["export", copy, "-c", "Item", "--data-only"]).output
                == harness.run(["export", shop, "-c", "Item", "--data-only"]).output)
    }

    @Test("A query becomes a table, and several statements become several tables")
    func query() throws {
        let file = try harness.makePeople()
        let database = harness.folder("q.sqlite")
        let run = harness.run(
            ["query", file, "-", "-o", database],
            input: "Person age > 40 | select(name, age)\n;\nPerson | group(city; @count AS n)\n")
        #expect(run.status == 0, "\(run.errors)")
        let names = try sqlite(database, "SELECT name FROM sqlite_schema ORDER BY rowid;")
        #expect(names == "Person\nPerson_2\n")
        #expect(try sqlite(database, "SELECT * FROM Person;") == "Bo|41\nAl|52\n")
        #expect(try sqlite(database, "SELECT sum(n) FROM Person_2;") == "3\n")
    }

    @Test("A value that SQLite cannot store is reported")
    func losses() throws {
        let file = harness.folder("n.firn")
        let made = harness.run(
            ["create", file, "--from", "N=-", "-q"], input: "x,y\n1.5,1\nNaN,-0.0\n,NaN\n")
        try #require(made.status == 0, "\(made.errors)")
        let database = harness.folder("n.sqlite")
        let run = harness.run(["export", file, database])
        #expect(run.status == 0)
        #expect(
            run.errors == """
                N.x: 1 NaN became NULL, because SQLite has no NaN
                N.y: 1 NaN became NULL, because SQLite has no NaN
                N.y: 1 -0.0 became 0.0, because SQLite has one zero

                """, "\(run.errors)")
        #expect(try sqlite(database, "SELECT count(*), count(x) FROM N;") == "3|1\n")
    }

    @Test("SQLite output is a file, never a stream, and replaces a file only on request")
    func refusals() throws {
        let file = try harness.makePeople()
        let stream = harness.run(["export", file, "-f", "sqlite"])
        #expect(
            stream.status == 64 && stream.errors.contains("cannot be written to a stream"),
            "\(stream)")
        let piped = harness.run(["query", file, "Person", "-f", "sqlite"])
        #expect(
            piped.status == 64 && piped.errors.contains("cannot be written to a stream"), "\(piped)"
        )
        let zipped = harness.run(["export", file, harness.folder("a.sqlite.gz")])
        #expect(zipped.status == 64, "\(zipped)")
        #expect(zipped.errors.contains("cannot be compressed"), "\(zipped.errors)")
        let database = harness.folder("p.sqlite")
        #expect(harness.run(["export", file, database, "-q"]).status == 0)
        #expect(harness.run(["export", file, database, "-q"]).status == 73)
        #expect(harness.run(["export", file, database, "-q", "--force"]).status == 0)
        #expect(!harness.folder.names.contains { $0.hasSuffix(".tmp") })
    }

    @Test("Names that SQL does not distinguish, and optional keys, are read back unchanged")
    func oddNames() throws {
        let file = harness.folder("odd.firn")
        let schema = """
            {"$schema":{"v":1,"classes":[
            {"name":"sqlite_x","key":"K","properties":[{"name":"K","type":"Int","optional":true},
            {"name":"k","type":"String","optional":true},
            {"name":"a\\"b","type":"String","optional":true}]},
            {"name":"Zug","properties":[{"name":"oid","type":"String","optional":true},
            {"name":"_rowid_","type":"Int","optional":true},
            {"name":"rowid","type":"String","optional":true},{"name":"to","type":"sqlite_x"},
            {"name":"all","type":"List<sqlite_x>"}]},
            {"name":"zug","key":"u","properties":[{"name":"u","type":"UUID"},
            {"name":"z","type":"Zug"}]},
            {"name":"Empty","properties":[{"name":"z","type":"Zug"}]}]}}

            """
        let made = harness.run(
            ["create", file, "--from", "-", "-q"],
            input: schema.split(separator: "\n").joined() + "\n" + """
                {"$class":"sqlite_x","K":null,"k":"x","a\\"b":"q"}
                {"$class":"sqlite_x","K":7}
                {"$class":"Zug","$id":3,"oid":"o","_rowid_":1,"rowid":"s",\
                "to":{"$ref":"sqlite_x","id":null},"all":[7]}
                {"$class":"Zug","$id":9,"to":7}
                {"$class":"zug","u":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","z":9}

                """)
        try #require(made.status == 0, "\(made.errors)")
        let database = harness.folder("odd.sqlite")
        #expect(harness.run(["export", file, database, "-q"]).status == 0)
        let names = try sqlite(
            database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid;")
        #expect(names == "_sqlite_x\nZug\nzug_2\nEmpty\nfirn_schema\n")
        let empty = try sqlite(database, ".schema Empty")
        #expect(empty.contains("\"z\" INTEGER REFERENCES \"Zug\"(\"$id\")"), "\(empty)")
        let copy = harness.folder("copy.firn")
        let run = harness.run(["create", copy, "--from", database, "-q"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["export", copy]).output == harness.run(["export", file]).output)
    }

    @Test(
        "Objects without a key keep their numbers, in bulk or one by one",
        arguments: ["", "Row name == \"n7\" | delete", "Row name == \"n0\" | delete"])
    func numbers(change: String) throws {
        let file = harness.folder("rows.firn")
        let lines = (0..<2_500).map {
            "\($0 % 3 == 0 ? "" : "\($0).5"),n\($0),2013-01-\($0 % 9 + 10),\($0 % 2 == 0)"
        }
        let made = harness.run(
            ["create", file, "--from", "Row=-", "-q"],
            input: "x,name,day,flag\n" + lines.joined(separator: "\n") + "\n")
        try #require(made.status == 0, "\(made.errors)")
        if !change.isEmpty {
            #expect(harness.run(["write", file, "-x", change, "-q"]).status == 0)
        }
        let database = harness.folder("rows.sqlite")
        #expect(harness.run(["export", file, database, "-q"]).status == 0)
        let copy = harness.folder("copy.firn")
        let run = harness.run(["create", copy, "--from", database, "-q"])
        #expect(run.status == 0, "\(run.errors)")
        let export = ["-f", "ndjson", "--with-schema"]
        #expect(
            harness.run(["export", copy] + export).output
                == harness.run(["export", file] + export).output)
    }

    @Test("Tables that were changed since the export lose their types, and wrong values are found")
    func changed() throws {
        let file = try makeShop()
        let database = harness.folder("shop.sqlite")
        #expect(harness.run(["export", file, database, "-q"]).status == 0)
        _ = try sqlite(database, "UPDATE Item SET small = 300 WHERE id = 2;")
        let copy = harness.folder("copy.firn")
        let wide = harness.run(["create", copy, "--from", database])
        #expect(wide.status == 65, "\(wide.errors)")
        #expect(wide.errors.contains("shop.sqlite:2, small"), "\(wide.errors)")
        #expect(wide.errors.contains("in the table Item"), "\(wide.errors)")
        _ = try sqlite(database, "UPDATE Item SET small = 1, numbers = 'none' WHERE id = 2;")
        let text = harness.run(["create", copy, "--from", database])
        #expect(text.status == 65, "\(text.errors)")
        #expect(text.errors.contains("text that is not one JSON value, in row 2"), "\(text.errors)")
        _ = try sqlite(database, "ALTER TABLE Item ADD COLUMN more TEXT;")
        let made = harness.run(["create", copy, "--from", database])
        #expect(made.status == 0, "\(made.errors)")
        let schema = harness.run(["schema", copy, "-f", "text"]).output
        #expect(made.errors.contains("its tables differ from firn_schema"), "\(made.errors)")
        #expect(schema.contains("more") && !schema.contains("Int8"), "\(schema)")
    }
}
