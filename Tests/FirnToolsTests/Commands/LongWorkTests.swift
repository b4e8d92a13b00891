import FirnEngine
import FirnPlatform
import FirnTesting
import FirnTools
import Testing

/// Salvage, schema changes, groups and sorts showed nothing for minutes, and Ctrl-C left the user
/// alone with the question what had been written.
@Suite("Long work: its progress, and its end by Ctrl-C")
struct LongWorkTests {
    private var harness = CommandHarness()
    private let file: String

    /// Texts that differ only after their first eight bytes are compared one by one.
    private static let rows = (0..<30_000).map { number in
        "\(number),a long prefix \(number &* 7_919 % 30_011)\n"
    }

    init() throws {
        harness.rowsPerGroup = 1_000
        file = harness.folder("rows.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "--class", "Row", "-q"],
            input: "n,text\n" + LongWorkTests.rows.joined())
        try #require(made.status == 0, "\(made.errors)")
    }

    /// Runs a command while every look at the clock takes time.
    private func slowly(_ words: [String]) -> CommandHarness.Run {
        var harness = harness
        harness.use(SteppingClock())
        return harness.run(words + ["--progress", "always"])
    }

    /// Runs a command that Ctrl-C ends when it has looked for a signal a few times.
    private func interrupted(
        _ words: [String], after looks: Int, input: String = ""
    ) -> CommandHarness.Run {
        var harness = harness
        harness.signal = Signals.interrupt
        harness.signalDelay = looks
        return harness.run(words, input: input)
    }

    private var content: String { harness.run(["export", file, "-f", "csv"]).output }

    @Test("alter shows which values it checks and converts, the rate and the time left")
    func alter() {
        let run = slowly(["alter", file, "retype Row.n String"])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kchecking Row.n  "), "\(run.errors)")
        #expect(run.errors.contains("\r\u{1B}[Kconverting Row.n  "), "\(run.errors)")
        #expect(run.errors.contains(" of 30,000 objects  "), "\(run.errors)")
        #expect(run.errors.contains("/s  ") && run.errors.contains(" left"), "\(run.errors)")
        #expect(run.errors.hasSuffix("\r\u{1B}[K"), "\(run.errors)")
    }

    @Test("check and its salvage show how many objects are done")
    func salvage() {
        let out = harness.folder("saved.firn")
        let run = slowly(["check", file, "--salvage", out])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kchecking \(file)  "), "\(run.errors)")
        #expect(run.errors.contains("\r\u{1B}[Ksaving \(out)  "), "\(run.errors)")
        #expect(run.errors.contains(" of 30,000 objects"), "\(run.errors)")
        #expect(run.errors.hasSuffix("\r\u{1B}[K"), "\(run.errors)")
    }

    @Test(
        "A query shows how many rows it has read, for a group, a sort and a filter",
        arguments: ["group(text; @count AS c) | count", "sort(text)", "text LIKE '*x*' | count"])
    func query(stage: String) {
        let run = slowly(["query", file, "Row", stage, "-o", harness.folder("out.csv")])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kreading  "), "\(run.errors)")
        #expect(run.errors.contains(" of 30,000 rows  "), "\(run.errors)")
        #expect(run.errors.contains("sorting") == stage.hasPrefix("sort"), "\(run.errors)")
        #expect(run.errors.hasSuffix("\r\u{1B}[K"), "\(run.errors)")
    }

    @Test("write -x shows how many objects it has changed")
    func statement() {
        let run = slowly(["write", file, "-x", "Row | set n = n + 1"])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kchanging Row  "), "\(run.errors)")
        #expect(run.errors.contains(" of 30,000 objects  "), "\(run.errors)")
    }

    @Test("Ctrl-C in write -x leaves the database unchanged, and says so", arguments: [40, 60, 75])
    func interruptedStatement(looks: Int) {
        let before = content
        let run = interrupted(["write", file, "-x", "Row | set n = n + 1"], after: looks)
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(run.errors == "interrupted: nothing was written to \(file)\n")
        #expect(content == before)
    }

