import FirnEngine
import FirnTesting
import FirnValues

/// Random values of every type, with more extremes than chance would give.
enum Generated {
    /// Keys from a small range, so that they collide and recur.
    static func key(_ base: ValueTag, _ generator: inout SplitMix64) -> Value {
        let number = Int64.random(in: 0..<4000, using: &generator)
        return key(base, number)
    }

    /// A valid key of the property, which is sometimes nil.
    static func key(of property: PropertySchema, _ generator: inout SplitMix64) -> Value {
        if property.type.isOptional, generator.happens(oneIn: 10) { return .null }
        return key(property.type.base, &generator)
    }

    /// The key with a number: ascending numbers give ascending keys.
    static func key(_ base: ValueTag, _ number: Int64) -> Value {
        switch base {
        case .string:
            let digits = String(number)
            return .string("key-\(String(repeating: "0", count: 9 - digits.count))\(digits)")
        case .uuid: return .uuid(UUID(high: UInt64(number) << 20, low: 7))
        case .objectID: return .objectID(ObjectID(high: UInt64(number) << 20, low: 7))
        default: return .int(number - 100)
        }
    }

    static func scalar(_ type: PropertyType, _ generator: inout SplitMix64) -> Value {
        if type.isOptional, generator.happens(oneIn: 5) { return .null }
        let isExtreme = generator.happens(oneIn: 6)
        switch type.base {
        case .bool: return .bool(generator.happens(oneIn: 2))
        case .int: return .int(int(type.integerWidth.range, isExtreme, &generator))
        case .float:
            let values: [Float] = [.nan, .infinity, -.infinity, -0.0, .greatestFiniteMagnitude]
            return .float(
                isExtreme ? pick(values, &generator) : Float(generator.next() % 100) / 4)
        case .double:
            let values: [Double] = [.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude]
            return .double(
                isExtreme ? pick(values, &generator) : Double(generator.next() % 100) / 4)
        case .string: return .string(string(isExtreme, &generator))
        case .data: return .data(isExtreme ? [] : generator.bytes(Int(generator.next() % 20)))
        case .date:
            return .date(
                isExtreme
                    ? Timestamp(seconds: pick([.min, .max, -1], &generator), nanoseconds: 999)
                    : Timestamp(seconds: Int64(generator.next() % 1_000_000)))
        case .decimal128:
            let values: [Decimal128] = [
                .infinity, .nan, Decimal128(high: .max, low: .max), Decimal128(0),
            ]
            return .decimal128(
                isExtreme
                    ? pick(values, &generator) : Decimal128(Int64(generator.next() % 1000)))
        case .objectID: return key(.objectID, &generator)
        case .uuid: return .uuid(UUID(high: generator.next() % 50, low: generator.next()))
        default: return .null
        }
    }

    private static func int(
        _ range: ClosedRange<Int64>, _ isExtreme: Bool, _ generator: inout SplitMix64
    ) -> Int64 {
        if isExtreme { return pick([range.lowerBound, range.upperBound, 0, -1], &generator) }
        return Int64.random(in: -100...100, using: &generator)
    }

    private static func string(_ isExtreme: Bool, _ generator: inout SplitMix64) -> String {
        guard isExtreme else { return "text-\(generator.next() % 40)" }
        return pick(
            [
                "", "\u{0}", "\u{10FFFF}", "e\u{301}", "\u{E9}",
                String(repeating: "long ", count: 60),
            ],
            &generator)
    }

    static func pick<Element>(_ values: [Element], _ generator: inout SplitMix64) -> Element {
        values[Int(generator.next() % UInt64(values.count))]
    }

    static let scalarBases: [ValueTag] = [
        .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
    ]
}
