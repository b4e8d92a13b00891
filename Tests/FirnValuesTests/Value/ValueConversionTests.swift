import FirnTesting
import FirnValues
import Testing

@Suite("Conversion of values")
struct ValueConversionTests {
    private static let day = Timestamp(seconds: 1_357_344_000)

    @Test(
        "A value is converted to another type if nothing is lost",
        arguments: [
            (.int(1), .bool, .bool(true)), (.bool(false), .int, .int(0)),
            (.int(7), .double, .double(7)), (.double(7), .int, .int(7)),
            (.int(7), .decimal128, .decimal128(Decimal128(7))), (.int(-7), .string, .string("-7")),
            (.float(0.5), .double, .double(0.5)), (.double(0.5), .float, .float(0.5)),
            (.double(0.1), .string, .string("0.1")), (.string("0.1"), .double, .double(0.1)),
            (.string("12"), .double, .double(12)), (.string("-12"), .int, .int(-12)),
            (.string("Infinity"), .double, .double(.infinity)),
            (.double(-.infinity), .string, .string("-Infinity")),
            (.string("true"), .bool, .bool(true)), (.bool(true), .string, .string("true")),
            (.string("2013-01-05"), .date, .date(day)),
            (.string("2013-01-05T00:00:00Z"), .date, .date(day)),
            (.date(day), .string, .string("2013-01-05T00:00:00Z")),
            (.string("AQID"), .data, .data([1, 2, 3])), (.data([1, 2]), .string, .string("AQI=")),
            (.string(""), .data, .data([])),
            (
                .uuid(UUID(high: 0, low: 1)), .string,
                .string("00000000-0000-0000-0000-000000000001")
            ),
            (
                .string("00000000-0000-0000-0000-00000000000A"), .uuid,
                .uuid(UUID(high: 0, low: 10))
            ),
            (.objectID(ObjectID(high: 0, low: 1)), .string, .string("000000000000000000000001")),
            (.string("000000000000000000000001"), .objectID, .objectID(ObjectID(high: 0, low: 1))),
        ] as [(Value, ValueTag, Value)])
    func converts(value: Value, base: ValueTag, expected: Value) {
        #expect(value.converted(to: PropertyType(base)) == expected)
    }

    @Test(
        "A conversion that would lose information fails",
        arguments: [
            (.int(2), .bool), (.double(0.5), .int), (.double(.nan), .int), (.double(1e19), .int),
            (.int(1 << 60 + 1), .double), (.double(0.1), .float), (.string("007"), .int),
            (.string("+7"), .int), (.string("1e5"), .double), (.string("x"), .double),
            (.string("TRUE"), .bool), (.string("2013-02-30"), .date),
            (.string("2013-01-05T02:00:00+02:00"), .date), (.string("AQI"), .data),
            (.string("x"), .uuid), (.string("x"), .objectID), (.date(day), .int),
            (.uuid(UUID(high: 0, low: 1)), .objectID), (.data([1]), .uuid),
            (.string("0.10"), .double), (.null, .int), (.list([]), .int), (.string("٣"), .int),
        ] as [(Value, ValueTag)])
    func refuses(value: Value, base: ValueTag) {
        #expect(value.converted(to: PropertyType(base)) == nil)
    }

    @Test(
        "Widths limit integers",
        arguments: [
            (127, IntegerWidth.bits8, true), (128, .bits8, false), (-128, .bits8, true),
            (-32769, .bits16, false), (1 << 31, .bits32, false), (.max, .bits64, true),
        ] as [(Int64, IntegerWidth, Bool)])
    func widths(number: Int64, width: IntegerWidth, fits: Bool) {
        let type = PropertyType(.int, integerWidth: width)
        #expect(Value.int(number).converted(to: type) == (fits ? .int(number) : nil))
    }

    @Test("Decimals are converted to other numbers only if exact")
    func decimals() throws {
        func decimal(_ text: String) throws -> Value { .decimal128(try #require(Decimal128(text))) }
        func converted(_ text: String, to base: ValueTag) throws -> Value? {
            try decimal(text).converted(to: PropertyType(base))
        }
        #expect(try converted("1.20E+2", to: .int) == .int(120))
        #expect(try converted("-9223372036854775808", to: .int) == .int(.min))
        #expect(try converted("9223372036854775808", to: .int) == nil)
        #expect(try converted("1E+6000", to: .int) == nil)
        #expect(try converted("1E-6000", to: .int) == nil)
        #expect(try converted("0E-6000", to: .int) == .int(0))
        #expect(try converted("0.10", to: .double) == .double(0.1))
        #expect(try converted("0.1000000000000000000000000000001", to: .double) == nil)
        #expect(try converted("1E+6000", to: .double) == nil)
        #expect(
            try converted("NaN", to: .double).map {
                if case .double(let d) = $0 { d.isNaN } else { false }
            }
                == true)
        #expect(try converted("0.5", to: .float) == .float(0.5))
        #expect(try converted("0.10", to: .string) == .string("0.10"))
        #expect(
            Value.string("0.10").converted(to: PropertyType(.decimal128)) == (try decimal("0.10")))
        #expect(Value.string("00.10").converted(to: PropertyType(.decimal128)) == nil)
        #expect(Value.double(0.1).converted(to: PropertyType(.decimal128)) == (try decimal("0.1")))
    }

    @Test("Null, Any, collections and links are converted by their own rules")
    func others() {
        let optional = PropertyType(.int, isOptional: true)
        let target = ClassID(3)
        let reference = Value.link(ObjectReference(classID: target, rowID: RowID(1)))
        #expect(Value.null.converted(to: optional) == .null)
        #expect(Value.null.converted(to: PropertyType(.any)) == .null)
        #expect(Value.int(3).converted(to: PropertyType(.any)) == .int(3))
        #expect(reference.converted(to: PropertyType(.link, target: target)) == reference)
        #expect(reference.converted(to: PropertyType(.link, target: ClassID(4))) == nil)
        #expect(reference.converted(to: PropertyType(.string)) == nil)
        let list = Value.list([.int(2), .int(1), .int(2)])
        #expect(
            list.converted(to: PropertyType(.string, container: .list))
                == .list([.string("2"), .string("1"), .string("2")]))
        #expect(list.converted(to: PropertyType(.int, container: .set)) == nil)
        #expect(
            Value.list([.int(2), .int(1)]).converted(to: PropertyType(.int, container: .set))
                == .set([.int(1), .int(2)]))
        #expect(
            Value.map(["a": .int(1)]).converted(to: PropertyType(.double, container: .map))
                == .map(["a": .double(1)]))
        #expect(
            Value.map(["a": .double(1.5)]).converted(to: PropertyType(.int, container: .map)) == nil
        )
        #expect(Value.int(1).converted(to: PropertyType(.int, container: .list)) == nil)
    }

    @Test("A converted value can be converted back to the same value")
    func roundTrips() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let number =
                Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
            let double = Double(bitPattern: random.next())
            for value in [Value.int(number), .double(double), .double(Double(number) / 100)] {
                for base in [ValueTag.double, .decimal128, .string, .float] {
                    guard let there = value.converted(to: PropertyType(base)) else { continue }
                    let back = there.converted(to: PropertyType(value.tag))
                    let isSame =
                        back == value || value.order(relativeTo: back ?? .null) == .equal
                    #expect(
                        isSame,
                        "seed \(seed): \(value) as \(base) is \(there), back \(String(describing: back))"
                    )
                }
            }
        }
    }
}
