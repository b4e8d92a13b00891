import FirnTesting
import FirnTools
import Testing

/// A spreadsheet executes text that starts like a formula, even in a table from an untrusted
/// source.
@Suite("Formulas in csv")
struct FormulaTests {
    private let harness = CommandHarness()
    private let file: String

    private static let texts = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "ok", "a=1"]

    init() throws {
        file = harness.folder("a.firn")
        let records = FormulaTests.texts.enumerated().map { index, text in
            "{\"id\":\(index),\"n\":-\(index + 1),\"t\":\(text.debugDescription)}\n"
        }
        let run = harness.run(
            ["create", file, "--from", "-", "--class", "T", "--key", "id", "-q"],
            input: records.joined())
        try #require(run.status == 0, "\(run.errors)")
    }

    @Test(
        "With --csv-safe, formulas start with an apostrophe, and numbers stay numbers",
        .tags(.security)
    )
    func disarmed() throws {
        let expected = """
            id,n,t
            0,-1,'=1+1
            1,-2,'+1
            2,-3,'-1
            3,-4,'@x
            4,-5,'\tx
            5,-6,"'\rx"
            6,-7,ok
            7,-8,a=1

            """
        let out = harness.folder("out.csv")
        for words in [
            ["query", file, "T", "-f", "csv"], ["export", file, "-f", "csv"],
            ["query", file, "T", "-o", out],
        ] {
            let run = harness.run(words + ["--csv-safe"])
            #expect(run.status == 0, "\(run.errors)")
            if words.last != out { #expect(run.output == expected, "\(words)") }
        }
        #expect(String(decoding: try Fixtures.read(out), as: UTF8.self) == expected)
    }

    @Test("Without --csv-safe, formulas are unchanged", .tags(.security))
    func asTheyAre() {
        let run = harness.run(["query", file, "T t BEGINSWITH \"=\"", "-f", "csv"])
        #expect(run.output == "id,n,t\n0,-1,=1+1\n", "\(run.errors)")
    }
}
