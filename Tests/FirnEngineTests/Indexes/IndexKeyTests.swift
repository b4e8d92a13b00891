import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Keys of indexes")
struct IndexKeyTests {
    private static func key(_ value: Value, _ kind: ValueTag, folding: Bool = false) -> [UInt8] {
        var vector = ColumnVector(kind: kind)
        vector.append(value)
        var key: [UInt8] = []
        IndexKey.append(vector, 0, folding: folding, to: &key)
        return key
    }

    /// Values of each kind, of which many are close to each other.
    private static func values(
        _ kind: ValueTag, _ generator: inout SplitMix64
    ) -> [Value] {
        let numbers: [Int64] = [.min, .min + 1, -257, -256, -1, 0, 1, 255, 256, .max - 1, .max]
        let doubles = [
            -Double.infinity, -1e300, -1.5, -Double.leastNonzeroMagnitude, -0.0, 0,
            .leastNonzeroMagnitude, 1.5, 1e300, .infinity, .nan,
        ]
        let texts = [
            "", "\0", "\0\0", "\0a", "a", "a\0", "a\0b", "ab", "b", "ä", "e\u{301}", "é",
            String(repeating: "x", count: 511), String(repeating: "x", count: 512),
        ]
        switch kind {
        case .bool: return [.bool(false), .bool(true)]
        case .int: return numbers.map { .int($0) }
        case .float: return doubles.map { .float(Float($0)) }
        case .double: return doubles.map { .double($0) }
        case .date:
            return numbers.flatMap { seconds in
                [0, 1, 999_999_999].map { .date(Timestamp(seconds: seconds, nanoseconds: $0)) }
            }
        case .string: return texts.map { .string($0) }
        case .data: return texts.map { .data(Array($0.utf8)) } + [.data([0xFF]), .data([0xFE, 0])]
        case .decimal128:
            let texts = [
                "0", "-0", "1", "1.0", "1.00", "10", "0.1", "-1", "-1.5", "-10", "99", "100",
                "1E6000", "-1E6000", "1E-6000", "1.000000000000000000000000000000001",
            ]
            return texts.compactMap { Decimal128($0) }.map { .decimal128($0) }
                + [.decimal128(.infinity), .decimal128(.infinity.negated), .decimal128(.nan)]
        case .uuid:
            return (0..<8).map { _ in .uuid(UUID(high: generator.next(), low: generator.next())) }
        case .objectID:
            return (0..<8).map { _ in
                .objectID(
                    ObjectID(
                        high: generator.next(), low: UInt32(truncatingIfNeeded: generator.next())))
            }
        default: return []
        }
    }

    @Test(
        "The order of the key bytes matches the order of the values, with nil first",
        arguments: [
            .bool, .int, .float, .double, .date, .string, .data, .decimal128, .uuid, .objectID,
        ] as [ValueTag])
    func order(_ kind: ValueTag) {
        var generator = SplitMix64(seed: 1)
        let values = Self.values(kind, &generator) + [.null]
        for left in values {
            for right in values {
                let expected = left.order(relativeTo: right)
                let found = KeyOrder.order(Self.key(left, kind), Self.key(right, kind))
                #expect(found == expected, "\(left) and \(right)")
            }
        }
    }

    @Test("A key of several values is ordered by the first value that differs")
    func compound() {
        let texts = ["", "\0", "a", "a\0", "ab", "b"]
        let numbers: [Int64?] = [nil, .min, -1, 0, .max]
        let pairs = texts.flatMap { text in numbers.map { (text, $0) } }
        func key(_ pair: (String, Int64?)) -> [UInt8] {
            Self.key(.string(pair.0), .string)
                + Self.key(pair.1.map { .int($0) } ?? .null, .int)
        }
        for left in pairs.indices {
            for right in pairs.indices {
                let expected = Ordering(left, right)
                #expect(KeyOrder.order(key(pairs[left]), key(pairs[right])) == expected)
            }
        }
    }

    /// The key of "a" was the beginning of that of "a\0b", so that a lookup found, counted and
    /// deleted both.
    @Test("No key is a prefix of another, so the entries of a value contain no other value")
    func prefixes() {
        var generator = SplitMix64(seed: 2)
        let kinds: [ValueTag] = [
            .bool, .int, .double, .date, .string, .data, .decimal128, .uuid, .objectID,
        ]
        for kind in kinds {
            var values = Self.values(kind, &generator)
            if kind == .string { values.append(.string(String(repeating: "x", count: 513))) }
            for left in values {
                for right in values where left.order(relativeTo: right) != .equal {
                    let isPrefix = Self.key(right, kind).starts(with: Self.key(left, kind))
                    #expect(!isPrefix, "\(left) and \(right)")
                }
            }
        }
    }

    @Test("A truncated string sorts after its first 512 bytes, and its key is incomplete")
    func cut() {
        let text = String(repeating: "x", count: 512)
        var vector = ColumnVector(kind: .string)
        for value in [text, text + "a", text + "b", text + "\0"] { vector.append(.string(value)) }
        let keys = (0..<4).map { row -> (key: [UInt8], isComplete: Bool) in
            var key: [UInt8] = []
            let isComplete = IndexKey.append(vector, row, folding: false, to: &key)
            return (key, isComplete)
        }
        #expect(keys.map(\.isComplete) == [true, false, false, false])
        #expect(keys[1].key == keys[2].key && keys[2].key == keys[3].key)
        #expect(KeyOrder.order(keys[0].key, keys[1].key) == .less)
        let greater = Self.key(.string(String(repeating: "x", count: 511) + "y"), .string)
        #expect(KeyOrder.order(keys[1].key, greater) == .less)
    }

    @Test("Without case, strings that differ only in case have the same key")
    func folding() {
        let texts = ["Straße", "STRASSE", "straße", "STRAßE"]
        let keys = Set(texts.map { Self.key(.string($0), .string, folding: true) })
        let matcher = TextMatcher(TextPattern(.equal, texts[0], .caseInsensitive))
        let equal = texts.filter { matcher.matches(.string($0)) }
        #expect(keys.count == texts.count - equal.count + 1)
    }
}
