import FirnEngine
import FirnPlatform
import FirnTesting
import Testing

/// Commands that change many objects, killed at any moment: the database has all of their changes or
/// none of them.
@Suite("Killed commands that change many objects", .serialized)
struct KilledStatementTests {
    /// A command that changes the database.
    enum Change: String, CaseIterable, Sendable {
        case insert, insertRecords, set, delete, compact

        /// - Parameters:
        ///   - file: the database.
        ///   - inputs: the folder of ``makeInputs(in:)``.
        fileprivate func arguments(_ file: String, _ inputs: TemporaryFolder) -> [String] {
            switch self {
            case .insert: ["write", file, inputs("more.csv"), "-c", "Item", "-q"]
            case .insertRecords: ["write", file, inputs("more.ndjson"), "-c", "Item", "-q"]
            // The text makes the transaction write pages.
            case .set:
                ["write", file, "-q", "-x", "Item n < 39000 | set n = n + 1, text = '\(longText)'"]
            case .delete: ["write", file, "-q", "-x", "Item n % 3 != 0 | delete"]
            case .compact: ["compact", file, "-q"]
            }
        }
    }

    private static let rowCount = 40_000
    private static let killCount = TestScale.scaled(6)
    private static let longText = String(repeating: "0123456789", count: 12)

    private let folder = TemporaryFolder()
    private let inputs = TemporaryFolder()
    private let runner: CommandRunner

    init() throws { runner = CommandRunner(try builtExecutable(named: "firn")) }

    /// Writes a table, and two inputs with further rows.
    private func makeInputs() throws {
        func write(_ name: String, _ lines: [String]) throws {
            let file = try SystemFileSystem().open(inputs(name), .createNew)
            let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        }
        func row(_ number: Int) -> String {
            "\(number * 7 % 100_003),\(number),text \(number % 90)"
        }
        let more = Self.rowCount..<2 * Self.rowCount
        try write("first.csv", ["id,n,text"] + (0..<Self.rowCount).map(row))
        try write("more.csv", ["id,n,text"] + more.map(row))
        try write(
            "more.ndjson",
            more.map { "{\"id\":\($0 * 7 % 100_003),\"n\":\($0),\"text\":\"text \($0 % 90)\"}" })
    }

    private func create(_ name: String, seconds: Double = 120) throws -> CommandResult {
        var runner = runner
        runner.timeoutSeconds = seconds
        return try runner.run([
            "create", folder(name), "--from", "Item=" + inputs("first.csv"), "--key", "Item.id",
            "-q",
        ])
    }

    /// Returns what distinguishes the states, after a check of the whole database.
    private func state(_ name: String) throws -> String {
        let check = try runner.run(["check", "--deep", folder(name)])
        guard check.status == 0 else { throw ProgramError("\(check)") }
        let sums = try runner.run([
            "query", folder(name), "-f", "csv",
            "Item | project(@count, @sum.id, @sum.n, @min.text, @max.text, @distinct.id)",
        ])
        guard sums.status == 0 else { throw ProgramError("\(sums)") }
        return sums.outputText
    }

    private func copy(_ from: String, _ to: String) throws {
        let run = try CommandRunner("/bin/cp").run([folder(from), folder(to)])
        guard run.status == 0 else { throw ProgramError("\(run)") }
    }

    private func clock<Result>(_ body: () throws -> Result) rethrows -> (Double, Result) {
        let start = ContinuousClock.now
        let result = try body()
        let time = (ContinuousClock.now - start).components
        return (Double(time.seconds) + Double(time.attoseconds) / 1e18, result)
    }

    @Test(
        "A killed change is applied as a whole or not at all", arguments: Change.allCases)
    func changes(change: Change) throws {
        try makeInputs()
        #expect(try create("base.firn").status == 0)
        let before = try state("base.firn")
        try copy("base.firn", "whole.firn")
        let (seconds, whole) = try clock {
            try runner.run(change.arguments(folder("whole.firn"), inputs))
        }
        #expect(whole.status == 0, "\(whole)")
        let after = try state("whole.firn")
        #expect((before == after) == (change == .compact))
        let seed = UInt64.random(in: 0..<1_000_000_000)
        var generator = SplitMix64(seed: seed)
        var kills = 0
        for round in 0..<Self.killCount {
            try copy("base.firn", "killed.firn")
            var runner = runner
            runner.timeoutSeconds = Double.random(in: 0.05...1, using: &generator) * seconds
            let run = try runner.run(change.arguments(folder("killed.firn"), inputs))
            kills += run.isTimedOut ? 1 : 0
            let found = try state("killed.firn")
            let isWhole = found == after
            #expect(isWhole || run.isTimedOut && found == before, "seed \(seed), round \(round)")
            // The next command works, and leaves nothing else behind.
            let again = try self.runner.run([
                "write", folder("killed.firn"), "-q", "-x", "Item n == 1 | set n = 2",
            ])
            #expect(again.status == 0, "seed \(seed), round \(round): \(again)")
            #expect(folder.names == ["base.firn", "killed.firn", "whole.firn"])
        }
        print("killed \(change.rawValue), seed \(seed): \(kills) of \(Self.killCount) kills")
    }

    @Test("A killed import leaves a whole database or none")
    func creation() throws {
        try makeInputs()
        let (seconds, whole) = try clock { try create("whole.firn") }
        #expect(whole.status == 0, "\(whole)")
        let expected = try state("whole.firn")
        let seed = UInt64.random(in: 0..<1_000_000_000)
        var generator = SplitMix64(seed: seed)
        for round in 0..<Self.killCount {
            let run = try create(
                "new.firn", seconds: Double.random(in: 0.05...1, using: &generator) * seconds)
            if !folder.names.contains("new.firn") {
                #expect(run.isTimedOut, "seed \(seed), round \(round): \(run)")
                #expect(try create("new.firn").status == 0)
            }
            #expect(try state("new.firn") == expected, "seed \(seed), round \(round)")
            try SystemFileSystem().remove(folder("new.firn"))
        }
    }
}
