package import FirnValues

extension PropertyType {
    /// Whether a single value or an element may be nil.
    package var mayBeNull: Bool {
        isOptional || base == .any || (base == .link && container == .single)
    }

    /// The value of a property for which none was given: null, or an empty collection; `nil` for
    /// required values.
    package var absentValue: Value? {
        switch container {
        case .single: isOptional || [.link, .any].contains(base) ? .null : nil
        case .list, .set, .map: emptyCollection
        }
    }

    /// The empty collection of this type, or nil for a single value.
    package var emptyCollection: Value {
        switch container {
        case .single: .null
        case .list: .list([])
        case .set: .set([])
        case .map: .map([:])
        }
    }
}

extension [Value] {
    /// The values in their order, with equal ones only once.
    package var canonicalSet: [Value] {
        var result: [Value] = []
        for value in sorted(by: { $0.order(relativeTo: $1) == .less })
        where result.last.map({ $0.order(relativeTo: value) != .equal }) ?? true {
            result.append(value)
        }
        return result
    }
}

extension TextMap<Value> {
    /// The entries in the order of the bytes of their keys, in which maps are stored and displayed.
    var orderedEntries: [(key: String, value: Value)] {
        sorted { left, right in
            var (leftKey, rightKey) = (left.key, right.key)
            return leftKey.withUTF8 { left in
                rightKey.withUTF8 { right in
                    KeyOrder.order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
                        == .less
                }
            }
        }
    }
}
