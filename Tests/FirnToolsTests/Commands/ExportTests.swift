import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Export of several classes")
struct ExportTests {
    private let harness = CommandHarness()

    private func makeShop() throws -> String {
        let file = harness.folder("shop.firn")
        let run = harness.run(
            ["create", file, "--from", "-", "-q"],
            input: """
                {"$class":"Item","$id":3,"name":"a","size":{"w":1,"h":2.5}}
                {"$class":"Item","name":"b","size":null}
                {"$class":"Order","items":[{"$ref":"Item","id":3},{"$ref":"Item","id":4}],"big":9007199254740993}
                """)
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test("An output name with an unknown format is refused, unless -f gives the format")
    func unknownSuffix() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        for (name, hint) in [
            ("out.txt", "choose one with -f: csv, tsv, ndjson, json, markdown, html, insert, sql"),
            ("out.cvs", "did you mean \"csv\"?"), ("out.csv.bak", "choose one with -f"),
        ] {
            let path = harness.folder(name)
            let run = harness.run(["export", file, path])
            #expect(run.status == 64, "\(run.errors)")
            #expect(run.errors.contains(hint), "\(run.errors)")
            #expect(try SystemServices.real.files.status(of: path) == nil)
            #expect(harness.run(["export", file, path, "-f", "csv", "-q"]).status == 0)
        }
        // A name without a suffix implies no format.
        for name in ["out", ".out", "out."] {
            #expect(
                harness.run(["export", file, harness.folder(name), "-q"]).status == 0, "\(name)")
        }
    }

    @Test("A class or a query in place of the output is refused, with a suggestion")
    func misplaced() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        for (words, hint) in [
            (["Person"], "to export the class: firn export \(file) -c Person"),
            (["Person id == 7"], "to export a query: firn export \(file) - 'Person id == 7'"),
            (["Person id == 7", "-f", "csv"], "firn export \(file) - 'Person id == 7'"),
            (
                ["Person city == 'Oslo'"],
                "firn export \(file) - 'Person city == '\\''Oslo'\\'''"
            ),
        ] {
            let run = harness.run(["export", file] + words)
            #expect(run.status == 64, "\(words)")
            #expect(run.errors.contains(hint), "\(run.errors)")
            #expect(try SystemServices.real.files.status(of: words[0]) == nil)
        }
        let query = harness.run(["export", file, "-", "Person id == 7"])
        #expect(query.output == "{\"id\":7,\"name\":\"Bo\",\"age\":41,\"city\":\"Oslo\"}\n")
        // With its folder it can only be a file.
        #expect(harness.run(["export", file, harness.folder("Person"), "-q"]).status == 0)
    }

    @Test(
        "A stream of several classes recreates the same database", arguments: ["ndjson", "json"])
    func again(format: String) throws {
        let file = try makeShop()
        let first = harness.run(["export", file, "-f", format])
        #expect(first.status == 0, "\(first.errors)")
        if format == "ndjson" {
            #expect(first.output.hasPrefix(#"{"$schema":{"v":1,"classes":["#))
            #expect(
                first.output.hasSuffix(
                    """
                    {"$class":"Item","$id":3,"name":"a","size":{"w":1,"h":2.5}}
                    {"$class":"Item","$id":4,"name":"b","size":null}
                    {"$class":"Order","$id":0,"items":[3,4],"big":9007199254740993}

                    """), "\(first.output)")
        }
        let copy = harness.folder("copy.firn")
        let made = harness.run(["create", copy, "--from", "-", "-q"], input: first.output)
        #expect(made.status == 0, "\(made.errors)")
        #expect(harness.run(["export", copy, "-f", format]).output == first.output)
        let written = harness.folder("written.firn")
        let run = harness.run(["write", written, "--create", "-", "-q"], input: first.output)
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["export", written, "-f", format]).output == first.output)
        #expect(harness.run(["check", written, "--deep", "-q"]).status == 0)
    }

    @Test("An export can be limited to parts")
    func parts() throws {
        let file = try makeShop()
        #expect(
            harness.run(["export", file, "--schema-only"]).output
                == harness.run(["schema", file, "-f", "json"]).output)
        let data = harness.run(["export", file, "--data-only"]).output
        #expect(data.hasPrefix(#"{"$class":"Item","$id":3,"#))
        let one = harness.run(["export", file, "-c", "Order", "--int64", "string", "--depth", "1"])
        #expect(
            one.output
                == #"{"$id":"0","items":[{"$id":"3","name":"a","size":{"w":"1","h":2.5}},{"$id":"4","name":"b","size":null}],"big":"9007199254740993"}"#
                + "\n", "\(one.output)")
        #expect(
            harness.run(["export", file, "-c", "Item", "-f", "csv"]).output.hasPrefix("name,size\n")
        )
        #expect(harness.run(["export", file, "-f", "csv"]).status == 64)
        #expect(harness.run(["export", file, "-c", "Itm"]).status == 66)
        #expect(harness.run(["export", file, "--schema-only", "--data-only"]).status == 64)
        let people = try harness.makePeople()
        #expect(harness.run(["export", people]).output.hasPrefix("{\"id\":7"))
        #expect(harness.run(["export", people, "--with-schema"]).output.hasPrefix("{\"$schema\""))
    }

    @Test("--split writes one file per class")
    func split() throws {
        let file = try makeShop()
        let run = harness.run(["export", file, "--split", harness.folder.path])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            harness.folder.names == ["Item.ndjson", "Order.ndjson", "schema.json", "shop.firn"])
        #expect(harness.run(["export", file, "--split", harness.folder.path]).status == 73)
        let copy = harness.folder("copy.firn")
        let made = harness.run([
            "create", copy, "--schema", harness.folder("schema.json"), "--from",
            harness.folder("Order.ndjson"), "--from", harness.folder("Item.ndjson"), "-q",
        ])
        #expect(made.status == 0, "\(made.errors)")
        #expect(harness.run(["export", copy]).output == harness.run(["export", file]).output)
    }

    private func unzipped(_ bytes: [UInt8]) throws -> String {
        let result = try CommandRunner("/bin/gzip").run(["-dc"], input: bytes)
        #expect(result.status == 0, "\(result)")
        return result.outputText
    }

    @Test("--gzip, and a name that ends in .gz, compress the output")
    func compressed() throws {
        let file = try harness.makePeople()
        let plain = harness.run(["export", file, "-f", "csv"]).output
        for (name, options) in [
            ("a.csv.gz", []), ("b.csv", ["--gzip"]), ("c.CSV.GZ", ["--gzip"]),
            ("d.gz", ["-f", "csv"]),
        ] {
            let run = harness.run(["export", file, harness.folder(name)] + options)
            #expect(run.status == 0, "\(run.errors)")
            let bytes = try Fixtures.read(harness.folder(name))
            #expect(run.output.contains("\"bytes\":\(bytes.count),"), "\(run.output)")
            #expect(try unzipped(bytes) == plain, "\(name)")
        }
        let streamed = harness.run(["export", file, "-", "Person", "--gzip", "-f", "csv"])
        #expect(try unzipped(streamed.outputBytes) == plain)
        #expect(harness.run(["export", file, harness.folder("e.cvs.gz")]).status == 64)
        let made = harness.run(["create", harness.folder("x.firn"), harness.folder("a.csv.gz")])
        #expect(made.status != 0)
    }

    @Test(
        "--gzip refuses a terminal, and compresses each file of a split")
    func compressedElsewhere() throws {
        let file = try makeShop()
        let split = harness.run(["export", file, "--split", harness.folder.path, "--gzip"])
        #expect(split.status == 0, "\(split.errors)")
        #expect(
            harness.folder.names == [
                "Item.ndjson.gz", "Order.ndjson.gz", "schema.json", "shop.firn",
            ])
        #expect(
            try unzipped(Fixtures.read(harness.folder("Order.ndjson.gz")))
                == harness.run(["export", file, "-c", "Order"]).output)
        var terminal = harness
        terminal.isTerminal = true
        let run = terminal.run(["export", file, "--gzip"])
        #expect(run.status == 64)
        #expect(run.outputBytes.isEmpty)
        #expect(run.errors.contains("cannot write compressed data to a terminal"), "\(run.errors)")
    }
}
