import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Named versions")
struct FreezeTests {
    private var harness = CommandHarness()
    private let clock = SimulatedClock()

    init() { harness.use(clock) }

    private func makePeople() throws -> String { try harness.makePeople() }

    private func count(_ file: String, _ at: String? = nil) -> String {
        let run = harness.run(
            ["query", file, "Person", "--count", "-r"] + (at.map { ["--at", $0] } ?? []))
        return run.status == 0 ? String(run.output.dropLast()) : run.errors
    }

    private func delete(_ file: String, _ id: Int) throws {
        let run = harness.run(["write", file, "-x", "Person id == \(id) | delete", "-q"])
        try #require(run.status == 0, "\(run.errors)")
    }

    @Test("A freeze stays readable under its name, whatever is written afterwards")
    func freeze() throws {
        let file = try makePeople()
        let made = harness.run(["freeze", file, "before", "--note", "three people"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            made.output.hasPrefix(
                """
                {"v":1,"type":"freeze","name":"before","version":1,\
                "created":"2026-01-01T00:00:00Z","expires":null,"note":"three people",\
                "file":"\(file)","objects":3,"bytes_held":
                """), "\(made.output)")
        #expect(made.errors.isEmpty, "\(made.errors)")
        try delete(file, 7)
        try delete(file, 9)
        #expect(count(file) == "1")
        for at in ["before", "1", "2", "@-2", "@-3"] { #expect(count(file, at) == "3", "\(at)") }
        #expect(count(file, "3") == "2")
        #expect(count(file, "@-1") == "2")
        #expect(count(file, "4") == "1")
        #expect(count(file, "@-0") == "1")
        let exported = harness.run(["export", file, harness.folder("old.csv"), "--at", "before"])
        #expect(exported.output.contains(#""version":1,"objects":3"#), "\(exported)")
        let stats = harness.run(["stats", file, "--at", "before"])
        #expect(stats.output.contains(#""version":1,"newest":4,"#), "\(stats)")
        #expect(harness.run(["schema", file, "--at", "before", "-f", "text"]).status == 0)
        let check = harness.run(["check", file, "--deep"])
        #expect(check.status == 0)
        #expect(
            check.output.contains(#""version":4,"#) && !check.output.contains(#""keptRoots":0"#))
        let text = harness.run(["check", file, "--deep", "-f", "text"]).output
        #expect(text.contains(" of version 4, nor in "), "\(text)")
        #expect(text.contains(" kept root"), "\(text)")
    }

    @Test("An older version can be frozen, too")
    func older() throws {
        let file = try makePeople()
        try delete(file, 7)
        try delete(file, 9)
        for (name, at) in [("first", "1"), ("second", "@-2"), ("also-first", "first")] {
            let run = harness.run(["freeze", file, name, "--at", at, "--expires", "never"])
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(count(file, "first") == "3")
        #expect(count(file, "second") == "2")
        #expect(count(file, "also-first") == "3")
        #expect(count(file) == "1")
    }

    @Test("Freezes are listed as text, as lines and as an array")
    func list() throws {
        let file = try makePeople()
        #expect(harness.run(["freeze", file, "--list"]).output.isEmpty)
        #expect(harness.run(["freeze", file, "--list", "-f", "json"]).output == "[]\n")
        let none = harness.run(["freeze", file, "--list", "-f", "text"])
        #expect(none.output.isEmpty && none.errors == "\(file) has no freezes\n")
        #expect(
            harness.run(["freeze", file, "a", "--expires", "7d", "--note", "n\u{1B}", "-q"]).status
                == 0)
        clock.advance(nanoseconds: 3 * 86_400_000_000_000)
        #expect(harness.run(["freeze", file, "b", "--expires", "never", "-q"]).status == 0)
        let lines = harness.run(["freeze", file, "--list"]).output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.first?.hasPrefix(
                #"{"v":1,"type":"freeze","name":"a","version":1,"created":"2026-01-01T00:00:00Z","#
                    + #""expires":"2026-01-08T00:00:00Z","note":"n\u001b","bytes_held":"#) == true,
            "\(lines)")
        #expect(
            harness.run(["freeze", file, "--list", "-f", "json"]).output
                == "[\n\(lines.joined(separator: ",\n"))\n]\n")
        let text = harness.run(["freeze", file, "--list", "-f", "text"]).output
        let rows = text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(rows.first == "name version age expires keeps note")
        #expect(rows.dropFirst().first?.hasPrefix("a 1 3 days in 4 days ") == true, "\(text)")
        #expect(rows.dropFirst().first?.hasSuffix(" n\\x1b") == true, "\(text)")
        #expect(rows.last?.hasPrefix("b 2 0 s never ") == true, "\(text)")
    }

    @Test("An existing freeze, a missing one and a dropped one are reported")
    func existence() throws {
        let file = try makePeople()
        #expect(harness.run(["freeze", file, "--exists", "nightly"]).status == 1)
        for name in ["nightly", "weekly"] {
            #expect(harness.run(["freeze", file, name, "-q", "--expires", "1d"]).status == 0)
        }
        #expect(harness.run(["freeze", file, "--exists", "nightly"]).status == 0)
        let twice = harness.run(["freeze", file, "nightly", "--errors", "json"])
        #expect(twice.status == 73)
        #expect(twice.errors.contains(#""code":"freeze.exists","exit":73"#), "\(twice.errors)")
        let missing = harness.run(["query", file, "Person", "--at", "nihgtly"])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("did you mean \"nightly\"?"), "\(missing.errors)")
        #expect(missing.errors.contains("freezes: nightly, weekly"), "\(missing.errors)")
        // All of them or none.
        let some = harness.run(["freeze", file, "--drop", "weekly", "nope"])
        #expect(some.status == 66, "\(some.errors)")
        #expect(harness.run(["freeze", file, "--exists", "weekly"]).status == 0)
        let dropped = harness.run(["freeze", file, "--drop", "weekly", "nightly", "weekly"])
        #expect(dropped.status == 0, "\(dropped.errors)")
        #expect(
            dropped.output.contains(
                #""type":"freeze","file":"\#(file)","dropped":["weekly","nightly"]"#))
        #expect(harness.run(["freeze", file, "--list"]).output.isEmpty)
        #expect(harness.run(["freeze", file, "nightly", "-q"]).status == 0)
    }

    @Test("An expired freeze does not count, and its name is free")
    func expiry() throws {
        let file = try makePeople()
        #expect(harness.run(["freeze", file, "short", "--expires", "1h", "-q"]).status == 0)
        clock.advance(nanoseconds: 3599 * 1_000_000_000)
        #expect(harness.run(["freeze", file, "--exists", "short"]).status == 0)
        clock.advance(nanoseconds: 1_000_000_000)
        #expect(harness.run(["freeze", file, "--exists", "short"]).status == 1)
        #expect(harness.run(["freeze", file, "--list"]).output.isEmpty)
        #expect(harness.run(["query", file, "Person", "--at", "short"]).status == 66)
        let again = harness.run(["freeze", file, "short", "--expires", "1h"])
        #expect(again.status == 0, "\(again.errors)")
        #expect(harness.run(["freeze", file, "--list"]).output.contains(#""version":2"#))
    }

    @Test(
        "A freeze that never expires prints a warning on a changing file, unless that is explicit")
    func warning() throws {
        let file = try makePeople()
        try delete(file, 7)
        try delete(file, 9)
        let run = harness.run(["freeze", file, "a"])
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("warning: freeze \"a\" does not expire"), "\(run.errors)")
        #expect(harness.run(["freeze", file, "b", "--expires", "never"]).errors.isEmpty)
        #expect(harness.run(["freeze", file, "c", "--expires", "2w"]).errors.isEmpty)
        #expect(harness.run(["freeze", file, "d", "-q"]).errors.isEmpty)
    }

    @Test(
        "A missing or future version is reported with the readable versions",
        arguments: ["99", "@-99"])
    func gone(at: String) throws {
        let file = try makePeople()
        try delete(file, 7)
        for words in [
            ["query", file, "Person"], ["export", file], ["schema", file], ["stats", file],
            ["freeze", file, "name"], ["freeze", file, "-o", harness.folder("out.firn")],
        ] {
            let run = harness.run(words + ["--at", at])
            #expect(run.status == 69, "\(words): \(run.errors)")
            #expect(run.errors.contains("can be read"), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
        let json = harness.run(["query", file, "Person", "--at", "99", "--errors", "json"])
        #expect(json.errors.contains(#""code":"history.gone","exit":69,"retryable":false"#))
        #expect(harness.run(["freeze", file, "--list"]).output.isEmpty)
        #expect(!harness.folder.names.contains("out.firn"))
    }

    @Test("A copy is an independent database")
    func copy() throws {
        let file = try makePeople()
        #expect(harness.run(["freeze", file, "before", "-q"]).status == 0)
        try delete(file, 7)
        let copy = harness.folder("copy.firn")
        let run = harness.run(["freeze", file, "--at", "before", "-o", copy])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.hasPrefix(
                #"{"v":1,"type":"freeze","file":"\#(file)","output":"\#(copy)","version":1,"objects":3,"bytes":"#
            ), "\(run.output)")
        #expect(count(copy) == "3")
        #expect(harness.run(["check", copy, "--deep", "-q"]).status == 0)
        #expect(harness.run(["freeze", copy, "--list"]).output.isEmpty)
        #expect(harness.run(["write", copy, "-x", "Person | delete", "-q"]).status == 0)
        #expect(count(file, "before") == "3")
        let again = harness.run(["freeze", file, "-o", copy])
        #expect(again.status == 73, "\(again.errors)")
        #expect(count(copy) == "0")
        let folder = harness.run(["freeze", file, "-o", harness.folder("no/such.firn")])
        #expect(folder.status == 73, "\(folder.errors)")
        #expect(folder.errors.contains("no such folder"))
        let newest = harness.folder("newest.firn")
        let text = harness.run(["freeze", file, "-o", newest, "-f", "text"])
        #expect(text.output.hasPrefix("wrote \(newest): 2 objects of version 3, "), "\(text)")
        #expect(harness.folder.names == ["copy.firn", "newest.firn", "people.csv", "people.firn"])
    }

    @Test("An interrupted copy leaves no file")
    func interruptedCopy() throws {
        var harness = harness
        let file = try makePeople()
        harness.signal = Signals.interrupt
        let run = harness.run(["freeze", file, "-o", harness.folder("copy.firn")])
        #expect(run.ending == .signal(Signals.interrupt))
        #expect(harness.folder.names == ["people.csv", "people.firn"])
    }
}
