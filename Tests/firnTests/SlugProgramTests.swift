import FirnCodec
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTesting
import FirnTools
import Foundation
import Testing

/// Every error has a name that scripts rely on: each is caused once, in the program itself.
@Suite("The names of errors")
struct SlugProgramTests {
    private let folder = TemporaryFolder()
    private let firn: CommandRunner
    private let troubled: CommandRunner
    private let people: String
    private let links: String

    init() throws {
        firn = CommandRunner(try builtExecutable(named: "firn"))
        troubled = CommandRunner(try builtExecutable(named: "firn-fault"))
        people = try firn.makePeople("id,name\n1,Ann\n2,Bo\n", in: folder)
        links = folder("links.firn")
        let schema = folder("schema.json")
        let text = """
            {"v":1,"classes":[{"name":"A","key":"id","properties":[
            {"name":"id","type":"Int"},{"name":"b","type":"B","optional":true},
            {"name":"e","type":"E","optional":true}]},
            {"name":"B","key":"id","properties":[{"name":"id","type":"Int"}]},
            {"name":"E","embedded":true,"properties":[{"name":"x","type":"Int"}]}]}
            """
        try DatabaseImage.put(Array(text.utf8), at: schema)
        for words in [
            ["create", links, "--schema", schema, "-q"], ["freeze", people, "there", "-q"],
        ] {
            let run = try firn.run(words, input: "")
            try #require(run.status == 0, "\(run)")
        }
    }

    /// The cause of an error; FILE and LINKS are databases, NEW is a free name.
    private struct Cause {
        let slug: Slug
        let words: [String]
        var input = ""
        var isTroubled = false

        init(_ slug: Slug, _ words: String..., input: String = "") {
            self.slug = slug
            self.words = words
            self.input = input
        }

        init(troubled slug: Slug, _ words: String...) {
            self.slug = slug
            self.words = words
            isTroubled = true
        }
    }

    private static let set = "Person | set name = \"y\""
    private static let parentheses = String(repeating: "(", count: 5000)

    private static let longField = "name\n" + String(repeating: "x", count: 17 << 20)

