import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Parquet and Arrow")
struct ColumnarTests {
    private let harness = CommandHarness()

    /// Values of every type that an import can infer, two embedded objects, and links.
    private func makeShop() throws -> String {
        let file = harness.folder("shop.firn")
        let schema = """
            {"$schema":{"v":1,"classes":[
            {"name":"Part","embedded":true,"properties":[
            {"name":"w","type":"Int"},{"name":"tags","type":"List<String?>"}]},
            {"name":"Maker","key":"code","properties":[{"name":"code","type":"String"}]},
            {"name":"Item","key":"id","properties":[
            {"name":"id","type":"Int"},{"name":"small","type":"Int8","optional":true},
            {"name":"real","type":"Double","optional":true},
            {"name":"single","type":"Float","optional":true},
            {"name":"text","type":"String","optional":true},
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
            {"name":"maker","type":"Maker"},{"name":"makers","type":"List<Maker>"}]}]}}

            """
        let objects = """
            {"$class":"Maker","code":"acme"}
            {"$class":"Maker","code":"Ærø"}
            {"$class":"Item","id":1,"small":-128,"real":0.1,"single":-1.5,"text":"a\\"b","data":"AAEC",\
            "uuid":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","oid":"507f1f77bcf86cd799439011",\
            "price":"1.10","odd":"NaN","day":"1969-12-31","time":"2024-02-29T12:00:00.000000001Z",\
            "any":{"a":[1,"x",null]},"numbers":[1,null,3],"words":["b","a"],\
            "scores":{"x":1.5,"y":null},"part":{"w":1,"tags":["p",null]},\
            "parts":[{"w":2,"tags":[]},{"w":3,"tags":["q"]}],"maker":"acme",\
            "makers":["Ærø","acme"]}
            {"$class":"Item","id":2,"numbers":[],"words":[],"scores":{},"parts":[],"makers":[]}
            {"$class":"Item","id":3,"small":127,"real":-1e300,"text":"","price":"-12345.67",\
            "odd":"1E+20","day":"2024-01-01","time":"1890-01-01T00:00:00Z","any":7,\
            "numbers":[-9223372036854775808],"words":["東京"],"scores":{"z":0},"parts":[],\
            "makers":[]}

            """
        let run = harness.run(
            ["create", file, "--from", "-", "-q"],
            input: schema.split(separator: "\n").joined() + "\n" + objects)
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test(
        "Every type is read back from a file, and links as the keys of their targets",
        arguments: ["items.parquet", "items.arrow", "items.arrows", "items.feather"])
    func roundTrip(name: String) throws {
        let file = try makeShop()
        let table = harness.folder(name)
        let written = harness.run(["export", file, table, "-c", "Item", "-q"])
        #expect(written.status == 0, "\(written.errors)")
        let copy = harness.folder("copy.firn")
        let made = harness.run(["create", copy, "--from", "Item=\(table)", "-q"])
        #expect(made.status == 0, "\(made.errors)")
        let query = ["-c", "Item", "-f", "ndjson"]
        #expect(
            harness.run(["export", copy] + query).output
                == harness.run(["export", file] + query).output)
        let schema = harness.run(["schema", copy, "-f", "json"]).output
        #expect(schema.contains("\"key\":\"id\""))
        for type in ["Int8", "Float", "UUID", "ObjectId", "Decimal128", "Set<String>"] {
            #expect(schema.contains("\"\(type)\""), "\(type) in \(schema)")
        }
        #expect(schema.contains("{\"name\":\"maker\",\"type\":\"String\",\"optional\":true}"))
        // A file of another program says nothing about the database.
        let bare = harness.run([
            "export", file, table, "-c", "Item", "-q", "--force", "--data-only",
        ])
        #expect(bare.status == 0, "\(bare.errors)")
        let asked = harness.run(["query", table, "numbers.@count == 3 | select(id, price, words)"])
        #expect(
            asked.output == "{\"id\":1,\"price\":\"1.10\",\"words\":[\"a\",\"b\"]}\n",
            "\(asked.errors)")
    }

    @Test("A file of many row groups is loaded into many row groups")
    func rowGroups() throws {
        let lines = (0..<200).map { "\($0),\($0 % 7 == 0 ? "" : "text \($0)"),\($0).5" }
        let csv = harness.folder("rows.csv")
        try Fixtures.write("id,text,real\n" + lines.joined(separator: "\n") + "\n", to: csv)
        let table = harness.folder("rows.parquet")
        let written = harness.run(["query", csv, "Rows", "-o", table, "-q"])
        #expect(written.status == 0, "\(written.errors)")
        for rowsPerGroup in [1, 16, 64, 199, 200] {
            var harness = harness
            harness.rowsPerGroup = rowsPerGroup
            let file = harness.folder("rows-\(rowsPerGroup).firn")
            let made = harness.run(["create", file, "--from", table, "--key", "id", "-q"])
            #expect(made.status == 0, "\(made.errors)")
            #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
            #expect(
                harness.run(["export", file, "-f", "csv"]).output
                    == harness.run(["query", csv, "Rows", "-f", "csv"]).output)
        }
    }

    @Test("A query is written with its types, and read from a pipe")
    func query() throws {
        let file = try makeShop()
        let run = harness.run(
            ["query", file, "Item | select(id, real * 2 AS double) | SORT(id DESC)", "-f", "arrow"])
        #expect(run.status == 0, "\(run.errors)")
        let table = harness.folder("piped")
        try Fixtures.write(run.outputBytes, to: table)
        let again = harness.run(["query", table, "Piped", "-f", "csv"])
        #expect(again.output == "id,double\n3,-2e+300\n2,\n1,0.2\n", "\(again.errors)")
        let made = harness.run(["query", file, "Item", "-o", harness.folder("q.parquet"), "-q"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            harness.run(["query", harness.folder("q.parquet"), "Q", "--count", "-r"]).output
                == "3\n")
    }

    @Test("Objects of a file are written into an existing database, with a key and new classes")
    func write() throws {
        let file = try makeShop()
        let table = harness.folder("items.parquet")
        #expect(harness.run(["export", file, table, "-c", "Item", "-q"]).status == 0)
        let people = try harness.makePeople()
        let made = harness.run(["write", people, table, "-c", "Item", "--create", "-q"])
        #expect(made.status == 0, "\(made.errors)")
        let again = harness.run(["write", people, table, "-c", "Item", "--upsert"])
        #expect(again.output.contains("\"unchanged\":3"), "\(again.output)\(again.errors)")
        let twice = harness.run(["write", people, table, "-c", "Item", "--insert"])
        #expect(twice.status == 65)
        #expect(twice.errors.contains("items.parquet:1"), "\(twice.errors)")
    }

    @Test("A key and types declared for create apply to a file")
    func options() throws {
        let csv = harness.folder("cars.csv")
        try Fixtures.write("plate,seats,price\na,4,1.50\nb,2,20.25\n", to: csv)
        let table = harness.folder("cars.parquet")
        let query = ["query", csv, "Cars", "-o", table]
        #expect(harness.run(query + ["-q"]).status == 0)
        let file = harness.folder("cars.firn")
        let run = harness.run([
            "create", file, "--from", table, "--class", "Car", "--key", "plate", "--type",
            "seats=Int8", "--type", "price=Decimal128",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let schema = harness.run(["schema", file, "-f", "json"]).output
        #expect(schema.contains("{\"name\":\"seats\",\"type\":\"Int8\"}"), "\(schema)")
        #expect(
            harness.run(["query", file, "Car", "-f", "ndjson"]).output.hasPrefix(
                "{\"plate\":\"a\",\"seats\":4,\"price\":\"1.5\"}\n"))
        let twice = harness.run([
            "create", harness.folder("no.firn"), "--from", table, "--from", table, "--class", "Car",
            "--class", "Car", "--key", "plate",
        ])
        #expect(twice.status == 65, "\(twice.errors)")
        #expect(try SystemServices.real.files.status(of: harness.folder("no.firn")) == nil)
    }

    @Test("Several classes in one table, bytes on a terminal and double compression are refused")
    func refusals() throws {
        let file = try makeShop()
        let several = harness.run(["export", file, harness.folder("a.parquet")])
        #expect(several.status == 64)
        #expect(several.errors.contains("a table holds one class"), "\(several.errors)")
        var terminal = harness
        terminal.isTerminal = true
        let drawn = terminal.run(["query", file, "Item", "-f", "parquet"])
        #expect(drawn.status == 64)
        #expect(drawn.errors.contains("cannot write parquet to a terminal"), "\(drawn.errors)")
        let zipped = harness.run(["export", file, harness.folder("a.parquet.gz"), "-c", "Item"])
        #expect(zipped.status == 64)
        #expect(zipped.errors.contains("compressed inside"), "\(zipped.errors)")
    }

    @Test("A damaged file is an error with its position, and nothing is created")
    func damage() throws {
        let file = try makeShop()
        let table = harness.folder("items.parquet")
        #expect(harness.run(["export", file, table, "-c", "Item", "-q"]).status == 0)
        var bytes = try Fixtures.read(table)
        for offset in 30..<60 { bytes[offset] = 0xFF }
        let damaged = harness.folder("damaged.parquet")
        try Fixtures.write(bytes, to: damaged)
        let made = harness.run(["create", harness.folder("no.firn"), "--from", damaged])
        #expect(made.status == 65, "\(made.errors)")
        #expect(made.errors.contains("damaged.parquet: column id, row group 0"), "\(made.errors)")
        #expect(try SystemServices.real.files.status(of: harness.folder("no.firn")) == nil)
        let cut = harness.folder("cut.parquet")
        try Fixtures.write(Array(bytes.prefix(100)), to: cut)
        let short = harness.run(["query", cut, "Cut"])
        #expect(short.status == 65)
        #expect(short.errors.contains("does not end with PAR1"), "\(short.errors)")
    }

    @Test("Output named .zst is a zstd file, which is recognized by its content")
    func zstd() throws {
        let file = try harness.makePeople()
        let csv = harness.folder("people.csv.zst")
        #expect(harness.run(["export", file, csv, "-q"]).status == 0)
        let bytes = try Fixtures.read(csv)
        #expect(bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
        // The content decides, not the name.
        let other = harness.folder("table")
        try Fixtures.write(bytes, to: other)
        #expect(
            harness.run(["query", csv, "People age > 40", "-s", "name", "-f", "csv"]).output
                == "name\nBo\nAl\n")
        let copy = harness.folder("copy.firn")
        #expect(harness.run(["create", copy, "--from", "Person=\(other)", "-q"]).status == 0)
        let cut = harness.folder("cut")
        try Fixtures.write(Array(bytes.dropLast(5)), to: cut)
        let short = harness.run(["create", harness.folder("no.firn"), "--from", "P=\(cut)"])
        #expect(short.status == 65)
        #expect(short.errors.contains("its compressed data ends early"), "\(short.errors)")
    }

    /// The numbers were read without a word about what they count.
    @Test("The unit of durations in an Arrow file is reported")
    func durations() throws {
        let path = Fixtures.path("Columnar/durations.feather")
        let run = harness.run(["query", path, "Durations", "-f", "csv"])
        #expect(run.output == "s,ms,us,ns\n90,90,90,90\n,,,\n", "\(run)")
        let made = harness.run(["create", harness.folder("d.firn"), "--from", path])
        for (name, unit) in [
            ("s", "seconds"), ("ms", "milliseconds"), ("us", "microseconds"), ("ns", "nanoseconds"),
        ] {
            #expect(
                made.errors.contains("\(path): \(name) has durations, whose numbers are \(unit)"),
                "\(made)")
        }
    }

    /// The first and last times were refused: their whole seconds alone are out of range.
    @Test("All times that fit 64-bit nanoseconds are written, and others are refused with a remedy")
    func nanoseconds() throws {
        let limits = ["1677-09-21T00:12:43.145224192Z", "2262-04-11T23:47:16.854775807Z"]
        let table = harness.folder("t.csv")
        try Fixtures.write("d\n" + limits.map { $0 + "\n" }.joined(), to: table)
        for format in ["parquet", "arrow"] {
            let out = harness.folder("t.\(format)")
            let written = harness.run(["query", table, "T", "-o", out, "-q"])
            #expect(written.status == 0, "\(written)")
            let read = harness.run(["query", out, "T", "-f", "ndjson"])
            #expect(
                read.output == limits.map { "{\"d\":\"\($0)\"}\n" }.joined(), "\(format): \(read)")
        }
        let wide = harness.folder("wide.csv")
        try Fixtures.write("d\n1600-01-01T00:00:00.000000001Z\n", to: wide)
        let out = harness.folder("wide.parquet")
        let refused = harness.run(["query", wide, "Wide", "-o", out])
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("or select it as a text: text(...)"), "\(refused)")
        let remedied = harness.run(["query", wide, "Wide | select(d = text(d))", "-o", out, "-q"])
        #expect(remedied.status == 0, "\(remedied)")
    }
}
