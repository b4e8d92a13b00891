import FirnTesting

/// A process that observes the entries of a crew's database, and its output.
///
/// The real command: each insertion that it prints names the version that made it, and the entry
/// names the member that committed it.
final class CrewObserver {
    /// An entry that was delivered.
    struct Event: Hashable {
        let version: UInt64
        let member: Int
        let sequence: UInt64
    }

    let process: PipedProcess
    private var newest: UInt64 = 0
    /// The version whose objects were printed as a whole: entries inserted there are older.
    private var listed: UInt64 = 0

    init(_ path: String) throws {
        process = try PipedProcess(
            builtExecutable(named: "firn"),
            [
                "observe", path, "Entry", "--shape", "rows", "--every-commit", "--initial", "none",
                "--ops", "insert", "--heartbeat", "off",
            ])
    }

    /// The events since the last call.
    ///
    /// - Throws: ``CrewBreach`` for a line that no observer prints, or a version of the past.
    func events() throws -> [Event] {
        try process.lines().compactMap { line in
            guard let version = number("version", line) else {
                throw CrewBreach("an observer said \(line)")
            }
            guard version >= newest else {
                throw CrewBreach("an observer was told of \(version) after \(newest)")
            }
            newest = version
            if line.contains("\"type\":") { listed = version }
            guard line.contains("\"op\":\"insert\""), version > listed else { return nil }
            guard let member = number("member", line), let sequence = number("sequence", line)
            else { throw CrewBreach("an observer said \(line)") }
            return Event(version: version, member: Int(member), sequence: sequence)
        }
    }

    private func number(_ name: String, _ line: String) -> UInt64? {
        // The name of a property with a number appears only once in a line.
        line.split(separator: "\"\(name)\":").dropFirst().lazy
            .compactMap { UInt64($0.prefix { $0.isNumber }) }.first
    }
}
