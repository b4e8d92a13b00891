import FirnValues

/// The codes that pass a test: ascending ranges that do not touch, or their complement.
struct CodeSelection {
    var ranges: [ClosedRange<UInt64>] = []
    var isInverted = false

    /// Adds a range, which may overlap others.
    mutating func insert(_ range: ClosedRange<UInt64>) { ranges.append(range) }

    /// Sorts the ranges and joins those that overlap or touch.
    mutating func normalize() {
        guard ranges.count > 1 else { return }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var joined: [ClosedRange<UInt64>] = []
        for range in ranges {
            if let last = joined.last,
                range.lowerBound <= last.upperBound || range.lowerBound - last.upperBound == 1
            {
                joined[joined.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        ranges = joined
    }

    /// Returns whether a code passes, using binary search.
    func contains(_ code: UInt64) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < code { low = middle + 1 } else { high = middle }
        }
        return (low < ranges.count && ranges[low].lowerBound <= code) != isInverted
    }
}

/// Codes that ascend with the values they represent.
///
/// A comparison with a constant is therefore a range of codes. Its bounds are found by binary
/// search, using the exact order of values.
struct CodeSpace {
    let maxCode: UInt64
    /// Returns the value of a code of at most `maxCode`.
    let value: (UInt64) -> Value

    /// Returns the codes that pass a test, which must not be a text test.
    func selection(_ test: ColumnTest) -> CodeSelection {
        var selection = CodeSelection()
        switch test {
        case .compare(let comparison, let constant):
            selection.isInverted = comparison == .notEqual
            if let range = range(comparison, constant) { selection.insert(range) }
        case .between(let low, let high):
            if let above = range(.greaterOrEqual, low), let below = range(.lessOrEqual, high),
                above.lowerBound <= below.upperBound
            {
                selection.insert(above.lowerBound...below.upperBound)
            }
        case .oneOf(let constants):
            for constant in constants where !constant.isNull {
                if let range = range(.equal, constant) { selection.insert(range) }
            }
        case .isNull, .isNotNull, .text:
            preconditionFailure("not a comparison")
        }
        selection.normalize()
        return selection
    }

    /// Returns the codes that pass a comparison; for `!=`, the codes that fail it.
    private func range(
        _ comparison: ComparisonOperator, _ constant: Value
    ) -> ClosedRange<UInt64>? {
        guard value(0).isComparable(to: constant) else {
            // A null constant equals only null, and codes represent values.
            return nil
        }
        let notLess = first { value($0).order(relativeTo: constant) != .less }
        let greater = first { value($0).order(relativeTo: constant) == .greater }
        switch comparison {
        case .equal, .notEqual: return Self.range(notLess, upTo: greater, maxCode)
        case .less: return Self.range(0, upTo: notLess, maxCode)
        case .lessOrEqual: return Self.range(0, upTo: greater, maxCode)
        case .greater: return Self.range(greater, upTo: nil, maxCode)
        case .greaterOrEqual: return Self.range(notLess, upTo: nil, maxCode)
        }
    }

    /// Returns the codes from `low` up to, but not including, `high`; a `nil` bound is after the
    /// last code.
    static func range(
        _ low: UInt64?, upTo high: UInt64?, _ maxCode: UInt64
    ) -> ClosedRange<UInt64>? {
        guard let low else { return nil }
        guard let high else { return low...maxCode }
        return low < high ? low...(high - 1) : nil
    }

    /// Returns the first code that satisfies a monotonic condition; `nil` if no code does.
    func first(where holds: (UInt64) -> Bool) -> UInt64? {
        guard holds(maxCode) else { return nil }
        var low: UInt64 = 0
        var high = maxCode
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
