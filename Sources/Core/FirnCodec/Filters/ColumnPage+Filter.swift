import FirnValues

extension ColumnPage {
    /// Overwrites a bitmap, which has one bit per row, with the rows that pass.
    package func filter(_ test: ColumnTest, into bitmap: inout Bitmap) {
        precondition(bitmap.count == rowCount)
        bitmap.setAll(false)
        bitmap.withUnsafeMutableWords { words in
            if case .constant(let constant) = content {
                if FirnCodec.value(constant, passes: test) { words.update(repeating: ~0) }
            } else {
                filterValues(test, words)
            }
            setNulls(words, pass: FirnCodec.value(.null, passes: test))
        }
        bitmap.clearTail()
    }

    private func setNulls(_ words: LaneFilter.Words, pass: Bool) {
        guard let nulls else { return }
        for index in words.indices {
            words[index] = pass ? words[index] | nulls[index] : words[index] & ~nulls[index]
        }
    }

    /// Marks rows whose values pass.
    ///
    /// The result for null rows is undefined.
    private func filterValues(_ test: ColumnTest, _ words: LaneFilter.Words) {
        if test == .isNotNull { return words.update(repeating: ~0) }
        if test == .isNull { return }
        switch content {
        case .constant: preconditionFailure("decided before")
        case .packed(let codes):
            filterCodes(codes.array, codes.frame.maxCode, test, words) { [kind] code in
                PageContent.value(codes.frame.value(code), kind: kind)
            }
        case .decimal(let codes, let scale):
            filterCodes(codes.array, codes.frame.maxCode, test, words) { [kind] code in
                PageContent.value(codes.frame.value(code), scale: scale, kind: kind)
            }
        case .pairs(let seconds, let nanoseconds):
            filterPairs(seconds, nanoseconds, test, words)
        case .fixed(let values): filterDoubles(values, test, words)
        case .dictionary(let codes, let entries):
            LaneFilter.filter(
                codes, rowCount: rowCount, maxCode: UInt64(entries.count - 1),
                entries.selection(test, kind: kind), into: words)
        case .heap(let strings): filterHeap(strings, test, words)
        }
    }

    private func filterCodes(
        _ lanes: CodeArray, _ maxCode: UInt64, _ test: ColumnTest, _ words: LaneFilter.Words,
        _ value: @escaping (UInt64) -> Value
    ) {
        var selection = CodeSelection()
        if case .text(let pattern) = test {
            selection.isInverted = pattern.kind == .notEqual
        } else {
            selection = CodeSpace(maxCode: maxCode, value: value).selection(test)
        }
        LaneFilter.filter(
            lanes, rowCount: rowCount, maxCode: maxCode, selection, into: words)
    }

    /// Filters doubles as codes, by transforming their bits so that they have the order of the
    /// values.
    private func filterDoubles(
        _ values: UnsafePointer<Double>, _ test: ColumnTest, _ words: LaneFilter.Words
    ) {
        if case .text(let pattern) = test {
            if pattern.kind == .notEqual { words.update(repeating: ~0) }
            return
        }
        let space = CodeSpace(maxCode: OrderedDouble.maxCode) { .double(OrderedDouble.value($0)) }
        let selection = space.selection(test)
        for range in selection.ranges {
            LaneFilter.filter(
                values, rowCount: rowCount, low: OrderedDouble.value(range.lowerBound),
                high: OrderedDouble.value(range.upperBound), into: words)
        }
        if selection.isInverted { LaneFilter.invert(words) }
    }

    /// Filters dates with nanoseconds one row at a time, as 128-bit nanoseconds since 1970.
    ///
    /// They are rare.
    private func filterPairs(
        _ seconds: PackedCodes, _ nanoseconds: PackedCodes, _ test: ColumnTest,
        _ words: LaneFilter.Words
    ) {
        let (ranges, isInverted) = DateRanges.ranges(test)
        for row in 0..<rowCount {
            let key = DateRanges.key(seconds[row], nanoseconds[row])
            if ranges.contains(where: { $0.contains(key) }) {
                words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
            }
        }
        if isInverted { LaneFilter.invert(words) }
    }
}

/// Numbers the doubles from minus to plus infinity in their order, excluding NaN.
private enum OrderedDouble {
    private static let first = key(-.infinity)
    static let maxCode = key(.infinity) - first

    private static func key(_ value: Double) -> UInt64 {
        let bits = value.bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    static func value(_ code: UInt64) -> Double {
        let key = first + code
        return Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
    }
}

/// Ranges of points in time, for pages that have nanoseconds.
private enum DateRanges {
    static func key(_ seconds: Int64, _ nanoseconds: Int64) -> Int128 {
        Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    }

    static func ranges(_ test: ColumnTest) -> (ranges: [ClosedRange<Int128>], isInverted: Bool) {
        switch test {
        case .compare(let comparison, let constant):
            return (range(comparison, constant).map { [$0] } ?? [], comparison == .notEqual)
        case .between(let low, let high):
            guard let above = range(.greaterOrEqual, low), let below = range(.lessOrEqual, high),
                above.lowerBound <= below.upperBound
            else { return ([], false) }
            return ([above.lowerBound...below.upperBound], false)
        case .oneOf(let constants):
            return (constants.compactMap { range(.equal, $0) }, false)
        case .text(let pattern): return ([], pattern.kind == .notEqual)
        case .isNull, .isNotNull: preconditionFailure("decided before")
        }
    }

    private static func range(
        _ comparison: ComparisonOperator, _ constant: Value
    ) -> ClosedRange<Int128>? {
        guard case .date(let date) = constant else { return nil }
        let key = key(date.seconds, Int64(date.nanoseconds))
        switch comparison {
        case .equal, .notEqual: return key...key
        case .less: return .min...(key - 1)
        case .lessOrEqual: return .min...key
        case .greater: return (key + 1)...(.max)
        case .greaterOrEqual: return key...(.max)
        }
    }
}
