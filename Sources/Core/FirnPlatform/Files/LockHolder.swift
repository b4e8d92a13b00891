import FirnValues

/// A process that holds a lock.
package struct LockHolder: Hashable, Sendable {
    package let pid: Int32
    /// The arguments of the process, separated by spaces.
    package let command: String
    /// The time since the process started, in seconds.
    package let ageSeconds: UInt64
    /// Whether the process was stopped by a signal.
    package let isStopped: Bool
    package let range: LockRange
    package let kind: LockKind
    /// Whether it is this process.
    package let isThisProcess: Bool

    package init(
        pid: Int32, command: String, ageSeconds: UInt64, isStopped: Bool, range: LockRange,
        kind: LockKind, isThisProcess: Bool
    ) {
        self.pid = pid
        self.command = command
        self.ageSeconds = ageSeconds
        self.isStopped = isStopped
        self.range = range
        self.kind = kind
        self.isThisProcess = isThisProcess
    }
}
