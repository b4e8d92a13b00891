import FirnValues

/// The offsets of a time zone from UTC, at every point in time.
package final class ZoneRules: Sendable {
    /// The times at which the offset changes, ascending, in seconds since 1970.
    private let transitions: [Int64]
    /// The offset before the first transition, followed by the offset after each one.
    private let offsets: [Int64]
    /// The rule for the time after the last transition.
    private let rule: ZoneYearRule?

    init(transitions: [Int64], offsets: [Int64], rule: ZoneYearRule?) {
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
    }

    /// Creates a zone with one offset.
    init(fixedOffset: Int64) {
        transitions = []
        offsets = [fixedOffset]
        rule = nil
    }

    package static let utc = ZoneRules(fixedOffset: 0)

    /// A range of time in which the offset is the same.
    struct Period {
        var start: Int64 = 0
        /// The end, which is not part of the period.
        var end: Int64 = 0
        /// The seconds to add to UTC.
        var offset: Int64 = 0
    }

    /// Returns the period that contains a point in time.
    func period(at seconds: Int64) -> Period {
        let low = transitions.partitioningIndex { $0 > seconds }
        if low == transitions.count, let rule {
            var period = rule.period(at: seconds)
            if let last = transitions.last { period.start = max(period.start, last) }
            return period
        }
        return Period(
            start: low == 0 ? .min : transitions[low - 1],
            end: low == transitions.count ? .max : transitions[low], offset: offsets[low])
    }
}

/// Converts times of a zone one after another, and keeps the period of the last one.
struct ZoneCursor {
    private let rules: ZoneRules
    private var period = ZoneRules.Period()

    init(_ rules: ZoneRules) { self.rules = rules }

    /// Returns the offset at a point in time.
    mutating func offset(at seconds: Int64) -> Int64 {
        if seconds < period.start || seconds >= period.end {
            period = rules.period(at: seconds)
        }
        return period.offset
    }

    /// Returns the local time as seconds since 1970-01-01 of the zone; `nil` outside the range.
    mutating func local(_ seconds: Int64) -> Int64? {
        let (local, overflow) = seconds.addingReportingOverflow(offset(at: seconds))
        return overflow ? nil : local
    }

    /// Returns the point in time of a local time that was computed from another point in time; `nil`
    /// outside the range.
    ///
    /// A local time that occurs twice, because clocks went back, is the one with the offset of the other
    /// point in time if that is one of the two.
    mutating func utc(_ local: Int64, from origin: Int64) -> Int64? {
        let offset = offset(at: origin)
        if let same = shifted(local, offset), self.offset(at: same) == offset { return same }
        return utc(local)
    }

    /// Returns the point in time of a local time that begins the unit of time containing another
    /// point in time; `nil` outside the range.
    ///
    /// The start of a day whose midnight is skipped is the change of the offset.
    mutating func start(_ local: Int64, of member: Int64) -> Int64? {
        guard let seconds = utc(local, from: member) else { return nil }
        guard self.local(seconds) != local else { return seconds }
        // The time was moved into the period that the change begins, which is the current one.
        return period.start
    }

    /// Returns the point in time of a local time; `nil` outside the range.
    ///
    /// A local time that occurs twice is the first one. A local time that a change of the offset
    /// skips is moved by the length of the change.
    mutating func utc(_ local: Int64) -> Int64? {
        // No offset is a day long, so these are the offsets before and after a change at this time.
        let day = LocalTime.secondsPerDay
        guard let yesterday = shifted(local, day), let tomorrow = shifted(local, -day) else {
            return shifted(local, offset(at: local))
        }
        let before = offset(at: yesterday)
        guard let early = shifted(local, before) else { return nil }
        if offset(at: early) == before { return early }
        let after = offset(at: tomorrow)
        guard let late = shifted(local, after) else { return nil }
        return offset(at: late) == after ? late : early
    }

    private func shifted(_ local: Int64, _ offset: Int64) -> Int64? {
        let (seconds, overflow) = local.subtractingReportingOverflow(offset)
        return overflow ? nil : seconds
    }
}
