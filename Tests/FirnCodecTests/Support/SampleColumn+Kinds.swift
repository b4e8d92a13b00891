import FirnTesting
import FirnValues

/// Values of the kinds without shapes of their own.
extension SampleColumn.Source {
    func float(_ row: Int, _ random: inout SplitMix64) -> Float {
        switch shape {
        case .extremes:
            [
                .nan, -.nan, .signalingNaN, .infinity, -.infinity, 0, -0.0,
                .greatestFiniteMagnitude, -.leastNonzeroMagnitude, 0x1p24, 0.1, 1.5,
            ].randomElement(using: &random) ?? 0
        case .random: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        case .few: [0.0, -0.0, 1.25].randomElement(using: &random) ?? 0
        case .sequence: Float(row) / 10
        default: Float(integer(row, &random)) / 100
        }
    }

    func data(_ row: Int, _ random: inout SplitMix64) -> [UInt8] {
        switch shape {
        case .extremes:
            return [[], [0], [0, 0], [0xFF], [0xC3, 0x28], Array(repeating: 0xFF, count: 40)]
                .randomElement(using: &random) ?? []
        case .random:
            return (0..<Int.random(in: 0...50, using: &random)).map { _ in
                UInt8(truncatingIfNeeded: random.next() % 5 &* 63)
            }
        default: return Array(text(row, &random).utf8)
        }
    }

    /// Half of an identifier.
    func word(_ row: Int, _ random: inout SplitMix64) -> UInt64 {
        UInt64(bitPattern: integer(row, &random))
    }

    func decimal(_ row: Int, _ random: inout SplitMix64) -> Decimal128 {
        switch shape {
        case .extremes:
            return [
                .nan, Decimal128.nan.negated, .infinity, Decimal128.infinity.negated,
                Decimal128(0), Decimal128(0).negated, Decimal128("1E+6144") ?? .nan,
                Decimal128("-9.99E-6100") ?? .nan, Decimal128("1.0") ?? .nan,
                Decimal128("1.00") ?? .nan, Decimal128(high: .max >> 2, low: .max),
            ].randomElement(using: &random) ?? .nan
        case .random: return Decimal128(high: random.next(), low: random.next())
        default:
            return Decimal128(
                isNegative: row % 3 == 0, coefficient: UInt128(integer(row, &random).magnitude),
                exponent: -2 - row % 2) ?? .nan
        }
    }

    func any(_ row: Int, _ random: inout SplitMix64, depth: Int = 0) -> Value {
        if shape == .constant { return .list([.int(start), .string("é")]) }
        let kinds: [ValueTag] = [
            .bool, .int, .double, .string, .date, .float, .data, .uuid, .objectID, .decimal128,
        ]
        let choice = shape == .few ? row % 4 : Int.random(in: 0..<16, using: &random)
        switch choice {
        case 10:
            return .link(
                ObjectReference(classID: ClassID(UInt32(row % 3)), rowID: RowID(random.next())))
        case 11 where depth < 3, 12 where depth < 3:
            let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                any(row, &random, depth: depth + 1)
            }
            return .list(values + [.null])
        case 13 where depth < 3:
            let keys = ["", "a", "b.c", "é"].shuffled(using: &random).prefix(2)
            return .map(
                TextMap(
                    uniqueKeysWithValues: keys.map { ($0, any(row, &random, depth: depth + 1)) }))
        case 14 where depth < 3: return .set([.int(start), .string(text(row, &random))])
        default: return value(kinds[choice % kinds.count], row, &random)
        }
    }
}
