import FirnValues

extension ColumnPage {
    /// Returns count, sum, minimum and maximum of the selected rows.
    package func summarize(_ selection: Bitmap) -> ColumnSummary {
        precondition(selection.count == rowCount)
        var words = selection.words
        return words.withUnsafeMutableBufferPointer { words in
            removeNulls(words)
            return summarize(UnsafeBufferPointer(words))
        }
    }

    private func removeNulls(_ words: UnsafeMutableBufferPointer<UInt64>) {
        if let nulls {
            for index in words.indices { words[index] &= ~nulls[index] }
        } else if nullCount > 0 {
            words.update(repeating: 0)
        }
    }

    private func summarize(_ words: UnsafeBufferPointer<UInt64>) -> ColumnSummary {
        var summary = ColumnSummary()
        for word in words { summary.count += word.nonzeroBitCount }
        guard summary.count > 0 else { return summary }
        summary.hasSum = kind == .int || kind.isStoredAsDoubles
        switch content {
        case .constant(let value): summary.add(constant: value)
        case .packed(let codes):
            let totals = CodeTotals(codes.array, rowCount: rowCount, words)
            let frame = codes.frame
            summary.minimum = PageContent.value(frame.value(totals.minimum), kind: kind)
            summary.maximum = PageContent.value(frame.value(totals.maximum), kind: kind)
            guard kind == .int else { break }
            summary.integerSum =
                Int128(frame.base) * Int128(summary.count) + Int128(frame.step) * totals.sum
            summary.doubleSum = Double(summary.integerSum)
        case .decimal(let codes, let scale) where kind == .float:
            summary.add(kind, words) { DecimalScaling.float(codes[$0], scale: scale) }
        case .decimal(let codes, let scale):
            summary.add(kind, words) { Double(codes[$0]) / scale }
        case .fixed(let values):
            summary.add(kind, words) { values[$0] }
        case .heap where !kind.isOrderedByBytes:
            SelectedRows.each(words) { summary.widen(content.value($0, kind: kind)) }
        case .pairs, .heap:
            extremes(words, &summary)
        case .dictionary(let codes, let entries) where !kind.isOrderedByBytes:
            var seen = [Bool](repeating: false, count: entries.count)
            SelectedRows.each(words) { seen[Int(truncatingIfNeeded: codes[$0])] = true }
            for index in 0..<entries.count where seen[index] {
                summary.widen(Value(columnBytes: entries[index], kind: kind))
            }
        case .dictionary(let codes, let entries):
            let totals = CodeTotals(codes, rowCount: rowCount, words)
            summary.minimum = Value(
                columnBytes: entries[Int(truncatingIfNeeded: totals.minimum)], kind: kind)
            summary.maximum = Value(
                columnBytes: entries[Int(truncatingIfNeeded: totals.maximum)], kind: kind)
        }
        return summary
    }

    /// Finds minimum and maximum of values that must be compared row by row.
    private func extremes(_ words: UnsafeBufferPointer<UInt64>, _ summary: inout ColumnSummary) {
        var least = -1
        var greatest = -1
        SelectedRows.each(words) { row in
            if least < 0 || orders(row, before: least) { least = row }
            if greatest < 0 || orders(greatest, before: row) { greatest = row }
        }
        summary.minimum = content.value(least, kind: kind)
        summary.maximum = content.value(greatest, kind: kind)
    }

    private func orders(_ row: Int, before other: Int) -> Bool {
        switch content {
        case .heap(let strings): ByteStrings.order(strings[row], strings[other]) == .less
        default:
            content.value(row, kind: kind).order(relativeTo: content.value(other, kind: kind))
                == .less
        }
    }
}

/// Iterates over the set bits of words.
enum SelectedRows {
    @inline(__always)
    static func each(_ words: UnsafeBufferPointer<UInt64>, _ body: (Int) -> Void) {
        for index in 0..<words.count {
            var rest = words[index]
            while rest != 0 {
                body(index &<< 6 &+ rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
        }
    }
}

extension ColumnSummary {
    /// Extends the bounds to include a value.
    ///
    /// NaN is ignored.
    fileprivate mutating func widen(_ value: Value) {
        if value.isNotANumber { return }
        if minimum.map({ value.order(relativeTo: $0) == .less }) ?? true { minimum = value }
        if maximum.map({ value.order(relativeTo: $0) == .greater }) ?? true { maximum = value }
    }

    /// Adds the sum of equal values, multiplied by their count.
    fileprivate mutating func add(constant value: Value) {
        widen(value)
        // Values of Any are not added up either.
        guard hasSum else { return }
        switch value {
        case .int(let value):
            integerSum = Int128(value) * Int128(count)
            doubleSum = Double(integerSum)
        case .double(let value): for _ in 0..<count { doubleSum += value }
        case .float(let value): for _ in 0..<count { doubleSum += Double(value) }
        default: break
        }
    }

    @inline(__always)
    fileprivate mutating func add(
        _ kind: ValueTag, _ words: UnsafeBufferPointer<UInt64>, _ value: (Int) -> Double
    ) {
        var sum = 0.0
        var low = Double.infinity
        var high = -Double.infinity
        var isFound = false
        SelectedRows.each(words) { row in
            let value = value(row)
            sum += value
            low = value < low ? value : low
            high = value > high ? value : high
            isFound = isFound || !value.isNaN
        }
        doubleSum = sum
        if isFound {
            minimum = PageContent.value(low, kind: kind)
            maximum = PageContent.value(high, kind: kind)
        }
    }
}

/// The sum and the bounds of selected codes.
private struct CodeTotals {
    var sum: Int128 = 0
    var minimum = UInt64.max
    var maximum: UInt64 = 0

    init(_ lanes: CodeArray, rowCount: Int, _ words: UnsafeBufferPointer<UInt64>) {
        switch lanes {
        case .u8(let codes): add(codes, rowCount, words)
        case .u16(let codes): add(codes, rowCount, words)
        case .u32(let codes): add(codes, rowCount, words)
        case .u64(let codes):
            SelectedRows.each(words) { row in
                sum += Int128(codes[row])
                minimum = min(minimum, codes[row])
                maximum = max(maximum, codes[row])
            }
        }
    }

    /// Adds codes of up to 32 bits.
    ///
    /// The sum of a whole page of them fits in 64 bits.
    ///
    /// Words in which all rows are selected are added up without testing bits.
    @inline(__always)
    private mutating func add<T: FixedWidthInteger & UnsignedInteger>(
        _ codes: UnsafePointer<T>, _ rowCount: Int, _ words: UnsafeBufferPointer<UInt64>
    ) {
        var total: UInt64 = 0
        var low = T.max
        var high: T = 0
        for index in 0..<words.count {
            var rest = words[index]
            if rest == ~0 {
                let source = codes + index &<< 6
                for offset in 0..<64 {
                    let code = source[offset]
                    total &+= UInt64(truncatingIfNeeded: code)
                    low = min(low, code)
                    high = max(high, code)
                }
                continue
            }
            while rest != 0 {
                let code = codes[index &<< 6 &+ rest.trailingZeroBitCount]
                rest &= rest &- 1
                total &+= UInt64(truncatingIfNeeded: code)
                low = min(low, code)
                high = max(high, code)
            }
        }
        sum = Int128(total)
        minimum = UInt64(low)
        maximum = UInt64(high)
    }
}
