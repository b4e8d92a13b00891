/// The times between the cycles of a file that follows its server.
///
/// Without changes, the time doubles with each cycle, up to 5 seconds. A server that cannot be
/// reached is tried again after 1 to 30 seconds, at random within a quarter of that.
package struct PollSchedule: Sendable {
    /// The times between two cycles, in milliseconds: the time after a change, and the maximum.
    package static let milliseconds: ClosedRange<Int> = 200...5000
    private static let failureMaximum = 6
    private static let failureSecondsMaximum = 30

    /// The time until the next cycle, in milliseconds.
    package private(set) var pause = milliseconds.lowerBound
    /// The number of consecutive cycles that failed.
    package private(set) var failures = 0

    package init() {}

    /// Records a cycle.
    ///
    /// - Parameter isEmpty: Whether nothing was exchanged.
    package mutating func succeeded(isEmpty: Bool) {
        failures = 0
        pause =
            isEmpty
            ? min(pause * 2, PollSchedule.milliseconds.upperBound)
            : PollSchedule.milliseconds.lowerBound
    }

    /// Records a cycle that failed.
    ///
    /// - Parameter random: A random number.
    package mutating func failed(random: UInt64) {
        failures = min(failures + 1, PollSchedule.failureMaximum)
        let seconds = min(PollSchedule.failureSecondsMaximum, 1 << (failures - 1))
        pause = seconds * 1000 - Int(random % UInt64(seconds * 250))
    }
}
