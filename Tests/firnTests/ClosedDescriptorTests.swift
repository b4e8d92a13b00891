import FirnPlatform
import FirnTesting
import Testing

/// A cron job, a daemon or `<&- >&- 2>&-` starts a program without some of its three standard
/// descriptors. The database that it opened next became descriptor 2, and every error was written
/// over its beginning: `firn write q.firn bad.nd -c E --on-error skip --errors json <&- >&- 2>&-` lost
/// everything. With standard output missing, results went into a pipe of the program's own, the
/// status was 0, and the cursor of a stream moved although no line had been delivered.
@Suite("The firn program without its standard descriptors")
struct ClosedDescriptorTests {
    private let folder = TemporaryFolder()
    private let firn: String
    private let file: String
    private let image: DatabaseImage

    init() throws {
        firn = try builtExecutable(named: "firn")
        let runner = CommandRunner(firn)
        file = try runner.makePeople("id,name\n1,Ann\n2,Bo\n", in: folder)
        for words in [
            ["freeze", file, "first", "-q"],
            ["write", file, "-x", "Person id == 2 | delete", "-q"],
        ] {
            let run = try runner.run(words, input: "")
            try #require(run.status == 0, "\(run)")
        }
        image = try DatabaseImage(of: file)
        let wrong = String(repeating: "{\"id\":\"no number\"}\n", count: 60)
        try DatabaseImage.put(Array(wrong.utf8), at: folder("wrong.ndjson"))
        try DatabaseImage.put(
            Array("{\"id\":7,\"name\":\"Cy\"}\n".utf8), at: folder("right.ndjson"))
    }

    /// Every command, in a form that succeeds, one that fails, or both.
    ///
    /// FILE is a database, OUT a free name, and IN a folder with inputs.
    private static let commands: [[String]] = [
        ["query", "FILE", "Person"], ["query", "FILE", "Person", "-o", "OUT", "-f", "csv"],
        ["query", "FILE", "Nobody", "--errors", "json"], ["query", "FILE", "Person", "--explain"],
        ["export", "FILE", "-f", "csv", "-c", "Person"], ["export", "FILE", "OUT"],
        ["write", "FILE", "IN/wrong.ndjson", "-c", "Person", "--on-error", "skip"],
        [
            "write", "FILE", "IN/wrong.ndjson", "-c", "Person", "--on-error", "skip", "--errors",
            "json",
        ],
        ["write", "FILE", "IN/wrong.ndjson", "-c", "Person"],
        ["write", "FILE", "IN/right.ndjson", "-c", "Person", "--batch", "1"],
        ["write", "FILE", "-", "-c", "Person"], ["write", "FILE", "-x", "Person | delete", "-q"],
        ["create", "OUT", "--from", "IN/right.ndjson", "--class", "P"],
        ["create", "OUT", "--from", "IN/nothing.csv"], ["alter", "FILE", "remove Person.name"],
        ["alter", "FILE", "remove Person.nothing"], ["freeze", "FILE", "second"],
        ["freeze", "FILE", "first"], ["freeze", "FILE", "--list"],
        ["freeze", "FILE", "--thaw", "first"], ["freeze", "FILE", "-o", "OUT"],
        ["compact", "FILE"], ["compact", "FILE", "-o", "OUT"], ["schema", "FILE"],
        ["stats", "FILE", "--sessions"], ["check", "FILE", "--deep"],
        ["check", "FILE", "--salvage", "OUT"], ["log", "FILE"],
        ["diff", "FILE", "--from", "first"],
        ["observe", "FILE", "Person", "--timeout", "30ms", "--errors", "json"],
        ["observe", "FILE", "Person", "--timeout", "30ms", "--exec", "cat; echo told >&2 || :"],
        ["observe", "FILE", "Person", "--shape", "rows", "--count", "1", "--timeout", "30ms"],
        ["repl", "FILE"], ["FILE"], ["completions", "bash"], ["help"], ["help", "exit-codes"],
        ["--version"], ["nonsense"],
    ]

    /// Commands whose output does not depend on the time.
    private static let repeatable: Set<String> = ["query", "export", "schema", "log", "help"]

    /// Every non-empty set of standard descriptors to close.
    private static let choices = (1...7).map { choice in
        (0...2).filter { choice & 1 << $0 != 0 }
    }

