import FirnPlatform
import FirnTesting
import FirnTools
import Testing

/// The files of `Fixtures/Tables`: tables as people find them, each beside the types, the report and
/// the rows that are expected of it.
@Suite("Files of tables from the wild")
struct TableFileTests {
    /// The names of the files, without their suffixes.
    static let names: [String] = FolderListing.names(in: Fixtures.path("Tables"))
        .filter { $0.hasSuffix(".expected") }.map { String($0.dropLast(9)) }.sorted()

    /// The expected result of a file.
    private struct Expectation {
        /// The properties with their types; `error` if the file is refused.
        let types: String
        /// A part of the report, or of the error.
        let report: String
        /// The rows as an export prints them.
        let rows: String

        init(_ name: String) throws {
            let text = String(
                decoding: try Fixtures.bytes("Tables/\(name).expected"), as: UTF8.self)
            let lines = text.unicodeScalars.split(
                separator: "\n", maxSplits: 3, omittingEmptySubsequences: false
            ).map { String($0) }
            try #require(lines.count == 4 && lines[2] == "rows:", "\(name)")
            types = String(lines[0].dropFirst("types: ".count))
            report = String(lines[1].dropFirst("report: ".count))
            rows = lines[3]
        }
    }

    @Test("There are at least sixty files")
    func count() { #expect(TableFileTests.names.count >= 60) }

    @Test("A file gets the types, the rows and the report that people expect", arguments: names)
    func imported(name: String) throws {
        let expected = try Expectation(name)
        let suffix =
            FolderListing.names(in: Fixtures.path("Tables")).contains("\(name).tsv")
            ? "tsv" : "csv"
        let path = Fixtures.path("Tables/\(name).\(suffix)")
        let harness = CommandHarness()
        let file = harness.folder("t.firn")
        let made = harness.run(["create", file, "--from", "T=\(path)"])
        #expect(expected.report.isEmpty || made.errors.contains(expected.report), "\(made.errors)")
        guard expected.types != "error" else {
            #expect(made.status == 65, "\(made.errors)")
            #expect(!harness.folder.names.contains("t.firn"))
            return
        }
        #expect(made.status == 0, "\(made.errors)")
        let schema = harness.run(["schema", file, "-f", "json"]).output
        let types = expected.types.split(separator: ", ").map { String($0) }
        for type in types {
            let words = type.split(separator: " ")
            let property = words.dropLast().joined(separator: " ")
            let base = words.last.map { String($0.dropLast()) } ?? ""
            #expect(
                schema.contains("{\"name\":\"\(property)\",\"type\":\"\(base)\",\"optional\":true"),
                "\(type): \(schema)\n\(made.errors)")
        }
        #expect(schema.split(separator: "{\"name\":").count == types.count + 2, "\(schema)")
        let rows = harness.run(["query", file, "T", "-f", "csv", "--no-header"]).output
        #expect(Array(rows.utf8) == Array(expected.rows.utf8), "\(rows)\n\(made.errors)")
    }

    @Test("A row that does not fit is skipped and saved, and the other rows are kept")
    func skipped() throws {
        let harness = CommandHarness()
        let file = harness.folder("t.firn")
        let path = Fixtures.path("Tables/short-row.csv")
        let rejects = harness.folder("rejects.ndjson")
        let made = harness.run([
            "create", file, "--from", "T=\(path)", "--on-error", "save=\(rejects)",
        ])
        #expect(made.status == 65, "\(made.errors)")
        #expect(made.output.contains("\"rejected\":1"), "\(made.output)")
        #expect(harness.run(["query", file, "T", "-f", "csv"]).output == "a,b,c\n1,2,3\n")
        let saved = String(decoding: try Fixtures.read(rejects), as: UTF8.self)
        #expect(saved.contains("\"line\":3,\"record\":[\"4\",\"5\"]}"), "\(saved)")
    }
}
