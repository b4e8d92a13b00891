import FirnPlatform
import FirnTesting
import Testing

@testable import FirnTools

@Suite("Inputs that are not text")
struct ForeignInputTests {
    private let harness = CommandHarness()

    @Test(
        "A database or a compressed file is recognized, and the error shows a pipe that decodes it"
    )
    func files() throws {
        let people = try harness.makePeople()
        let new = harness.folder("new.firn")
        let run = harness.run(["create", new, "--from", people])
        #expect(run.status == 65)
        #expect(
            run.errors == """
                error: \(people): it is a Firn database, not CSV, TSV or JSON
                  read it from a pipe: firn export \(people) -f ndjson | firn ... -

                """)
        #expect(harness.run(["stats", new]).status == 66, "nothing was made")
        let kinds: [(String, [UInt8], String)] = [
            ("a.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz -dc"),
            ("a.db", Array("SQLite format 3\0".utf8), "sqlite3 -csv -header"),
        ]
        for (name, bytes, remedy) in kinds {
            try Fixtures.write(bytes, to: harness.folder(name))
            let words = ["write", people, harness.folder(name), "-c", "Person"]
            for extra in [[], ["--input", "csv"], ["--input", "ndjson"]] {
                let run = harness.run(words + extra)
                #expect(run.status == 65, "\(name) \(extra)")
                #expect(run.errors.contains(remedy + " " + harness.folder(name)), "\(run.errors)")
            }
        }
        let same = harness.run(["query", people, "Person | count", "-f", "csv"])
        #expect(same.output == "count\n3\n")
    }

    @Test("For standard input the name of a file is left open")
    func stream() throws {
        let people = try harness.makePeople()
        let run = harness.run(["write", people, "-", "-c", "Person"], input: "SQLite format 3\0\0")
        #expect(run.errors.contains("standard input: it is an SQLite database"), "\(run.errors)")
        #expect(run.errors.contains("sqlite3 -csv -header FILE "), "\(run.errors)")
    }

    @Test("A text with a similar start is a text")
    func almost() throws {
        let people = try harness.makePeople()
        let input = "SQLite format 3,id\nx,8\n"
        let run = harness.run(
            ["write", people, "-", "-c", "Person", "--add-properties", "--upsert", "--dry-run"],
            input: input)
        #expect(!run.errors.contains("database, not CSV"), "\(run.errors)")
    }
}