    @Test("JSON progress is given in objects and in rows")
    func json() {
        var harness = harness
        harness.use(SteppingClock())
        let alter = harness.run(["alter", file, "retype Row.n String", "--progress", "json"])
        #expect(
            alter.errors.contains("\"what\":\"converting Row.n\",\"objects\":"), "\(alter.errors)")
        #expect(alter.errors.contains("\"objectsPerSecond\":"), "\(alter.errors)")
        let query = harness.run(["query", file, "Row | sort(text) | count", "--progress", "json"])
        #expect(query.errors.contains("\"what\":\"reading\",\"rows\":"), "\(query.errors)")
    }

    @Test("alter shows how many keys it has compared")
    func key() {
        let run = slowly(["alter", file, "key Row.text"])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kchecking Row.text  "), "\(run.errors)")
        #expect(run.errors.contains(" of 30,000 objects  "), "\(run.errors)")
    }

    @Test("diff shows how many objects of a class it has compared, until the first line")
    func diff() {
        #expect(harness.run(["write", file, "-x", "Row | set n = n + 1", "-q"]).status == 0)
        let run = slowly(["diff", file, "--summary"])
        #expect(run.status == 1)
        #expect(run.errors.contains("\r\u{1B}[Kcomparing Row  "), "\(run.errors)")
        #expect(run.errors.contains(" of 30,000 objects  "), "\(run.errors)")
        #expect(run.errors.hasSuffix("\r\u{1B}[K"), "\(run.errors)")
    }

    @Test("log shows how many versions it has read")
    func log() {
        for _ in 0..<3 {
            #expect(
                harness.run(["write", file, "-x", "Row n < 9 | set n = n - 1", "-q"]).status == 0)
        }
        let run = slowly(["log", file, "--summary"])
        #expect(run.status == 0)
        #expect(run.errors.contains("\r\u{1B}[Kreading \(file)  "), "\(run.errors)")
        #expect(run.errors.contains(" of 3 versions"), "\(run.errors)")
    }

    // MARK: Ctrl-C

    @Test("Ctrl-C in alter leaves the database unchanged, and says so", arguments: [1, 5, 20, 50])
    func interruptedAlter(looks: Int) {
        let before = content
        let run = interrupted(["alter", file, "retype Row.n String"], after: looks)
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(run.errors == "interrupted: \(file) is unchanged\n")
        #expect(content == before)
    }

    @Test("Ctrl-C in a salvage leaves no partial copy, and says so", arguments: [1, 40, 50])
    func interruptedSalvage(looks: Int) {
        let out = harness.folder("saved.firn")
        let run = interrupted(["check", file, "--salvage", out], after: looks)
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(
            run.errors == "interrupted: \(out) was not created, and \(file) was only read\n")
        #expect(harness.folder.names == ["rows.firn"])
    }

    @Test("Ctrl-C in a query or an export leaves no partial output, and says so")
    func interruptedOutput() {
        let out = harness.folder("out.csv")
        for words in [["query", file, "Row | sort(text)", "-o", out], ["export", file, out]] {
            let run = interrupted(words, after: 3)
            #expect(run.ending == .signal(Signals.interrupt))
            #expect(
                run.errors == "interrupted: \(out) was not written, and \(file) was only read\n")
            #expect(harness.folder.names == ["rows.firn"])
        }
        let printed = interrupted(["query", file, "Row | count"], after: 3)
        #expect(printed.errors == "interrupted: \(file) was only read\n")
        #expect(interrupted(["query", file, "Row | count", "-q"], after: 3).errors.isEmpty)
    }

    @Test("Ctrl-C in create and write says which part of the input is on disk")
    func interruptedInput() {
        let lines = "n,text\n" + LongWorkTests.rows.joined()
        let new = harness.folder("new.firn")
        let create = interrupted(
            ["create", new, "--from", "-", "--class", "Row", "-q"], after: 1, input: lines)
        #expect(create.ending == .signal(Signals.interrupt))
        #expect(create.errors.isEmpty, "\(create.errors)")
        let loud = interrupted(
            ["create", new, "--from", "-", "--class", "Row"], after: 1, input: lines)
        #expect(loud.errors.hasSuffix("interrupted: \(new) was not created\n"), "\(loud.errors)")
        #expect(harness.folder.names == ["rows.firn"])

        let write = interrupted(["write", file, "-", "-c", "Row"], after: 500, input: lines)
        #expect(write.errors == "interrupted: nothing was written to \(file)\n")
        let batches = interrupted(
            ["write", file, "-", "-c", "Row", "--batch", "100"], after: 250, input: lines)
        #expect(batches.ending == .signal(Signals.interrupt))
        #expect(
            batches.errors == "interrupted: version 3 of \(file) is on disk, and nothing after it\n"
        )
        #expect(harness.run(["query", file, "Row | count", "-r"]).output == "30200\n")
    }

    @Test("Ctrl-C in alter leaves the key unchanged, and says so", arguments: [1, 3, 10])
    func interruptedKey(looks: Int) {
        let run = interrupted(["alter", file, "key Row.text"], after: looks)
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(run.errors == "interrupted: \(file) is unchanged\n")
        #expect(!harness.run(["schema", file]).output.contains("primaryKey"))
    }

    @Test("Ctrl-C in diff and log says that the files were only read")
    func interruptedReading() {
        let other = harness.folder("other.firn")
        #expect(harness.run(["freeze", file, "-o", other, "-q"]).status == 0)
        for _ in 0..<3 {
            #expect(harness.run(["write", file, "-x", "Row | set n = n + 1", "-q"]).status == 0)
        }
        for words in [["diff", file], ["diff", file, other], ["log", file]] {
            let run = interrupted(words, after: 1)
            #expect(run.ending == .signal(Signals.interrupt))
            let files = words.contains(other) ? "\(file) and \(other) were" : "\(file) was"
            #expect(run.errors == "interrupted: \(files) only read\n")
        }
    }

    @Test("Ctrl-C while compact waits for another writer says that the file is unchanged")
    func interruptedCompaction() throws {
        let other = try Store.open(file, readOnly: false)
        let transaction = try other.beginWrite()
        let run = interrupted(["compact", file, "--wait", "1h"], after: 1)
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(run.errors.hasSuffix("interrupted: \(file) is unchanged\n"), "\(run.errors)")
        transaction.rollback()
    }
}
