import FirnCodec
import FirnTesting
import FirnValues

/// Tests for a column: constants that it has, their neighbours, and some of other kinds.
func sampleTests(for column: SampleColumn, seed: UInt64) -> [ColumnTest] {
    var random = SplitMix64(seed: seed)
    var constants = Set(column.values.filter { !$0.isNull }.shuffled(using: &random).prefix(3))
    constants.formUnion(neighbours(of: Array(constants)))
    constants.formUnion(foreign.shuffled(using: &random).prefix(3))
    var tests: [ColumnTest] = [.isNull, .isNotNull]
    // Sorted, so that the seed alone decides which tests are run.
    let sorted = constants.sorted { "\($0.tag.rawValue) \($0)" < "\($1.tag.rawValue) \($1)" }
    for constant in sorted {
        for comparison in ComparisonOperator.allCases {
            tests.append(.compare(comparison, constant))
        }
    }
    for _ in 0..<4 {
        if let low = sorted.randomElement(using: &random),
            let high = sorted.randomElement(using: &random)
        {
            tests.append(.between(low, high))
        }
    }
    let some = Array(sorted.shuffled(using: &random).prefix(6))
    tests += [.oneOf([]), .oneOf([.null]), .oneOf(some), .oneOf(some + [.null])]
    tests.append(.oneOf(column.values.shuffled(using: &random).prefix(40).map { $0 }))
    if [.string, .any].contains(column.kind) || seed % 5 == 0 { tests += patterns(&random) }
    if [.data, .any].contains(column.kind) || seed % 5 == 1 { tests += bytePatterns(&random) }
    return tests
}

private let foreign: [Value] = [
    .bool(true), .int(0), .int(.max), .int(.min), .int(1 << 53 + 1), .double(.nan), .double(0.5),
    .double(-0.0), .double(.infinity), .double(-.infinity), .double(1e300), .double(0x1p63),
    .float(1.5), .string(""), .string("N"), .date(Timestamp(seconds: 0)), .double(60.5),
    .uuid(UUID(high: 0, low: 0)), .data([0xFF]), .objectID(ObjectID(high: 0, low: 0)),
    .decimal128(Decimal128("60.5") ?? .nan), .decimal128(.nan), .decimal128(.infinity),
    .decimal128(Decimal128("9223372036854775807.5") ?? .nan), .float(.nan), .list([]),
    .map(["a": .null]), .link(ObjectReference(classID: ClassID(1), rowID: RowID(2))),
]

private func neighbours(of constants: [Value]) -> [Value] {
    constants.flatMap { constant -> [Value] in
        switch constant {
        case .int(let value):
            [
                .int(value &+ 1), .int(value &- 1), .double(Double(value) + 0.5),
                .decimal128(Decimal128(value)),
            ]
        case .float(let value): [.float(value.nextUp), .double(Double(value).nextDown)]
        case .decimal128(let value): [.decimal128(value.negated), .double(1.0)]
        case .data(let value): [.data(value + [0]), .data(Array(value.dropLast()))]
        case .uuid(let value):
            [.uuid(UUID(high: value.high, low: value.low &+ 1)), .data([])]
        case .objectID(let value):
            [.objectID(ObjectID(high: value.high &- 1, low: value.low))]
        case .double(let value): [.double(value.nextUp), .double(value.nextDown)]
        case .date(let value):
            [
                .date(Timestamp(seconds: value.seconds, nanoseconds: 1)),
                .date(Timestamp(seconds: value.seconds, nanoseconds: -1)),
            ]
        case .string(let value): [.string(value + "a"), .string(String(value.dropLast()))]
        default: []
        }
    }
}

private func patterns(_ random: inout SplitMix64) -> [ColumnTest] {
    let operands = [
        "", "N7", "special", "SPECIAL", "é", "e\u{301}", "a prefix that is longer", "ow 1", "*",
        "*al", "?pecial", "row ?", "*e*i*", "ß", "ss", "\u{10FFFF}", "keeps of a string 3",
    ]
    let options: [TextPattern.Options] = [
        [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]
    let kinds: [TextPattern.Kind] = [
        .beginsWith, .endsWith, .contains, .like, .equal, .notEqual,
    ]
    return kinds.flatMap { kind in
        operands.shuffled(using: &random).prefix(6).map { operand in
            let option = options.randomElement(using: &random) ?? []
            return ColumnTest.text(TextPattern(kind, operand, option))
        } + [ColumnTest.text(TextPattern(kind, operands.randomElement(using: &random) ?? ""))]
    }
}

private func bytePatterns(_ random: inout SplitMix64) -> [ColumnTest] {
    let operands: [[UInt8]] = [
        [], [0], [0xFF], [0xC3], [63], [189, 42], [42, 126, 42], [63, 63, 42], Array("row 1".utf8),
        Array("*e*i*".utf8), Array("a prefix".utf8), [92],
    ]
    let kinds: [TextPattern.Kind] = [.beginsWith, .endsWith, .contains, .like, .equal, .notEqual]
    return kinds.flatMap { kind in
        operands.shuffled(using: &random).prefix(5).map { .text(TextPattern(kind, bytes: $0)) }
    }
}