    private static let causes: [Cause] = [
        Cause(.usageArguments, "query", "FILE", "Person", "--bogus"),
        Cause(.usageUnknownCommand, "querry", "FILE"),
        Cause(.usageQuery, "query", "FILE", "Person | delete"),
        Cause(.fileMissing, "query", "NEW", "Person"),
        Cause(.fileExists, "create", "FILE", "--from", "-", "--class", "P", input: "id\n1\n"),
        Cause(.fileNotADatabase, "stats", "/dev/null"),
        Cause(.fileNotADatabase, "stats", "TEXT"),
        Cause(.fileCorrupt, "query", "CUT", "Person"),
        Cause(.fileFormatTooNew, "query", "LATER", "Person"),
        Cause(troubled: .fileReadOnly, "always-30", "1", "write", "FILE", "-x", set),
        Cause(troubled: .filePermission, "always-13", "1", "write", "FILE", "-x", set),
        Cause(.fileNotRegular, "query", "FILE", "Person", "-o", "/dev", "-f", "csv"),
        Cause(.fileLogMissing, "query", "LOGLESS", "Person"),
        Cause(.historyGone, "query", "FILE", "Person", "--at", "99"),
        Cause(.historyToken, "observe", "FILE", "Person", "--since", "abc"),
        Cause(.freezeMissing, "query", "FILE", "Person", "--at", "nothing"),
        Cause(.freezeExists, "freeze", "FILE", "there"),
        Cause(
            .writeDuplicateKey, "write", "FILE", "-", "-c", "Person", "--insert",
            input: #"{"id":1,"name":"x"}"#),
        Cause(.writeMissingKey, "write", "FILE", "-", "-c", "Person", input: #"{"name":"x"}"#),
        Cause(.writeMissingValue, "write", "FILE", "-", "-c", "Person", input: #"{"id":5}"#),
        Cause(
            .writeType, "write", "FILE", "-", "-c", "Person", input: #"{"id":"y","name":"x"}"#),
        Cause(
            .writeValue, "write", "FILE", "-", "-c", "Person",
            input: #"{"id":99999999999999999999,"name":"x"}"#),
        Cause(.writeDanglingLink, "write", "LINKS", "-", "-c", "A", input: #"{"id":1,"b":9}"#),
        Cause(.writeEmbedded, "write", "LINKS", "-", "-c", "E", input: #"{"x":1}"#),
        Cause(.writeConflict, "write", "FILE", "-x", set, "--if-version", "999"),
        Cause(.writeUnknownClass, "write", "FILE", "-", "-c", "Nobody", input: #"{"id":1}"#),
        Cause(
            .writeUnknownProperty, "write", "FILE", "-", "-c", "Person",
            input: #"{"id":1,"zip":1}"#),
        Cause(
            .writeUnknownObject, "write", "FILE", "-", "-c", "Person", "--update",
            input: #"{"id":9,"name":"x"}"#),
        Cause(.writeSchema, "alter", "FILE", "add Person.name Int"),
        Cause(
            .writeSubscription, "write", "ATTACHED", "-", "-c", "Person",
            input: #"{"id":9,"name":"x"}"#),
        Cause(.querySyntax, "query", "FILE", "Person name ==="),
        Cause(.queryUnknownClass, "query", "FILE", "Nobody"),
        Cause(.queryUnknownProperty, "query", "FILE", "Person nme == 1"),
        Cause(.queryType, "query", "FILE", "Person name > 3"),
        Cause(.queryMissingParameter, "query", "FILE", "Person id == $x"),
        Cause(.queryLimit, "query", "FILE", "Person \(parentheses)id == 1"),
        Cause(.queryNotOne, "query", "FILE", "Person", "--one"),
        Cause(.queryTimeout, "query", "FILE", "Person SORT(name)", "--timeout", "0ms"),
        Cause(.inputSyntax, "write", "FILE", "-", "-c", "Person", input: #"{"id":"#),
        Cause(.inputEncoding, "create", "NEW", "--from", "CUT", "--class", "P"),
        Cause(.inputLimit, "create", "NEW", "--from", "-", "--class", "P", input: longField),
        Cause(.limitExceeded, "query", "SUMS", "P | select(@sum.id)"),
        Cause(.inputNotAFile, "write", "FILE", "PIPES", "-c", "Person"),
        Cause(.transactionOpen, "FILE", input: ".begin\nPerson | delete\n"),
        Cause(.transactionMissing, "FILE", input: ".commit\n"),
        Cause(.safeRefused, "FILE", "--safe", input: ".shell ls\n"),
        Cause(troubled: .diskFull, "always-28", "1", "write", "FILE", "-x", set),
        Cause(troubled: .diskFull, "always-122", "1", "write", "FILE", "-x", set),
        Cause(.outputFailed, "FILE", input: ".once |false\nPerson\n"),
        Cause(.outputCannotCreate, "query", "FILE", "Person", "-o", "/nowhere/x.csv"),
        Cause(.configUnreadable, "query", "FILE", "Person", "--config", "NEW"),
        Cause(.configInvalid, "query", "FILE", "Person", "--config", "TEXT"),
        Cause(troubled: .inputOutput, "always-5", "1", "write", "FILE", "-x", set),
    ]

    /// Errors that need more than a command line, and the suites that cause them.
    private static let elsewhere: Set<Slug> = [
        // CompactionTroubleTests, TimeoutProgramTests: a process that holds a lock.
        .lockHeld, .commandTimeout,
        // CommittedReportTests: a standard output that accepts nothing.
        .outputAfterCommit,
        // TransactionTests, at a terminal: a script ends at the error before.
        .transactionFailed,
        // CreateTests: --link of a property that several objects share.
        .writeAmbiguousLink,
        // CreateMistakeTests: an input that changes between its two readings.
        .inputUnreadable,
        // The first is reported by the cancelled work itself; the second is a bug of the program.
        .queryCancelled, .internalError,
    ]

    @Test("All error names appear, with the status in the manual")
    func all() throws {
        try makeFiles()
        var seen = Self.elsewhere
        for cause in Self.causes {
            let runner = cause.isTroubled ? troubled : firn
            let run = try runner.run(
                cause.words.map(path) + ["--errors", "json"], input: cause.input)
            #expect(run.status == cause.slug.status.rawValue, "\(cause.words) \(run)")
            #expect(
                run.errorText.contains(
                    "\"type\":\"error\",\"code\":\"\(cause.slug.rawValue)\",\"exit\":\(cause.slug.status.rawValue),"
                ), "\(cause.words) \(run)")
            let human = try runner.run(cause.words.map(path), input: cause.input)
            #expect(human.status == run.status, "\(human)")
            #expect(human.errorText.contains("error: "), "\(human)")
            seen.insert(cause.slug)
        }
        #expect(Set(Slug.allCases).subtracting(seen) == [], "brought about by nobody")
        let check = try firn.run(["check", people, "--deep", "-q"], input: "")
        #expect(check.status == 0)
    }

    private func path(_ word: String) -> String {
        switch word {
        case "FILE": people
        case "LINKS": links
        case "NEW", "SUMS", "TEXT", "CUT", "LATER", "LOGLESS", "ATTACHED", "PIPES":
            folder(word)
        default: word
        }
    }

    /// Gives a file the class by which one that replicates with a server is known.
    private func attach(_ path: String) throws {
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        _ = try transaction.addClass(ClassDefinition(name: "firn.Upstream", properties: []))
        _ = try transaction.commit()
        try store.close()
    }

    private func makeFiles() throws {
        let sums = try firn.run(
            ["create", folder("SUMS"), "--from", "-", "--class", "P"],
            input: "id\n9223372036854775806\n9223372036854775807\n")
        try #require(sums.status == 0, "\(sums)")
        try DatabaseImage.put(Array("not a database".utf8), at: folder("TEXT"))
        try SystemFolder.make(folder("PIPES"))
        try #require(mkfifo(folder("PIPES/pipe"), 0o600) == 0)
        let whole = try DatabaseImage.bytes(of: people)
        try DatabaseImage.put(Array(whole.prefix(3000)), at: folder("CUT"))
        var later = whole
        for copy in 0..<4 {
            let start = copy * 4096
            later[start + 8] = 99
            let sum = later[start..<start + 504].withUnsafeBytes {
                Checksum.xxh64($0, seed: UInt64(copy))
            }
            for index in 0..<8 {
                later[start + 504 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index))
            }
        }
        try DatabaseImage.put(later, at: folder("LATER"))
        try DatabaseImage.put(whole, at: folder("ATTACHED"))
        try attach(folder("ATTACHED"))
        let source = folder("source.firn")
        try DatabaseImage.put(whole, at: source)
        let killed = try troubled.run(
            ["kill", "44", "write", source, "-", "-c", "Person", "--batch", "1", "-q"],
            input: (10..<18).map { "{\"id\":\($0),\"name\":\"x\"}\n" }.joined())
        try #require(killed.signal == 9, "\(killed)")
        try DatabaseImage.put(try DatabaseImage.bytes(of: source), at: folder("LOGLESS"))
    }
}
