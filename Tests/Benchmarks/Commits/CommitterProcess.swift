import FirnTesting

/// Somebody who works in a process of its own, which keeps its database open.
///
///     create 50          what it is told: a ``CommitWork``, how many samples are wanted
///     143210 139876 …    what it answers: nanoseconds, nothing if it cannot do that
final class CommitterProcess: Committer {
    /// Beyond that something hangs.
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

    /// Lets it begin, and does not wait.
    func begin(_ work: CommitWork, count: Int) { process.say("\(work.rawValue) \(count)") }

    /// Waits for the end of what it began.
    func end() throws -> [UInt64] {
        let line = try process.line(seconds: CommitterProcess.timeoutSeconds)
        let words = line.split(separator: " ")
        let samples = words.compactMap { UInt64($0) }
        guard samples.count == words.count else {
            throw ProgramError("\(name) answered: \(line)")
        }
        return samples
    }

    /// Ends it as a crash does.
    func kill() { process.kill() }

    /// Lets it close its database.
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

    /// - Returns: the time that passed for each commit of all processes.
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
