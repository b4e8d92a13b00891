import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

/// The real command, killed before and in the middle of every call that changes the disk, and with
/// an error at every one of them.
@Suite("The firn program with a failure at any call")
struct CommandTroubleTests {
    /// A command that changes data.
    struct Work: Sendable, CustomTestStringConvertible {
        let name: String
        /// The words, with FILE for the database and OUT for an output.
        let words: [String]
        /// Lines of input that are transactions of their own, if any.
        var input: [String] = []
        /// Whether it creates FILE.
        var isCreation = false
        /// Whether a process died earlier and left a log beside the database.
        var beginsWithLog = false

        var testDescription: String { name }
    }

    private static let works = [
        Work(
            name: "create",
            words: ["create", "FILE", "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: ["id,name\n1,Ann\n2,Bo\n3,Cy\n"], isCreation: true),
        Work(name: "write -x", words: ["write", "FILE", "-x", "Person id < 9 | delete", "-q"]),
        Work(
            name: "write records", words: ["write", "FILE", "-", "-c", "Person", "-q"],
            input: ["{\"id\":900,\"name\":\"New\"}\n{\"id\":901,\"name\":\"Newer\"}\n"]),
        Work(
            name: "write batches",
            words: ["write", "FILE", "-", "-c", "Person", "--batch", "1", "-q"],
            input: (900..<904).map { "{\"id\":\($0),\"name\":\"New\"}\n" }),
        Work(
            name: "write beside a log",
            words: ["write", "FILE", "-", "-c", "Person", "--batch", "1", "-q"],
            input: (950..<952).map { "{\"id\":\($0),\"name\":\"Late\"}\n" }, beginsWithLog: true),
        Work(name: "alter", words: ["alter", "FILE", "remove Person.name", "-q"]),
        Work(name: "freeze", words: ["freeze", "FILE", "second", "-q"]),
        Work(name: "drop", words: ["freeze", "FILE", "--drop", "first", "-q"]),
        Work(
            name: "freeze a log", words: ["freeze", "FILE", "second", "-q"], beginsWithLog: true),
        Work(name: "freeze -o", words: ["freeze", "FILE", "--at", "first", "-o", "OUT", "-q"]),
        Work(name: "compact", words: ["compact", "FILE", "-q"]),
        Work(name: "compact a log", words: ["compact", "FILE", "-q"], beginsWithLog: true),
        Work(name: "compact -o", words: ["compact", "FILE", "-o", "OUT", "-q"]),
        Work(name: "export", words: ["export", "FILE", "OUT", "-f", "ndjson", "-q"]),
        Work(
            name: "export csv",
            words: ["export", "FILE", "OUT", "-c", "Person", "-f", "csv", "-q"]),
        Work(
            name: "export a log", words: ["export", "FILE", "OUT", "-f", "ndjson", "-q"],
            beginsWithLog: true),
        Work(
            name: "compact a log -o", words: ["compact", "FILE", "-o", "OUT", "-q"],
            beginsWithLog: true),
        Work(
            name: "alter a log", words: ["alter", "FILE", "remove Person.name", "-q"],
            beginsWithLog: true),
        Work(
            name: "create from ndjson",
            words: ["create", "FILE", "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: ["{\"id\":1,\"name\":\"Ann\"}\n{\"id\":2,\"name\":\"Bo\"}\n"],
            isCreation: true),
        Work(
            name: "write upsert",
            words: ["write", "FILE", "-", "-c", "Person", "--upsert", "--batch", "1", "-q"],
            input: [3, 900, 4].map { "{\"id\":\($0),\"name\":\"Other\"}\n" }),
    ]

    private let firn: CommandRunner
    private let troubled: CommandRunner
    /// Initial databases.
    private let plain: DatabaseImage
    private let logged: DatabaseImage

    init() throws {
        firn = CommandRunner(try builtExecutable(named: "firn"))
        troubled = CommandRunner(try builtExecutable(named: "firn-fault"))
        let folder = TemporaryFolder()
        let file = folder("base.firn")
        func run(_ runner: CommandRunner, _ words: [String], _ input: String = "") throws {
            let run = try runner.run(words, input: input)
            guard run.status == 0 || run.signal == 9 else { throw ProgramError("\(run)") }
        }
        try run(
            firn, ["create", file, "--from", "-", "--class", "Person", "--key", "id", "-q"],
            "id,name\n" + (0..<300).map { "\($0),name \($0)\n" }.joined())
        try run(firn, ["freeze", file, "first", "-q"])
        try run(firn, ["write", file, "-x", "Person id >= 100 | delete", "-q"])
        plain = try DatabaseImage(of: file)
        // Killed after some commits, before the log is folded.
        let records = (900..<910).map { "{\"id\":\($0),\"name\":\"Old\"}\n" }.joined()
        try run(
            troubled,
            ["kill", "40", "write", file, "-", "-c", "Person", "--batch", "1", "-q"], records)
        logged = try DatabaseImage(of: file)
        guard logged.hasLog else { throw ProgramError("nobody died with a log") }
    }

    /// One command with one failure, and its state before and after.
    private struct Attempt {
        let folder = TemporaryFolder()
        var file: String { folder("work.firn") }
        var output: String { folder("made.out") }

        func words(_ work: Work) -> [String] {
            work.words.map { $0 == "FILE" ? file : $0 == "OUT" ? output : $0 }
        }
    }

    /// The states that a command may leave: before, between its transactions, and after.
    private func states(_ work: Work) throws -> [DatabaseContent?] {
        var states: [DatabaseContent?] = []
        if work.isCreation {
            states.append(nil)
        } else {
            let attempt = Attempt()
            try image(work).put(at: attempt.file)
            states.append(try DatabaseContent(at: attempt.file))
        }
        for count in 1...max(1, work.input.count) {
            let attempt = Attempt()
            if !work.isCreation { try image(work).put(at: attempt.file) }
            let run = try firn.run(
                attempt.words(work), input: work.input.prefix(count).joined())
            guard run.status == 0 else { throw ProgramError("\(work.name): \(run)") }
            states.append(try DatabaseContent(at: attempt.file))
        }
        return states
    }

    private func image(_ work: Work) -> DatabaseImage { work.beginsWithLog ? logged : plain }

    private static let troubles: [(trouble: Trouble, stride: Int)] = [
        (.kill, 1), (.killHalfway, 3), (.fails(errno: 5), 4), (.fails(errno: 28), 5),
        (.failsForGood(errno: 28), 5), (.fails(errno: 27), 8), (.fails(errno: 122), 8),
    ]

    @Test(
        "A failure is reported and leaves a consistent state, and the next command works",
        arguments: works
    )
    func everyCall(work: Work) throws {
        let states = try states(work)
        var calls = 0
        for (trouble, stride) in Self.troubles {
            let step = max(1, stride / TestScale.factor)
            var ordinal = 1 + Int(TestScale.firstSeed % UInt64(step))
            while try run(work, trouble, at: ordinal, states) {
                calls = max(calls, ordinal)
                ordinal += step
            }
        }
        #expect(calls > 2, "\(work.name) has only \(calls) calls")
    }

    /// - Returns: whether there were enough calls.
    private func run(
        _ work: Work, _ trouble: Trouble, at ordinal: Int, _ states: [DatabaseContent?]
    ) throws -> Bool {
        let attempt = Attempt()
        if !work.isCreation { try image(work).put(at: attempt.file) }
        let run = try troubled.run(
            [trouble.word, "\(ordinal)"] + attempt.words(work), input: work.input.joined())
        guard !run.errorText.hasSuffix("\(TroubleReport.untouched)\n") else { return false }
        let what = "\(work.name), \(trouble.word) \(ordinal): \(run)"
        switch trouble {
        case .kill, .killHalfway:
            RunCounters.kills.add(1)
            guard run.signal == 9 else { throw ProgramError("not killed: \(what)") }
        default:
            RunCounters.refusals.add(1)
            #expect(run.signal == nil && !run.isTimedOut, "\(what)")
            #expect([0, 73, 74, 76].contains(run.status), "\(what)")
            #expect(run.status == 0 || run.errorText.hasPrefix("error: "), "\(what)")
        }
        try check(attempt, work, run, states, what)
        return true
    }

    private func check(
        _ attempt: Attempt, _ work: Work, _ run: CommandResult, _ states: [DatabaseContent?],
        _ what: String
    ) throws {
        let isThere = try SystemFileSystem().status(of: attempt.file) != nil
        let found = isThere ? try DatabaseContent(at: attempt.file) : nil
        #expect(states.contains(found), "\(what)")
        // 76: everything was committed, and a later step failed.
        if [0, 76].contains(run.status) { #expect(found == states.last, "\(what)") }
        // Only the database, its log, requested outputs, and leftovers of a kill during a creation:
        // hidden files, or files whose name the next creation reuses.
        let known = Set(DatabaseImage.suffixes.map { "work.firn\($0)" } + ["made.out"])
        let orphans = attempt.folder.names.filter { !known.contains($0) }
        #expect(
            orphans.allSatisfy {
                $0.hasPrefix(".") && $0.hasSuffix(".tmp") || $0.hasPrefix("work.firn-log-")
                    || $0.hasPrefix("work.firn-shm-")
            }, "\(orphans) \(what)")
        // The unfinished database and a spooled pipe; or the file whose removal was refused.
        #expect(orphans.count <= (run.signal != nil ? 2 : 1), "\(orphans) \(what)")
        if !isThere {
            let again = try firn.run(attempt.words(work), input: work.input.joined())
            #expect(again.status == 0, "\(again) after \(what)")
        }
        try goOn(attempt, what)
    }

    /// The next process finds a sound database and commits to it; closed, it is one file.
    private func goOn(_ attempt: Attempt, _ what: String) throws {
        let store = try Store.open(attempt.file, readOnly: false)
        let before = try DatabaseContent(store)
        let transaction = try store.beginWrite()
        try transaction.freeze(name: "afterwards")
        _ = try transaction.commit()
        try store.close()
        let after = try Store.open(attempt.file, readOnly: true)
        var verifier = Verifier(after, isDeep: true)
        let findings = try verifier.run().findings.filter { $0.kind != .superblock }
        #expect(findings.map(\.message) == [], "\(what)")
        #expect(
            try DatabaseContent(after).lines.filter { $0 != "freeze afterwards" } == before.lines,
            "\(what)")
        let files = attempt.folder.names.filter { $0.hasPrefix("work.firn") }
        #expect(files == ["work.firn"], "\(what)")
        if attempt.folder.names.contains("made.out"), !what.hasPrefix("export") {
            let made = try Store.open(attempt.output, readOnly: true)
            var verifier = Verifier(made, isDeep: true)
            #expect(try verifier.run().findings.map(\.message) == [], "\(what)")
        }
    }
}
