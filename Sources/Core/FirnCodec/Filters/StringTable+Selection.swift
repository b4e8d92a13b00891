import FirnValues

extension StringTable {
    /// Returns the entries of a dictionary that pass a test.
    ///
    /// A test that depends on the order reads only the entries that a binary search visits. Any
    /// other test reads each entry once.
    func selection(_ test: ColumnTest, kind: ValueTag) -> CodeSelection {
        guard kind.isOrderedByBytes else { return eachEntry(test, kind) }
        guard case .text(let pattern) = test else { return space(kind).selection(test) }
        guard pattern.asks(kind) else {
            return CodeSelection(isInverted: pattern.kind == .notEqual)
        }
        if pattern.options.isEmpty {
            switch pattern.kind {
            case .equal: return space(kind).selection(.compare(.equal, pattern.constant))
            case .notEqual: return space(kind).selection(.compare(.notEqual, pattern.constant))
            case .beginsWith:
                let matcher = TextMatcher(pattern)
                if !matcher.needle.isEmpty { return beginning(matcher.needle, kind) }
            default: break
            }
        }
        let matcher = TextMatcher(pattern)
        var selection = CodeSelection()
        for index in 0..<count where matcher.matches(self[index]) {
            selection.insert(UInt64(index)...UInt64(index))
        }
        selection.normalize()
        return selection
    }

    /// Tests each entry, for kinds that are not ordered by their bytes.
    private func eachEntry(_ test: ColumnTest, _ kind: ValueTag) -> CodeSelection {
        let test = ValueTest(test)
        var selection = CodeSelection()
        for index in 0..<count where test.passes(Value(columnBytes: self[index], kind: kind)) {
            selection.insert(UInt64(index)...UInt64(index))
        }
        selection.normalize()
        return selection
    }

    private func space(_ kind: ValueTag) -> CodeSpace {
        CodeSpace(maxCode: UInt64(count - 1)) {
            Value(columnBytes: self[Int(truncatingIfNeeded: $0)], kind: kind)
        }
    }

    /// Returns the entries with a prefix, which are adjacent.
    ///
    /// They extend from the first entry that does not sort before the prefix, to the first one that
    /// sorts after it and does not begin with it.
    private func beginning(_ prefix: [UInt8], _ kind: ValueTag) -> CodeSelection {
        let range = prefix.withUnsafeBufferPointer { prefix in
            let space = space(kind)
            let low = space.first {
                ByteStrings.order(self[Int(truncatingIfNeeded: $0)], prefix) != .less
            }
            let high = space.first {
                let entry = self[Int(truncatingIfNeeded: $0)]
                return ByteStrings.order(entry, prefix) == .greater
                    && !ByteStrings.hasPrefix(entry, prefix)
            }
            return CodeSpace.range(low, upTo: high, space.maxCode)
        }
        return CodeSelection(ranges: range.map { [$0] } ?? [])
    }
}
