import FirnPlatform
import FirnTesting
import FirnTools
import FirnValues
import Foundation
import Testing

/// A folder that `export --split-by` had written could not be read back.
@Suite("Folders as inputs")
struct FolderInputTests {
    private let harness = CommandHarness()

    /// Rows with words that names of folders escape, and with nulls.
    private static let rows = """
        id,carrier,month,note
        1,UA,1,"a ""b"" c"
        2,UA,12,
        3,"a/b=c %d",1,x
        4,,2,"two
        lines"
        5,Ærø,,y

        """

    private func original() throws -> (file: String, rows: String) {
        let table = harness.folder("Flight.csv")
        try Fixtures.write(Self.rows, to: table)
        let file = harness.folder("original.firn")
        let made = harness.run(["create", file, "--from", table, "-q"])
        try #require(made.status == 0, "\(made.errors)")
        return (file, harness.run(["query", file, "Flight SORT(id)"]).output)
    }

    @Test(
        "A folder of --split-by is read back with its columns, from any name of the folder",
        arguments: ["parquet", "arrow", "csv", "tsv", "ndjson", "json"])
    func back(format: String) throws {
        let (file, rows) = try original()
        let folder = harness.folder("by")
        let split = harness.run([
            "export", file, folder, "Flight", "--split-by", "carrier,month", "-f", format, "-q",
        ])
        try #require(split.status == 0, "\(split.errors)")
        // Programs leave such files behind.
        try Fixtures.write("", to: folder + "/_SUCCESS")
        try Fixtures.write("", to: folder + "/.hidden")
        for (number, path) in ["", "/*/*", "/*/*/*", "/*"].enumerated() {
            let new = harness.folder("new-\(number).firn")
            let read = harness.run(["create", new, "--from", "Flight=\(folder)\(path)", "-q"])
            #expect(read.status == 0, "\(path): \(read.errors)")
            let found = harness.run([
                "query", new, "Flight SORT(id) | select(id, carrier, month, note)",
            ])
            #expect(found.output == rows, "\(path): \(found)")
        }
        let named = harness.run(["create", harness.folder("n.firn"), "--from", folder])
        #expect(named.output.contains(#""name":"By""#), "\(named)")
    }

    @Test("write also reads a folder")
    func write() throws {
        let (file, rows) = try original()
        let folder = harness.folder("by")
        _ = harness.run([
            "export", file, folder, "Flight", "--split-by", "month", "-f", "csv", "-q",
        ])
        _ = harness.run(["write", file, "-x", "Flight | delete", "-q"])
        let run = harness.run(["write", file, folder, "-c", "Flight", "-q"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["query", file, "Flight SORT(id)"]).output == rows)
    }

    @Test("A folder column has whole numbers only if all its values are whole numbers")
    func types() throws {
        let folder = harness.folder("t")
        for (name, value) in [("n=1", "a"), ("n=02", "b")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            try Fixtures.write("{\"x\":\"\(value)\"}\n", to: "\(folder)/\(name)/a.ndjson")
        }
        let run = harness.run(["query", try made(folder), "T SORT(x)"])
        #expect(
            run.output
                == """
                {"n":"1","x":"a"}
                {"n":"02","x":"b"}

                """.split(separator: "\n").map { $0 + "\n" }.joined(), "\(run)")
    }

    private func made(_ folder: String) throws -> String {
        let file = harness.folder("made.firn")
        let run = harness.run(["create", file, "--from", folder, "-q"])
        try #require(run.status == 0, "\(run.errors)")
        return file
    }

    @Test("A folder without files or a folder that contains itself is an error")
    func mistakes() throws {
        let empty = harness.folder("empty")
        try FileManager.default.createDirectory(
            atPath: empty, withIntermediateDirectories: false)
        let none = harness.run(["create", harness.folder("a.firn"), "--from", empty])
        #expect(none.status == 66, "\(none)")
        #expect(none.errors.contains("\(empty) has no files"), "\(none)")
        try FileManager.default.createSymbolicLink(
            atPath: empty + "/loop", withDestinationPath: "..")
        let loop = harness.run(["create", harness.folder("a.firn"), "--from", empty])
        #expect(loop.status == 64, "\(loop)")
        #expect(loop.errors.contains("has more than 32 levels"), "\(loop)")
        let missing = harness.run(["create", harness.folder("a.firn"), "--from", empty + "/*/x"])
        #expect(missing.errors.contains("no file matches"), "\(missing)")
    }

    /// Such files were left out without a word, and the exit status was 0.
    @Test("Each file of a folder is read, or the error names the unreadable file")
    func complete() throws {
        let folder = harness.folder("t")
        try SystemFolder.make(folder)
        try Fixtures.write("x\n1\n", to: folder + "/a.csv")
        try Fixtures.write("x\n2\n", to: folder + "/line\nfeed.csv")
        let both = harness.run(["query", try made(folder), "T SORT(x)"])
        #expect(both.output == "{\"x\":1}\n{\"x\":2}\n", "\(both)")

        let pipe = folder + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let waiting = harness.run(["create", harness.folder("p.firn"), "--from", folder])
        #expect(waiting.status == 66, "\(waiting)")
        #expect(waiting.errors.contains("\(pipe): it is not a regular file"), "\(waiting)")
        try FileManager.default.removeItem(atPath: pipe)

        let latin: [CChar] = Array((folder + "/b").utf8CString.dropLast()) + [-23, 0]
        try #require(creat(latin, 0o600) >= 0)
        let unnamed = harness.run(["create", harness.folder("l.firn"), "--from", folder])
        #expect(unnamed.status == 65)
        #expect(unnamed.errors.contains("its name is not UTF-8"), "\(unnamed)")
        #expect(unlink(latin) == 0)

        try FileManager.default.createSymbolicLink(
            atPath: folder + "/gone.csv", withDestinationPath: "nowhere")
        let dangling = harness.run(["create", harness.folder("d.firn"), "--from", folder])
        #expect(dangling.status == 66, "\(dangling)")
        #expect(dangling.errors.contains("gone.csv"), "\(dangling)")
    }

    @Test("A query reads a folder, or the files of a pattern, without a database")
    func query() throws {
        let (file, _) = try original()
        let folder = harness.folder("by")
        let split = harness.run([
            "export", file, folder, "Flight", "--split-by", "carrier", "-f", "parquet", "-q",
        ])
        try #require(split.status == 0, "\(split)")
        for path in [folder, folder + "/", folder + "/*/*.parquet"] {
            let run = harness.run(["query", path, "SORT(id) LIMIT(2) | select(id, carrier)"])
            #expect(
                run.output == "{\"id\":1,\"carrier\":\"UA\"}\n{\"id\":2,\"carrier\":\"UA\"}\n",
                "\(path): \(run)")
        }
        let none = harness.run(["query", folder + "/*.csv", "id == 1"])
        #expect(none.status == 66, "\(none)")
        #expect(none.errors.contains("no file matches \(folder)/*.csv"), "\(none)")
        let exact = harness.folder("a[1].firn")
        try DatabaseImage.put(try DatabaseImage.bytes(of: file), at: exact)
        #expect(harness.run(["query", exact, "Flight", "--count"]).output == "{\"count\":5}\n")
    }
}
