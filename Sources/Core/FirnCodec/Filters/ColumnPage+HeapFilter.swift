import FirnValues

extension ColumnPage {
    /// Filters values that are stored contiguously as bytes.
    func filterHeap(_ strings: StringTable, _ test: ColumnTest, _ words: LaneFilter.Words) {
        guard kind.isOrderedByBytes else { return filterValues(strings, test, words) }
        switch test {
        case .compare(let comparison, let constant):
            guard let bytes = constant.withBytes(of: kind, { Array($0) }) else {
                if comparison == .notEqual { words.update(repeating: ~0) }
                return
            }
            bytes.withUnsafeBufferPointer { HeapFilter.compare(strings, comparison, $0, words) }
        case .between(let low, let high):
            _ = low.withBytes(of: kind) { low in
                high.withBytes(of: kind) { high in
                    HeapFilter.mark(strings, words) { text in
                        ByteStrings.order(text, low) != .less
                            && ByteStrings.order(text, high) != .greater
                    }
                }
            }
        case .oneOf(let constants): HeapFilter.match(strings, constants, kind, words)
        case .text(let pattern) where pattern.asks(kind):
            HeapFilter.match(strings, TextMatcher(pattern), pattern, words)
        case .text(let pattern):
            if pattern.kind == .notEqual { words.update(repeating: ~0) }
        case .isNull, .isNotNull: break
        }
    }

    /// Filters values that are not ordered by their bytes.
    ///
    /// The result for null rows is undefined.
    private func filterValues(
        _ strings: StringTable, _ test: ColumnTest, _ words: LaneFilter.Words
    ) {
        let test = ValueTest(test)
        for row in 0..<rowCount where nullCount == 0 || !hasNull(row) {
            if test.passes(Value(columnBytes: strings[row], kind: kind)) {
                words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
            }
        }
    }
}

/// The loops over the strings of a page.
enum HeapFilter {
    @inline(__always)
    static func mark(
        _ strings: StringTable, _ words: LaneFilter.Words,
        _ passes: (UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        for row in 0..<strings.count where passes(strings[row]) {
            words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
        }
    }

    static func compare(
        _ strings: StringTable, _ comparison: ComparisonOperator,
        _ constant: UnsafeBufferPointer<UInt8>, _ words: LaneFilter.Words
    ) {
        switch comparison {
        case .equal: mark(strings, words) { ByteStrings.isEqual($0, constant) }
        case .notEqual: mark(strings, words) { !ByteStrings.isEqual($0, constant) }
        case .less: mark(strings, words) { ByteStrings.order($0, constant) == .less }
        case .lessOrEqual: mark(strings, words) { ByteStrings.order($0, constant) != .greater }
        case .greater: mark(strings, words) { ByteStrings.order($0, constant) == .greater }
        case .greaterOrEqual: mark(strings, words) { ByteStrings.order($0, constant) != .less }
        }
    }

    static func match(
        _ strings: StringTable, _ constants: [Value], _ kind: ValueTag, _ words: LaneFilter.Words
    ) {
        var interner = StringInterner()
        for constant in constants {
            _ = constant.withBytes(of: kind) { _ = interner.entry($0) }
        }
        mark(strings, words) { interner.find($0) }
    }

    static func match(
        _ strings: StringTable, _ matcher: TextMatcher, _ pattern: TextPattern,
        _ words: LaneFilter.Words
    ) {
        if matcher.isExact, pattern.kind == .contains, !matcher.needle.isEmpty {
            matcher.needle.withUnsafeBufferPointer { search(strings, $0, words) }
        } else {
            mark(strings, words) { matcher.matches($0) }
        }
    }

    /// Searches all strings at once, and determines the row of each hit.
    ///
    /// A hit that crosses the end of its string does not count. A position is compared in full only
    /// if the first and the last byte of the needle match.
    private static func search(
        _ strings: StringTable, _ needle: UnsafeBufferPointer<UInt8>, _ words: LaneFilter.Words
    ) {
        let startCount = strings.byteCount - needle.count + 1
        guard startCount > 0, let pattern = needle.baseAddress else { return }
        let bytes = strings.bytes
        let distance = needle.count - 1
        let (first, last) = (needle[0], needle[distance])
        var row = 0
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: LaneFilter.chunkRows / 64) {
            hits in
            var start = 0
            while start < startCount {
                let count = min(LaneFilter.chunkRows, startCount - start)
                hits.initialize(repeating: 0)
                LaneFilter.collect(rowCount: count, into: hits) { _, count, flags in
                    let head = bytes + start
                    let tail = head + distance
                    for index in 0..<count {
                        flags[index] =
                            (head[index] == first ? 1 : 0) & (tail[index] == last ? 1 : 0)
                    }
                }
                for index in 0..<hits.count {
                    var rest = hits[index]
                    while rest != 0 {
                        let at = start &+ index &* 64 &+ rest.trailingZeroBitCount
                        rest &= rest &- 1
                        guard ByteStrings.isEqual(bytes + at, pattern, needle.count) else {
                            continue
                        }
                        while Int(strings.offsets[row &+ 1]) <= at { row &+= 1 }
                        if at &+ needle.count <= Int(strings.offsets[row &+ 1]) {
                            words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
                        }
                    }
                }
                start += LaneFilter.chunkRows
            }
        }
    }
}
