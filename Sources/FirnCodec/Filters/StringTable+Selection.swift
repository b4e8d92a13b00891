import FirnValues

extension StringTable {
    /// The entries of a sorted dictionary that pass a test: each is looked at once, or for what
    /// follows the order only those that halving meets.
    func selection(_ test: ColumnTest) -> CodeSelection {
        guard case .text(let pattern) = test else { return space.selection(test) }
        if pattern.options.isEmpty {
            switch pattern.kind {
            case .equal: return space.selection(.compare(.equal, .string(pattern.operand)))
            case .notEqual: return space.selection(.compare(.notEqual, .string(pattern.operand)))
            case .beginsWith where !pattern.operand.isEmpty: return beginning(pattern.operand)
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

    private var space: CodeSpace {
        CodeSpace(maxCode: UInt64(count - 1)) { .string(string(Int(truncatingIfNeeded: $0))) }
    }

    /// What begins with a prefix stands together: from the first entry that is not before it up to
    /// the first that is behind it and does not begin with it.
    private func beginning(_ prefix: String) -> CodeSelection {
        var prefix = prefix
        let range = prefix.withUTF8 { prefix in
            let space = space
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
