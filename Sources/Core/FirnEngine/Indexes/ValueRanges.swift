package import FirnCodec
import FirnValues

/// The values of one property of an index that pass a test, as bytes of its keys.
package enum ValueRanges: Hashable, Sendable {
    /// Some values, each as the beginning of a key, ascending and distinct; they are exact unless a
    /// long text has to be compared again.
    case points([[UInt8]], isExact: Bool)
    /// All values of a range.
    case range(IndexRange, isExact: Bool)

    /// Returns the values that pass a test; `nil` if the index does not store them contiguously.
    ///
    /// - Parameters:
    ///   - property: A property of the index; of a list or set, the test is of one element.
    ///   - ignoresCase: Whether the index has texts without case.
    package init?(_ test: ColumnTest, of property: PropertySchema, ignoresCase: Bool) {
        let encoder = ConstantEncoder(kind: property.columnKind, ignoresCase: ignoresCase)
        let isText = property.columnKind == .string
        switch test {
        case .isNull: self = .points([[0]], isExact: true)
        case .isNotNull: self = .range(IndexRange(lower: [1], upper: [2]), isExact: true)
        // A test of the whole text with its case says nothing about a text without.
        case .compare, .between, .oneOf:
            guard !isText || !ignoresCase, let ranges = encoder.ranges(test) else { return nil }
            self = ranges
        case .text(let pattern):
            guard isText || property.columnKind == .data,
                let ranges = encoder.ranges(pattern, isText: isText)
            else { return nil }
            self = ranges
        }
    }
}

/// An encoder of constants that are compared with the values of a column.
private struct ConstantEncoder {
    let kind: ValueTag
    let ignoresCase: Bool

    func ranges(_ test: ColumnTest) -> ValueRanges? {
        switch test {
        case .compare(.equal, let value): return points([value])
        case .oneOf(let values): return points(values)
        case .compare(let operation, let value):
            guard let key = key(of: value) else { return nil }
            return range(operation, key)
        case .between(let low, let high):
            guard let low = key(of: low), let high = key(of: high),
                let end = TreeKey.successor(ofPrefix: high.bytes)
            else { return nil }
            return .range(
                IndexRange(lower: low.bytes, upper: end),
                isExact: low.isComplete && high.isComplete)
        case .isNull, .isNotNull, .text: return nil
        }
    }

    func ranges(_ pattern: TextPattern, isText: Bool) -> ValueRanges? {
        let options: TextPattern.Options = isText && ignoresCase ? .caseInsensitive : []
        guard pattern.options == options, (pattern.bytes == nil) == isText else { return nil }
        let bytes =
            if let bytes = pattern.bytes {
                bytes
            } else {
                folded(pattern.operand)
            }
        var key: [UInt8] = [1]
        switch pattern.kind {
        case .equal:
            let isComplete = IndexKey.append(text: bytes, to: &key)
            return .points([key], isExact: isComplete)
        case .beginsWith:
            let isComplete = IndexKey.append(beginning: bytes, to: &key)
            return .range(IndexRange(prefix: key), isExact: isComplete)
        case .endsWith, .contains, .like, .matches, .notEqual: return nil
        }
    }

    private func folded(_ text: String) -> [UInt8] {
        guard ignoresCase else { return Array(text.utf8) }
        var text = text
        return text.withUTF8 { TextPattern.folded($0, .caseInsensitive) }
    }

    private func points(_ values: [Value]) -> ValueRanges? {
        var keys: [[UInt8]] = []
        var isExact = true
        for value in values {
            if value.isNull {
                keys.append([0])
                continue
            }
            guard let key = key(of: value) else { return nil }
            keys.append(key.bytes)
            isExact = isExact && key.isComplete
        }
        keys.sort { KeyOrder.order($0, $1) == .less }
        var distinct: [[UInt8]] = []
        for key in keys where key != distinct.last { distinct.append(key) }
        return .points(distinct, isExact: isExact)
    }

    /// Returns the values that are less or greater than a constant; nil and NaN are neither.
    private func range(
        _ operation: ComparisonOperator, _ key: (bytes: [UInt8], isComplete: Bool)
    ) -> ValueRanges? {
        guard let after = TreeKey.successor(ofPrefix: key.bytes) else { return nil }
        let range: IndexRange
        switch operation {
        case .less:
            range = IndexRange(lower: [1], upper: key.isComplete ? key.bytes : after)
        case .lessOrEqual: range = IndexRange(lower: [1], upper: after)
        case .greater:
            range = IndexRange(lower: key.isComplete ? after : key.bytes, upper: end)
        case .greaterOrEqual: range = IndexRange(lower: key.bytes, upper: end)
        case .equal, .notEqual: return nil
        }
        return .range(range, isExact: key.isComplete)
    }

    /// The end of the values that are neither nil nor NaN.
    private var end: [UInt8] {
        switch kind {
        case .float, .double: encoded(.double(.nan), .double).bytes
        case .decimal128: encoded(.decimal128(.nan), kind).bytes
        default: [2]
        }
    }

    /// Returns a constant in the form of the column; `nil` if no value of the column equals it.
    private func key(of value: Value) -> (bytes: [UInt8], isComplete: Bool)? {
        switch (kind, value) {
        case (.int, .int), (.bool, .bool), (.string, .string), (.data, .data), (.date, .date),
            (.uuid, .uuid), (.objectID, .objectID):
            return encoded(value, kind)
        case (.int, .double(let number)):
            return Int64(exactly: number).map { encoded(.int($0), kind) }
        case (.float, .int(let number)), (.double, .int(let number)):
            return Double(exactly: number).map { encoded(.double($0), .double) }
        case (.float, .float(let number)), (.double, .float(let number)):
            return number.isNaN ? nil : encoded(.double(Double(number)), .double)
        case (.float, .double(let number)), (.double, .double(let number)):
            return number.isNaN ? nil : encoded(value, .double)
        case (.decimal128, .decimal128(let number)):
            return number.isNaN ? nil : encoded(value, kind)
        case (.decimal128, .int(let number)):
            return encoded(.decimal128(Decimal128(number)), kind)
        default: return nil
        }
    }

    private func encoded(
        _ value: Value, _ kind: ValueTag
    ) -> (bytes: [UInt8], isComplete: Bool) {
        var vector = ColumnVector(kind: kind)
        vector.append(value)
        var key: [UInt8] = []
        let isComplete = IndexKey.append(vector, 0, folding: ignoresCase, to: &key)
        return (key, isComplete)
    }
}
