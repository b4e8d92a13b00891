/// A line that a member of a crew prints on its standard output.
///
/// Times are those of the monotonic clock, which all processes of a machine share.
package enum CrewMessage: Hashable, Sendable {
    /// The process has started; nothing was opened yet.
    case start(nanoseconds: UInt64)
    /// A commit was acknowledged.
    case commit(sequence: UInt64, version: UInt64, nanoseconds: UInt64)
    /// A snapshot was read and is valid.
    case saw(version: UInt64, nanoseconds: UInt64)
    /// A checkpoint or a step of a compaction was made.
    case folded(nanoseconds: UInt64)
    /// The database was closed normally, and no message follows.
    case closed(nanoseconds: UInt64)
    /// An invariant is broken.
    case broken(String)

    /// The line, without its end.
    package var line: String {
        switch self {
        case .start(let time): "start \(time)"
        case .commit(let sequence, let version, let time): "commit \(sequence) \(version) \(time)"
        case .saw(let version, let time): "saw \(version) \(time)"
        case .folded(let time): "folded \(time)"
        case .closed(let time): "closed \(time)"
        case .broken(let text): "broken \(text)"
        }
    }

    /// Parses a line; any other line is `broken`.
    package init(line: String) {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        switch (words.first, numbers.count) {
        case ("start", 1): self = .start(nanoseconds: numbers[0])
        case ("commit", 3):
            self = .commit(sequence: numbers[0], version: numbers[1], nanoseconds: numbers[2])
        case ("saw", 2): self = .saw(version: numbers[0], nanoseconds: numbers[1])
        case ("folded", 1): self = .folded(nanoseconds: numbers[0])
        case ("closed", 1): self = .closed(nanoseconds: numbers[0])
        default: self = .broken(line)
        }
    }

    /// The time of the message.
    package var nanoseconds: UInt64? {
        switch self {
        case .start(let time), .commit(_, _, let time), .saw(_, let time), .folded(let time),
            .closed(let time):
            time
        case .broken: nil
        }
    }
}

/// The repeated work of a member of a crew.
package enum CrewRole: String, Hashable, Sendable, CaseIterable {
    /// Commits small transactions.
    case writer
    /// Takes snapshots and checks them.
    case reader
    /// Commits, and folds the log.
    case checkpointer
    /// Compacts the file in place.
    case compactor

    /// Whether it commits under its own number.
    package var commits: Bool { self == .writer || self == .checkpointer }
}
