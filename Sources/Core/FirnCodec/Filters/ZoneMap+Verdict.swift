import FirnValues

extension ZoneMap {
    /// The verdict of a zone map about a test on its page.
    package enum Verdict: Sendable {
        /// No row passes.
        case none
        /// Every row passes.
        case all
        /// Undecided: the page must be read.
        case some
    }

    /// Returns whether rows of the page pass, as far as that is known without reading it.
    package func verdict(_ test: ColumnTest) -> Verdict {
        var verdicts: [Verdict] = []
        if nullCount > 0 { verdicts.append(value(.null, passes: test) ? .all : .none) }
        if hasNaN { verdicts.append(value(.double(.nan), passes: test) ? .all : .none) }
        if let minimum, let maximum {
            verdicts.append(bounds(minimum, maximum, test))
        } else if nullCount < rowCount, !hasNaN {
            verdicts.append(unbounded(test))
        }
        guard let first = verdicts.first else { return .none }
        return verdicts.allSatisfy { $0 == first } ? first : .some
    }

    /// Returns the verdict on values without known bounds.
    private func unbounded(_ test: ColumnTest) -> Verdict {
        switch test {
        case .isNull: .none
        case .isNotNull: .all
        default: .some
        }
    }

    /// Returns the verdict on values between two bounds.
    private func bounds(_ low: Value, _ high: Value, _ test: ColumnTest) -> Verdict {
        switch test {
        case .isNull: return .none
        case .isNotNull: return .all
        case .compare(let comparison, let constant): return compare(low, high, comparison, constant)
        case .between(let first, let last):
            let above = compare(low, high, .greaterOrEqual, first)
            let below = compare(low, high, .lessOrEqual, last)
            if above == .none || below == .none { return .none }
            return above == .all && below == .all ? .all : .some
        case .oneOf(let constants):
            var verdict = Verdict.none
            for constant in constants where !constant.isNull {
                switch compare(low, high, .equal, constant) {
                case .all: return .all
                case .some: verdict = .some
                case .none: break
                }
            }
            return verdict
        case .text(let pattern): return text(low, high, pattern)
        }
    }

    private func compare(
        _ low: Value, _ high: Value, _ comparison: ComparisonOperator, _ constant: Value
    ) -> Verdict {
        guard low.isComparable(to: constant) else { return comparison == .notEqual ? .all : .none }
        // The exact minimum is at least `low`, and equal to `low` unless that was truncated.
        let least = low.order(relativeTo: constant)
        let greatest = orderOfMaximum(high, constant)
        switch comparison {
        case .equal: return equal(low, high, least, greatest)
        case .notEqual:
            switch equal(low, high, least, greatest) {
            case .none: return .all
            case .all: return .none
            case .some: return .some
            }
        case .less:
            if least != .less { return .none }
            return greatest == .less ? .all : .some
        case .lessOrEqual:
            if least == .greater { return .none }
            return greatest == .less || greatest == .equal ? .all : .some
        case .greater:
            if least == .greater { return .all }
            return greatest == .less || greatest == .equal ? .none : .some
        case .greaterOrEqual:
            if least != .less { return .all }
            return greatest == .less ? .none : .some
        }
    }

    private func equal(
        _ low: Value, _ high: Value, _ least: Ordering, _ greatest: Ordering?
    ) -> Verdict {
        if least == .greater || greatest == .less { return .none }
        // If both bounds equal the constant, the maximum was not truncated, as it would be longer.
        return least == .equal && greatest == .equal ? .all : .some
    }

    /// Compares the exact maximum with a constant; `nil` if its prefix does not decide.
    private func orderOfMaximum(_ high: Value, _ constant: Value) -> Ordering? {
        guard maximumIsPrefix else { return high.order(relativeTo: constant) }
        // Both are strings or both are data; otherwise they would have no order.
        let order = high.withBytes(of: high.tag) { prefix in
            constant.withBytes(of: high.tag) { text -> Ordering? in
                if ByteStrings.hasPrefix(text, prefix) {
                    // The exact maximum is longer than its prefix.
                    return text.count == prefix.count ? .greater : nil
                }
                return ByteStrings.order(prefix, text)
            }
        }
        return order.flatMap { $0 }.flatMap { $0 }
    }

    /// Returns the verdict on a text pattern.
    ///
    /// Only the prefix of a pattern relates to the order. A truncated bound keeps the prefix of the
    /// exact one.
    private func text(_ low: Value, _ high: Value, _ pattern: TextPattern) -> Verdict {
        guard pattern.asks(low.tag), pattern.asks(high.tag) else {
            return pattern.kind == .notEqual ? .all : .none
        }
        guard pattern.options.isEmpty else { return .some }
        let operand = pattern.constant
        switch pattern.kind {
        case .equal: return compare(low, high, .equal, operand)
        case .notEqual: return compare(low, high, .notEqual, operand)
        case .beginsWith: return beginsWith(low, high, operand)
        case .endsWith, .contains, .like, .matches: return .some
        }
    }

    private func beginsWith(_ low: Value, _ high: Value, _ operand: Value) -> Verdict {
        let verdict = operand.withBytes(of: operand.tag) { prefix in
            low.withBytes(of: operand.tag) { low in
                high.withBytes(of: operand.tag) { high in
                    prefix.isEmpty ? Verdict.none : beginsWith(low, high, prefix)
                }
            }
        }
        return verdict.flatMap { $0 }.flatMap { $0 } ?? .some
    }

    private func beginsWith(
        _ low: ByteStrings.Bytes, _ high: ByteStrings.Bytes, _ prefix: ByteStrings.Bytes
    ) -> Verdict {
        let startsLow = ByteStrings.hasPrefix(low, prefix)
        if startsLow, ByteStrings.hasPrefix(high, prefix) { return .all }
        if !startsLow, ByteStrings.order(low, prefix) == .greater { return .none }
        // If the prefix begins with a truncated maximum, the maximum may continue like the prefix.
        let isOpen = maximumIsPrefix && ByteStrings.hasPrefix(prefix, high)
        if !isOpen, ByteStrings.order(high, prefix) == .less { return .none }
        return .some
    }
}