    private func run(_ words: [String], closing numbers: [Int]) throws -> CommandResult {
        try run(words, numbers.map { "\($0)>&-" }.joined(separator: " "))
    }

    /// Runs a command with redirections of the shell.
    private func run(_ words: [String], _ redirections: String) throws -> CommandResult {
        for name in folder.names where !name.hasSuffix(".ndjson") {
            try SystemFileSystem().remove(folder(name))
        }
        try image.put(at: file)
        let words = words.map { word in
            if word == "FILE" { return file }
            // Only at the beginning: the random name of the folder once ended in IN.
            if word.hasPrefix("IN/") { return folder(String(word.dropFirst(3))) }
            return word == "OUT" ? folder("out") : word
        }
        // Without standard input, firn once read from a pipe of its own and waited forever.
        return try CommandRunner("/bin/sh", timeoutSeconds: 20).run(
            ["-c", "exec \"$0\" \"$@\" \(redirections)", firn] + words, input: [], in: folder.path)
    }

    @Test(
        "No message is written into a file, and the status shows that a result was lost",
        .tags(.security), arguments: commands)
    func everyCommand(words: [String]) throws {
        let whole = try run(words, closing: [])
        try #require(whole.status != nil, "\(whole)")
        let made = folder.names
        for numbers in Self.choices {
            let run = try run(words, closing: numbers)
            if numbers.contains(1), !whole.output.isEmpty {
                #expect(run.status != 0 && run.status != nil, "without \(numbers): \(run)")
            } else {
                #expect(run.status == whole.status, "without \(numbers): \(run)")
                #expect(folder.names == made, "without \(numbers)")
                if Self.repeatable.contains(words[0]), !words.contains("OUT") {
                    #expect(run.output == whole.output, "without \(numbers): \(run)")
                }
            }
            for name in folder.names where !name.hasSuffix(".ndjson") {
                let bytes = try DatabaseImage.bytes(of: folder(name))
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains("error:"), "without \(numbers): \(name)")
                #expect(!text.contains("\"type\":\"error\""), "without \(numbers): \(name)")
                #expect(!text.contains("told\n"), "without \(numbers): \(name)")
            }
            let check = try CommandRunner(firn).run(["check", file, "--deep", "-q"], input: "")
            #expect(check.status == 0, "without \(numbers): \(check)")
        }
    }

    @Test("A cursor does not advance unless its lines could be delivered", arguments: choices)
    func cursor(numbers: [Int]) throws {
        let cursor = folder("cursor")
        let run = try run(
            ["observe", "FILE", "Person", "--cursor-file", cursor, "--timeout", "30ms"],
            closing: numbers)
        #expect(run.status == (numbers.contains(1) ? 74 : 124), "\(run)")
        #expect(folder.names.contains("cursor") == !numbers.contains(1))
    }

    /// `firn query a.firn Person 1<>a.firn` wrote its rows over the superblock.
    @Test(
        "Output never goes into a database that the shell has opened", .tags(.security),
        arguments: ["1<>", "1>>", "2<>", "2>>"],
        [["query", "FILE", "Person"], ["query", "FILE", "Nobody"], ["help"], ["log", "FILE"]])
    func redirected(operation: String, words: [String]) throws {
        let run = try run(words, operation + "people.firn")
        #expect(run.status == 73, "\(run)")
        #expect(try DatabaseImage(of: file) == image, "\(words) \(operation)")
        if operation.hasPrefix("1") {
            #expect(run.errorText.contains("cannot write standard output"), "\(run)")
        }
    }

    /// The runtime reads its arguments from /proc: without a free descriptor every command printed the help
    /// and ended with 0.
    @Test("Without free descriptors, the command line is still read")
    func arguments() throws {
        // The loader of shared libraries needs one.
        let shell = CommandRunner("/bin/sh")
        let version = try shell.run(
            ["-c", "ulimit -n 4; exec \"$0\" --version", firn], input: "")
        #expect(version.status == 0 && version.outputText.hasPrefix("firn "), "\(version)")
        let wrong = try shell.run(["-c", "ulimit -n 4; exec \"$0\" nonsense", firn], input: "")
        #expect(wrong.status == 64, "\(wrong)")
    }
}
