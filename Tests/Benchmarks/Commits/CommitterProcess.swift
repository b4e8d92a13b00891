import FirnTesting

/// A committer in a process of its own, which keeps its database open.
///
///     create 50          its input: a ``CommitWork`` and the number of samples wanted
///     143210 139876 …    its output: nanoseconds, none if it does not support the work
final class CommitterProcess: Committer {
    /// After this time the process counts as hung.
    private static let timeoutSeconds: Double = 300

    let name: String
    private let process: PipedProcess

    init(_ name: String, _ executable: String, _ arguments: [String]) throws {
        self.name = name
        process = try PipedProcess(executable, arguments)
    }

    func samples(_ work: CommitWork, count: Int) throws -> [UInt64] {
        begin(work, count: count)
        return try end()
    }

    /// Starts the work without waiting.
    func begin(_ work: CommitWork, count: Int) { process.say("\(work.rawValue) \(count)") }

    /// Waits for the end of the work that was started.
    func end() throws -> [UInt64] {
        let line = try process.line(seconds: CommitterProcess.timeoutSeconds)
        let words = line.split(separator: " ")
        let samples = words.compactMap { UInt64($0) }
        guard samples.count == words.count else {
            throw ProgramError("\(name) answered: \(line)")
        }
        return samples
    }

    /// Kills the process, as a crash does.
    func kill() { process.kill() }

    /// Asks the process to close its database.
    func close() throws {
        let result = process.finish(seconds: CommitterProcess.timeoutSeconds)
        guard result.status == 0 else { throw ProgramError("\(name) failed: \(result)") }
    }
}

/// Several processes that work on one database at the same time.
final class CommitterCrew: Committer {
    let name: String
    private let members: [CommitterProcess]

    init(_ name: String, _ members: [CommitterProcess]) {
        self.name = name
        self.members = members
    }

    /// - Returns: the elapsed time divided by the commits of all processes.
    func samples(_ work: CommitWork, count: Int) throws -> [UInt64] {
        guard !members.isEmpty else { return [] }
        let time = try Stopwatch.time {
            for member in members { member.begin(work, count: count) }
            for member in members { _ = try member.end() }
        }
        return [time / UInt64(count * members.count)]
    }

    /// One after the other: the last one has the most to do.
    func close() throws { for member in members { try member.close() } }
}
