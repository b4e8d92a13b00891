import FirnValues

/// Which codes pass a test: ranges that ascend and do not touch, or everything but these.
struct CodeSelection {
    var ranges: [ClosedRange<UInt64>] = []
    var isInverted = false

    /// Adds a range that may overlap others.
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

    /// Whether a code passes, by halving.
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

/// Codes that ascend with the values they stand for.
///
/// So a comparison with a constant is a range of codes, the ends of which are found by halving,
/// with the exact order of values.
struct CodeSpace {
    let maxCode: UInt64
    /// The value of a code of at most `maxCode`.
    let value: (UInt64) -> Value

    /// The codes that pass a test, which is not about text.
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

    /// The codes of one comparison; for `!=` those that fail it.
    private func range(
        _ comparison: ComparisonOperator, _ constant: Value
    ) -> ClosedRange<UInt64>? {
        guard value(0).isComparable(to: constant) else {
            // Null on the right: only what is null is equal to it, and codes are of values.
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

    /// The codes from one on and below another; nil as an end is behind the last code.
    static func range(
        _ low: UInt64?, upTo high: UInt64?, _ maxCode: UInt64
    ) -> ClosedRange<UInt64>? {
        guard let low else { return nil }
        guard let high else { return low...maxCode }
        return low < high ? low...(high - 1) : nil
    }

    /// The first code for which a condition holds that holds for all after it; nil if for none.
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
