import FirnPlatform
import Glibc

/// Counts the work of a test, for totals over many runs.
///
/// If the environment variable `FIRN_RUN_COUNTERS` names a file, each call appends lines
/// `NUMBER WHAT` to it, in one piece, so that tests of several processes can share it.
package enum RunCounters: String, Sendable, CaseIterable {
    case crashPoints = "moments at which a machine was stopped"
    case crashImages = "disks after a crash that were opened and checked"
    case faults = "operations of the disk that failed"
    case lostWrites = "writes that a drive lost, misplaced or forgot again"
    case scheduledRuns = "runs of several simulated processes"
    case simulatedKills = "simulated processes that were killed"
    case damagedFiles = "damaged files that were opened"
    case forgedFiles = "damaged files with right checksums that were read and written"
    case fullDisks = "sizes of a disk that became full"
    case operations = "random operations compared with a model"
    case queries = "random queries compared with another way to answer them"
    case kills = "real processes that were killed"
    case refusals = "calls of real processes that failed on purpose"
    case histories = "versions that observers' copies were compared at"
    case commits = "acknowledged commits that were looked for afterwards"

    private static let path = Environment.variable("FIRN_RUN_COUNTERS").flatMap {
        $0.isEmpty ? nil : $0
    }

    /// Adds a number to its count.
    package func add(_ count: Int) {
        guard count > 0, let path = RunCounters.path else { return }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var line = "\(count) \(rawValue)\n"
        line.withUTF8 { bytes in
            // A missing line in the totals is not a reason to fail the test.
            _ = write(descriptor, bytes.baseAddress, bytes.count)
        }
    }
}
