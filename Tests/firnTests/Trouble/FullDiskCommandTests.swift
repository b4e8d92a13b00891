import FirnEngine
import FirnPlatform
import FirnTesting
import Testing

/// The real command with a file size limit, and on a real full disk, of every size between too
/// small for anything and large enough.
@Suite("The firn program without space")
struct FullDiskCommandTests {
    /// A command that needs space.
    struct Work: Sendable, CustomTestStringConvertible {
        let name: String
        /// The words, with FILE for the database, OUT for an output.
        let words: [String]
        var input = ""
        /// Whether it changes FILE.
        var changes = false

        var testDescription: String { name }
    }

    private static let records = (1000..<1800)
        .map { "{\"id\":\($0),\"name\":\"somebody with the name \($0 &* 2_654_435_761)\"}\n" }
        .joined()
    private static let table =
        "id,name\n" + (0..<800).map { "\($0),name \($0 &* 2_654_435_761)\n" }.joined()

    private static let works = [
        Work(name: "export a database", words: ["export", "FILE", "OUT", "-q"]),
        Work(
            name: "export csv",
            words: ["export", "FILE", "OUT", "-c", "Person", "-f", "csv", "-q"]),
        Work(
            name: "create from csv",
            words: ["create", "OUT", "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: table),
        Work(
            name: "create from ndjson",
            words: ["create", "OUT", "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: records),
        Work(
            name: "write ndjson", words: ["write", "FILE", "-", "-c", "Person", "-q"],
            input: records, changes: true),
        Work(name: "compact", words: ["compact", "FILE", "-q"]),
        Work(name: "compact -o", words: ["compact", "FILE", "-o", "OUT", "-q"]),
        Work(name: "freeze -o", words: ["freeze", "FILE", "--at", "first", "-o", "OUT", "-q"]),
    ]

    private let firn: CommandRunner
    private let image: DatabaseImage
    private let before: DatabaseContent

    init() throws {
        firn = CommandRunner(try builtExecutable(named: "firn"))
        let folder = TemporaryFolder()
        let file = folder("base.firn")
        for (words, input) in [
            (
                ["create", file, "--from", "-", "--class", "Person", "--key", "id", "-q"],
                Self.table
            ),
            (["freeze", file, "first", "-q"], ""),
            (["write", file, "-x", "Person id >= 300 | delete", "-q"], ""),
        ] {
            let run = try firn.run(words, input: input)
            guard run.status == 0 else { throw ProgramError("\(run)") }
        }
        image = try DatabaseImage(of: file)
        before = try DatabaseContent(at: file)
    }

    private func words(_ work: Work, _ folder: TemporaryFolder) -> [String] {
        work.words.map { $0 == "FILE" ? folder("work.firn") : $0 == "OUT" ? folder("made") : $0 }
    }

    @Test(
        "A file size limit is reported, leaves nothing half done, and loses nothing",
        arguments: works)
    func sizeLimit(work: Work) throws {
        // The shell counts in 512 bytes. A database starts with 32 of them.
        let step = max(1, 8 / TestScale.factor)
        var blocks = Int(TestScale.firstSeed % UInt64(step))
        var failures = 0
        while blocks < 4000 {
            let folder = TemporaryFolder()
            try image.put(at: folder("work.firn"))
            let run = try CommandRunner("/bin/sh").run(
                ["-c", "ulimit -f \(blocks); exec \"$0\" \"$@\"", firn.executable]
                    + words(work, folder), input: work.input)
            try check(run, work, folder, "\(work.name), \(blocks) blocks: \(run)")
            RunCounters.fullDisks.add(1)
            if run.status == 0 { break }
            failures += 1
            // The steps grow, because the small sizes are the interesting ones.
            blocks += step + blocks / 8
        }
        #expect(failures > 0, "\(work.name) may always write")
    }

    private func check(
        _ run: CommandResult, _ work: Work, _ folder: TemporaryFolder, _ what: String
    ) throws {
        #expect(run.signal == nil && !run.isTimedOut, "\(what)")
        let file = folder("work.firn")
        guard run.status != 0 else {
            if !work.changes { #expect(try DatabaseContent(at: file) == before, "\(what)") }
            return
        }
        #expect(run.status == 74, "\(what)")
        #expect(run.errorText.hasPrefix("error: "), "\(what)")
        let reasons = ["the file would become too large", "the file would be larger than allowed"]
        #expect(reasons.contains { run.errorText.contains($0) }, "\(what)")
        #expect(try DatabaseContent(at: file) == before, "\(what)")
        #expect(folder.names == ["work.firn"], "\(what)")
        #expect(try firn.run(["check", file, "--deep", "-q"], input: "").status == 0, "\(what)")
        let again = try firn.run(words(work, folder), input: work.input)
        #expect(again.status == 0, "\(again) after \(what)")
    }

    // MARK: A real disk

    /// Mounts a small private disk, works there, and checks the result with space again.
    ///
    /// The last line of the output is the number of objects; the status is 200 if mounting is
    /// impossible.
    private static let script = """
        disk="$1" size="$2" base="$3" firn="$4"
        shift 4
        mount -t tmpfs -o "size=${size}k" firn-test "$disk" 2>/dev/null || exit 200
        cp "$base" "$disk/work.firn" || exit 201
        cd "$disk" || exit 201
        "$firn" "$@"
        status=$?
        mount -o remount,size=64m "$disk" || exit 202
        "$firn" check work.firn --deep -q || exit 203
        "$firn" query work.firn Person --count -r
        ls -A
        exit "$status"
        """

    @Test("A full disk loses nothing, and no command is killed by a signal", arguments: works)
    func smallDisk(work: Work) throws {
        let folder = TemporaryFolder()
        try image.put(at: folder("base.firn"))
        let size = try #require(try SystemFileSystem().status(of: folder("base.firn"))).size
        let words = work.words.map { $0 == "FILE" ? "work.firn" : $0 == "OUT" ? "made" : $0 }
        let disk = TemporaryFolder()
        let first = Int(size + 4095) / 4096 * 4
        var (room, failures) = (first, 0)
        while room < first + 4096 {
            let run = try CommandRunner("/usr/bin/env").run(
                ["unshare", "-m", "sh", "-c", Self.script, "sh", disk.path, "\(room)"]
                    + [folder("base.firn"), firn.executable] + words, input: work.input)
            // Not every user may mount a disk.
            guard let status = run.status, ![1, 126, 127, 200].contains(status) else { return }
            let what = "\(work.name), \(room) KiB: \(run)"
            #expect([0, 74].contains(status), "\(what)")
            let lines = run.outputText.split(separator: "\n")
            let isChanged = work.changes && status == 0
            #expect(lines.first == (isChanged ? "1100" : "300"), "\(what)")
            RunCounters.fullDisks.add(1)
            if status == 0 { break }
            #expect(lines.dropFirst() == ["work.firn"], "\(what)")
            #expect(run.errorText.contains("no space left on the "), "\(what)")
            failures += 1
            room += max(4, 16 / TestScale.factor) / 4 * 4
        }
        #expect(failures > 0, "\(work.name) always has space")
    }
}
