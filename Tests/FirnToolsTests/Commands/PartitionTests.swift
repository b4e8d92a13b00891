import FirnPlatform
import FirnTesting
import FirnTools
import Synchronization
import Testing

@Suite("Folders that are split by values")
struct PartitionTests {
    private let harness = CommandHarness()

    /// Makes a database whose values need every rule for names.
    private func makeTrips() throws -> String {
        let file = harness.folder("trips.firn")
        let run = harness.run(
            ["create", file, "--from", "Trip=-", "-q"],
            input: """
                id,carrier,month,day,fee
                1,UA,1,2013-01-31,1.50
                2,B6,1,2013-01-31,2.25
                3,UA,2,2013-02-01,3.00
                4,,2,2013-02-01,4.00
                5,a/b=c %d,1,,5.00
                6,Ærø,1,2013-01-31,
                7,UA,1,2013-02-01,7.00

                """)
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    /// The files of a folder, with their folders.
    private func files(_ folder: String) throws -> [String] {
        try FolderEntry.all(in: folder, countMax: 1_000).flatMap { entry in
            entry.isFolder
                ? try files("\(folder)/\(entry.name)").map { "\(entry.name)/\($0)" }
                : [entry.name]
        }.sorted()
    }

    @Test("Each value has a folder, with its rows in order and without its column")
    func folders() throws {
        let file = try makeTrips()
        let out = harness.folder("out")
        let run = harness.run([
            "export", file, out, "--split-by", "carrier,month", "-f", "csv", "--bom",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"objects\":7"), "\(run.output)")
        #expect(
            try files(out) == [
                "carrier=B6/month=1/part-0.csv", "carrier=UA/month=1/part-0.csv",
                "carrier=UA/month=2/part-0.csv",
                "carrier=__HIVE_DEFAULT_PARTITION__/month=2/part-0.csv",
                "carrier=a%2Fb%3Dc %25d/month=1/part-0.csv", "carrier=Ærø/month=1/part-0.csv",
            ])
        let bytes = try Fixtures.read("\(out)/carrier=UA/month=1/part-0.csv")
        #expect(
            String(decoding: bytes.dropFirst(3), as: UTF8.self)
                == "id,day,fee\n1,2013-01-31,1.50\n7,2013-02-01,7.00\n")
        #expect(Array(bytes.prefix(3)) == [0xEF, 0xBB, 0xBF])
    }

    @Test("The files of a folder have the same types, whatever values they contain")
    func types() throws {
        let file = try makeTrips()
        let out = harness.folder("out")
        let run = harness.run([
            "query", file, "Trip | select(carrier, id, day, fee)", "-o", out, "--split-by",
            "carrier", "--codec", "snappy",
        ])
        #expect(run.status == 0, "\(run.errors)")
        for name in try files(out) {
            let schema = harness.run(["query", "\(out)/\(name)", "-c", "Part0", "-f", "ndjson"])
            #expect(schema.status == 0, "\(schema.errors)")
        }
        let rows = harness.run(["query", "\(out)/carrier=UA/part-0.parquet", "Part0", "-f", "csv"])
        #expect(rows.output.hasPrefix("id,day,fee\n1,2013-01-31"), "\(rows.output)\(rows.errors)")
    }

    @Test("Many folders keep few files open, and each row is in exactly one folder")
    func many() throws {
        let file = harness.folder("many.firn")
        let count = 20_000
        let lines = (0..<count).map { "\($0),\(($0 &* 7919) % 300)" }
        let made = harness.run(
            ["create", file, "--from", "Row=-", "-q"],
            input: "id,part\n" + lines.joined(separator: "\n") + "\n")
        try #require(made.status == 0, "\(made.errors)")
        for format in ["parquet", "ndjson"] {
            let out = harness.folder("out-\(format)")
            let run = harness.run(["export", file, out, "--split-by", "part", "-f", format, "-q"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try files(out).count == 300)
            let rows = harness.run([
                "query", "\(out)/part=7/part-0.\(format)", "Part0 | select(id)", "-r",
            ])
            let expected = (0..<count).filter { ($0 &* 7919) % 300 == 7 }.map { "\($0)\n" }
            #expect(rows.output == expected.joined(), "\(rows.errors)")
        }
    }

    @Test("The folder appears complete or not at all, and replaces only an earlier output")
    func existing() throws {
        let file = try makeTrips()
        let out = harness.folder("out")
        let words = ["export", file, out, "--split-by", "carrier", "-q"]
        #expect(harness.run(words).status == 0)
        let again = harness.run(words)
        #expect(again.status == 73, "\(again)")
        #expect(again.errors.contains("--force"), "\(again.errors)")
        #expect(harness.run(words + ["--force"]).status == 0)
        #expect(try files(out).count == 5)
        try Fixtures.write("mine", to: "\(out)/notes.txt")
        let mixed = harness.run(words + ["--force"])
        #expect(mixed.status == 73, "\(mixed)")
        #expect(
            mixed.errors.contains("only a folder that --split-by has written"), "\(mixed.errors)")
        #expect(harness.folder.names.sorted() == ["out", "trips.firn"])
    }

    /// Two renames left no folder where a process was killed between them.
    @Test("The name refers to a complete folder at every moment of a replacement")
    func exchanged() async throws {
        let file = try makeTrips()
        let out = harness.folder("out")
        let words = ["export", file, out, "--split-by", "carrier", "-q", "--force"]
        try #require(harness.run(words).status == 0)
        let watch = Watch(of: out)
        async let missed = watch.missed()
        for _ in 0..<20 {
            #expect(harness.run(words).status == 0)
            #expect(try files(out).count == 5)
        }
        watch.isDone.store(true, ordering: .releasing)
        #expect(try await missed == 0)
        #expect(harness.folder.names.sorted() == ["out", "trips.firn"])
    }

    @Test(
        "Invalid split columns and options are refused before anything is written",
        arguments: [
            (["--split-by", "nope"], "there is no column \"nope\""),
            (["--split-by", "carier"], "did you mean \"carrier\"?"),
            (["--split-by", "carrier,carrier"], "names a column twice"),
            (["--split-by", "id,carrier,month,day,fee"], "leaves no column"),
            (["--split-by", "carrier", "-f", "sql"], "--split-by cannot write sql"),
            (["--split-by", "carrier", "-f", "csv", "--codec", "lz4"], "--codec is for parquet"),
            (["--split-by", "carrier", "--bom"], "--bom is for csv and tsv"),
        ])
    func refused(options: [String], error: String) throws {
        let file = try makeTrips()
        let run = harness.run(["export", file, harness.folder("out")] + options)
        #expect(run.status == 64 || run.status == 65, "\(run)")
        #expect(run.errors.contains(error), "\(run.errors)")
        #expect(harness.folder.names == ["trips.firn"])
    }

    @Test("Files with decimal commas use semicolons, and are read back with the same values")
    func decimalComma() throws {
        let input = harness.folder("sums.csv")
        try Fixtures.write(
            "id,price,ratio,note\n1,1234.50,-0.25,\"a;b\"\n2,7.00,1e300,\"c,d\"\n3,,,x.y\n",
            to: input)
        let file = harness.folder("sums.firn")
        let make = ["create", file, "--from", input, "--class", "Sum", "--key", "id", "-q"]
        #expect(harness.run(make).status == 0)
        let query = ["query", file, "Sum", "-f", "csv", "--decimal-comma"]
        let out = harness.run(query).output
        #expect(
            out == "id;price;ratio;note\n1;1234,50;-0,25;\"a;b\"\n2;7,00;1e+300;c,d\n3;;;x.y\n")
        let comma = harness.folder("comma.csv")
        #expect(harness.run(["export", file, comma, "--decimal-comma", "-q"]).status == 0)
        let again = harness.folder("again.firn")
        let read = [
            "create", again, "--from", comma, "--class", "Sum", "--key", "id", "--decimal", ",",
            "-q",
        ]
        let run = harness.run(read)
        #expect(run.status == 0, "\(run.errors)")
        let plain = ["Sum", "-f", "csv"]
        #expect(
            harness.run(["query", again] + plain).output
                == harness.run(["query", file] + plain).output)
        let refused = harness.run(["query", file, "Sum", "-f", "json", "--decimal-comma"])
        #expect(refused.status == 64 && refused.errors.contains("--decimal-comma is for csv"))
    }

    @Test("csv output uses the chosen delimiter, and values that contain it are quoted")
    func delimiter() throws {
        let file = harness.folder("d.firn")
        let make = ["create", file, "--from", "D=-", "-q"]
        #expect(harness.run(make, input: "n,note\n1.5,a;b\n2,\"c,d\"\n").status == 0)
        let query = ["query", file, "D", "-f", "csv", "--delimiter"]
        #expect(harness.run(query + [";"]).output == "n;note\n1.5;\"a;b\"\n2.0;c,d\n")
        #expect(
            harness.run(query + ["|", "--decimal-comma"]).output == "n|note\n1,5|a;b\n2,0|c,d\n")
        let exported = harness.run(["export", file, "-", "-f", "csv", "--delimiter", "tab", "-q"])
        #expect(exported.output == "n\tnote\n1.5\ta;b\n2.0\tc,d\n")
        let folder = harness.folder("parts")
        let columns = ["query", file, "D | select(n, note, m = n * 2)", "-f", "csv"]
        let parts = harness.run(
            columns + ["--delimiter", ";", "-o", folder, "--split-by", "n", "-q"])
        #expect(parts.status == 0, "\(parts)")
        let part = try Fixtures.read("\(folder)/n=1.5/part-0.csv")
        #expect(String(decoding: part, as: UTF8.self) == "note;m\n\"a;b\";3.0\n")
        // The delimiter of a file that is not a database is that of the file.
        let table = harness.folder("t.csv")
        try Fixtures.write("n;note\n1;x\n", to: table)
        let read = ["query", table, "t", "--delimiter", ";", "-f", "csv", "-q"]
        #expect(harness.run(read).output == "n,note\n1,x\n")
        for (options, message) in [
            (["-f", "json", "--delimiter", ";"], "--delimiter is for csv, not for json"),
            (["-f", "tsv", "--delimiter", ";"], "--delimiter is for csv, not for tsv"),
            (["-s", "n", "-r", "--delimiter", ";"], "--delimiter is for csv without -r and -0"),
            (["-f", "csv", "--delimiter", ",", "--decimal-comma"], "needs another --delimiter"),
            // Numbers and dates have no quotes, so that a reader would find other fields.
            (["-f", "csv", "--delimiter", "\""], "--delimiter \" occurs in values of csv"),
            (["-f", "csv", "--delimiter", "."], "--delimiter . occurs in values of csv"),
            (["-f", "csv", "--delimiter", "-"], "--delimiter - occurs in values of csv"),
            (
                ["-o", harness.folder("p"), "--split-by", "n", "--delimiter", ";"],
                "--delimiter is for csv, not for parquet"
            ),
        ] {
            let run = harness.run(["query", file, "D"] + options)
            #expect(run.status == 64 && run.errors.contains(message), "\(options): \(run)")
        }
    }

    @Test(
        "A value that is too long for a folder name is an error that shows it, and leaves nothing")
    func longValue() throws {
        let file = harness.folder("long.firn")
        let value = String(repeating: "é", count: 200)
        let made = harness.run(
            ["create", file, "--from", "L=-", "-q"], input: "a,n\nx,1\n\(value),2\n")
        try #require(made.status == 0, "\(made.errors)")
        let run = harness.run(["export", file, harness.folder("out"), "--split-by", "a"])
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("too long for the name of a folder: a=éé"), "\(run.errors)")
        #expect(harness.folder.names == ["long.firn"])
    }

    @Test("An empty string and a missing value share a folder, which is reported")
    func emptyTexts() throws {
        let file = harness.folder("e.firn")
        let made = harness.run(
            ["create", file, "--from", "E=-", "-q"],
            input: "{\"a\":\"\",\"n\":1}\n{\"a\":null,\"n\":2}\n{\"a\":\"x\",\"n\":3}\n")
        try #require(made.status == 0, "\(made.errors)")
        let out = harness.folder("out")
        let run = harness.run(["export", file, out, "--split-by", "a", "-f", "csv"])
        #expect(run.status == 0)
        #expect(run.errors.contains("1 empty text became null"), "\(run.errors)")
        #expect(try files(out).count == 2)
    }

    @Test("The Parquet codec can be chosen, and a byte order mark only where it has a meaning")
    func forms() throws {
        let file = try harness.makePeople()
        var sizes: [String: Int] = [:]
        for codec in ["zstd", "lz4", "snappy", "gzip", "none"] {
            let path = harness.folder("of-\(codec).parquet")
            let run = harness.run(["export", file, path, "--codec", codec, "-q"])
            #expect(run.status == 0, "\(run.errors)")
            sizes[codec] = try Fixtures.read(path).count
            let name = "Of" + codec.prefix(1).uppercased() + codec.dropFirst()
            #expect(
                harness.run(["query", path, "\(name) age > 40 | select(name)", "-r"]).output
                    == "Bo\nAl\n")
        }
        #expect(sizes.count == 5)
        let marked = harness.run(["query", file, "Person", "-f", "csv", "--bom", "-s", "name"])
        #expect(marked.output.unicodeScalars.first == "\u{FEFF}")
        let wrong = harness.run(["query", file, "Person", "-f", "json", "--bom"])
        #expect(wrong.status == 64 && wrong.errors.contains("--bom is for csv and tsv"))
    }
}

/// Looks all the time whether a name exists.
private final class Watch: Sendable {
    private let path: String
    let isDone = Atomic(false)

    init(of path: String) { self.path = path }

    /// The number of times that it did not, until the end.
    func missed() async throws -> Int {
        var missed = 0
        while !isDone.load(ordering: .acquiring) {
            if try SystemFileSystem().status(of: path) == nil { missed += 1 }
        }
        return missed
    }
}
