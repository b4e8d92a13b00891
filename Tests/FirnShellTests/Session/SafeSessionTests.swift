import FirnTesting
import FirnTools
import Testing

@testable import FirnShell

/// Statements and data from an untrusted source.
@Suite("Sessions with --safe")
struct SafeSessionTests {
    private var harness = ShellHarness()
    private let file: String

    init() throws {
        file = try harness.makePeople()
        let made = harness.run(
            ".insert Person {\"id\":1,\"name\":\(HostileText.json),\"age\":1,\"city\":\"Bonn\"}",
            on: file)
        try #require(made.status == 0, "\(made)")
        harness.invocation.isSafe = true
    }

    @Test(
        "A safe session changes nothing, whatever the statement", .tags(.security),
        arguments: [
            "Person | delete", "Person | set age = 1", ".begin", ".insert Person {\"id\":2}",
            ".undo", ".freeze x",
        ])
    func readOnly(line: String) throws {
        let before = try DatabaseImage.bytes(of: file)
        for run in [harness.run(line, on: file), harness.talk(line, on: file)] {
            #expect(
                run.errors.contains("error: the database is open read-only\n"),
                "\(run.errors)")
        }
        #expect(harness.run(line, on: file).status == 77)
        #expect(try DatabaseImage.bytes(of: file) == before)
        #expect(harness.folder.names == ["people.csv", "people.firn"])
    }

    @Test(
        "A safe session can change data if that is allowed, but nothing else",
        .tags(.security))
    func changes() {
        var harness = harness
        harness.invocation.allowsChanges = true
        #expect(harness.run("Person id == 1 | delete", on: file).status == 0)
        #expect(harness.run("Person id == 1 | count", on: file).output.contains("0"))
        #expect(harness.run(".shell true", on: file).status == 77)
    }

    @Test(
        "A safe session does not start a pager", .tags(.security),
        arguments: [".pager on", ".pager less", ".once '|cat'", ".output '|cat'"])
    func programs(line: String) {
        for run in [harness.run(line, on: file), harness.talk(line, on: file)] {
            #expect(run.errors.contains("error: --safe does not allow "), "\(run.errors)")
        }
        #expect(harness.run(line, on: file).status == 77)
        #expect(
            harness.run(".show", on: file).output.contains("\"pager\":\"off\""),
            "no pager is on from the start")
        #expect(harness.talk(".show", on: file).output.contains("\"pager\":\"off\""))
    }

    @Test("A safe session does not start an editor", .tags(.security))
    func editor() {
        let run = harness.talk("Person | count", ".edit", ".edit 1", on: file)
        #expect(
            run.errors.components(of: "error: --safe does not allow shell commands\n") == 2,
            "\(run.errors)")
    }

    @Test("A safe session does not end when the database is closed", .tags(.security))
    func oneWay() {
        let run = harness.talk(
            ".close", ".open '\(file)'", ".shell true", ".read x", "Person | count", on: file)
        #expect(run.errors.components(of: "error: --safe does not allow ") == 3, "\(run.errors)")
        #expect(run.output == "")
    }

    @Test("A safe session does not expand environment variables", .tags(.security))
    func expansion() {
        var harness = harness
        harness.variables = ["HOME": "/somewhere", "SECRET": "shown"]
        let run = harness.run(
            """
            .set home $HOME
            .set secret ${SECRET}
            .set tilde ~
            .set command $(printf sh%s own)
            .set backquotes `printf sh%s own`
            .vars
            Person name == "$SECRET" | count
            """, on: file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.output.contains("shown") && !run.output.contains("somewhere"))
        #expect(run.output.contains(#"{"name":"home","value":"\"$HOME\""}"#), "\(run.output)")
        #expect(run.output.contains(#"{"name":"tilde","value":"\"~\""}"#))
        #expect(run.output.hasSuffix("{\"count\":0}\n"))
    }

    /// Without a terminal, data was printed unchanged.
    @Test(
        "A safe session escapes data in every format, for every reader", .tags(.security),
        arguments: PrintedQuery.formatNames)
    func escaping(format: String) {
        let text = ".mode \(format)\nPerson id == 1 | project(name)\n"
        let run = harness.run(text, on: file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("abc") || run.output.contains("616263"), "\(run.output)")
        #expect(
            HostileText.harmful(in: run.output).isEmpty, "\(run.output.debugDescription)")
        guard format == "csv" else { return }
        var trusting = harness
        trusting.invocation.isSafe = false
        #expect(trusting.run(text, on: file).output == "name\n\(HostileText.sample)\n")
    }

    @Test("A safe session escapes data in reports, too", .tags(.security))
    func reports() {
        let run = harness.run(
            """
            .capture text Person id == 1 | project(name)
            .vars
            Person name == $text | project(name)
            .chain
            .code rql
            .code shell
            .save last
            .results
            .describe Person
            .profile Person name == $text
            .explain on
            Person name == $text
            """, on: file)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("abc"))
        #expect(
            HostileText.harmful(in: run.output + run.errors).isEmpty,
            "\((run.output + run.errors).debugDescription)")
    }
}
