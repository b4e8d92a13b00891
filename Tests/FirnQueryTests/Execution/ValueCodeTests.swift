import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

/// Sort codes and keys of values of every kind, compared with the order of values.
@Suite("Codes and keys of values")
struct ValueCodeTests {
    static let kinds: [ValueTag] = [
        .bool, .int, .double, .string, .date, .float, .data, .uuid, .objectID, .decimal128, .any,
    ]

    private func decimal(_ text: String) -> Value { .decimal128(Decimal128(text) ?? .nan) }

    /// Values that are close to each other, and equal ones in several forms.
    private func values(_ kind: ValueTag, _ random: inout SplitMix64) -> [Value] {
        let small = Int64.random(in: -3...3, using: &random)
        let word = [UInt64(0), 1, .max, random.next()].randomElement(using: &random) ?? 0
        switch kind {
        case .bool: return [.bool(small > 0)]
        case .int: return [.int(small), .int(.min + abs(small)), .int(.max)]
        case .double:
            return [.double(Double(small) / 2), .double(-0.0), .double(.nan), .double(-.infinity)]
        case .float: return [.float(Float(small) / 3), .float(-0.0), .float(.nan)]
        case .string:
            return ["", "a", "abcdefg", "abcdefgh", "abcdefgi", "abcdefg\u{0}"]
                .map { .string($0) }
        case .data:
            return [[], [0], [0, 0], [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 0], [0xFF]]
                .map { .data($0) }
        case .date:
            return [
                .date(Timestamp(seconds: small, nanoseconds: 5)),
                .date(Timestamp(seconds: .max)), .date(Timestamp(seconds: .max - 1)),
            ]
        case .uuid: return [.uuid(UUID(high: word, low: UInt64(abs(small))))]
        case .objectID: return [.objectID(ObjectID(high: word, low: UInt32(abs(small))))]
        case .decimal128: return decimals(small, &random)
        default:
            let kind = Self.kinds.dropLast().randomElement(using: &random) ?? .int
            return values(kind, &random) + [
                .link(ObjectReference(classID: ClassID(1), rowID: RowID(word))),
                .link(ObjectReference(classID: ClassID(0), rowID: RowID(word))),
                .list([.int(small), .null]), .map(["a": .double(Double(small))]),
                .int(1 << 53 + small), .double(0x1p53), decimal("9007199254740993"),
                decimal("9223372036854775807"), .int(.max), decimal("0.1"), .double(0.1),
                decimal("0.10"), decimal("0.5"), .float(0.5),
            ]
        }
    }

    private func decimals(_ small: Int64, _ random: inout SplitMix64) -> [Value] {
        let texts = [
            "0", "-0", "0E+10", "1", "1.0", "1.00", "10", "1E+1", "-1", "NaN", "-NaN", "Infinity",
            "-Infinity", "1E-6176", "9.999E+6144", "-9.999E+6144", "1E+6144", "0.99999999999999",
            "1.0000000000001", "1.00000000000001", "1.000000000000001", "1.0000000000000010",
            "-1.000000000000001", "-1.000000000000002", "1234567890123456789012345678901234",
            "1234567890123456789012345678901235",
        ]
        let random = Decimal128(high: random.next(), low: random.next())
        return texts.map { decimal($0) }
            + [.decimal128(random), .decimal128(random.negated), .decimal128(Decimal128(small))]
    }

    private func column(_ kind: ValueTag, seed: UInt64) -> [Value] {
        var random = SplitMix64(seed: seed)
        var column: [Value] = [.null]
        while column.count < 120 { column += values(kind, &random) }
        return column.shuffled(using: &random)
    }

    private func vector(_ values: [Value], _ kind: ValueTag) -> ColumnVector {
        var vector = ColumnVector(kind: kind)
        for value in values { vector.append(value) }
        return vector
    }

    @Test("Codes sort like values, and exact codes decide the order", arguments: kinds)
    func codes(kind: ValueTag) {
        for seed in 0..<4 as Range<UInt64> {
            let values = column(kind, seed: seed)
            var codes: [UInt64] = []
            SortCode.append(vector(values, kind), to: &codes)
            var wrong: [String] = []
            for (left, leftCode) in zip(values, codes) {
                for (right, rightCode) in zip(values, codes) {
                    let order = left.order(relativeTo: right)
                    let isExact = SortCode.isExact(leftCode, kind)
                    let isRight =
                        leftCode == rightCode
                        ? !isExact || order == .equal
                        : order == Ordering(leftCode, rightCode)
                    if !isRight { wrong.append("\(left) and \(right)") }
                }
                if kind != .any, let code = SortCode.code(of: left), code != leftCode {
                    wrong.append("the code of \(left)")
                }
                if let value = SortCode.value(of: leftCode, kind),
                    value.order(relativeTo: left) != .equal
                {
                    wrong.append("the value of \(left)")
                }
            }
            #expect(wrong.isEmpty, "\(kind), seed \(seed): \(wrong.prefix(5))")
        }
    }

    @Test(
        "Keys are equal exactly when values are equal, encoded one by one or together",
        arguments: kinds)
    func keys(kind: ValueTag) {
        for seed in 0..<4 as Range<UInt64> {
            let values = column(kind, seed: seed)
            let keys = values.map { value in
                var key: [UInt8] = []
                ByteKey.append(value, kind: kind, to: &key)
                return key
            }
            var wrong: [String] = []
            for (left, leftKey) in zip(values, keys) {
                for (right, rightKey) in zip(values, keys)
                where (leftKey == rightKey) != (left.order(relativeTo: right) == .equal) {
                    wrong.append("\(left) and \(right)")
                }
            }
            #expect(wrong.isEmpty, "\(kind), seed \(seed): \(wrong.prefix(5))")
            var together: [[UInt8]] = []
            ByteKeys([vector(values, kind)], rowCount: values.count).visit { _, key in
                together.append(Array(key))
            }
            #expect(together == keys, "\(kind), seed \(seed)")
        }
    }
}
