import FirnTesting
import FirnValues
import Testing

@Suite("The order and the equality of values")
struct ValueOrderTests {
    /// Values at boundaries, and values that look alike.
    private var pool: [Value] {
        let doubles = [
            0, -0.0, 1, -1, 0.1, 0x1p53, 0x1p63, -0x1p63, 1.5, .infinity, -.infinity, .nan,
            -.nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]
        let decimals = [
            "0", "-0", "0.1", "0.10", "1", "1.0", "9007199254740993", "1E+400", "-1E-6176", "NaN",
            "sNaN", "Infinity", "-Infinity", "9223372036854775807.5",
        ].compactMap { Decimal128($0) }
        let strings = ["", "a", "A", "ab", "\u{E9}", "e\u{301}", "z", "\u{FFFF}", "\u{10000}"]
        let reference = ObjectReference(classID: ClassID(1), rowID: RowID(2))
        let other = ObjectReference(classID: ClassID(2), rowID: RowID(1))
        var values: [Value] = [.null, .bool(false), .bool(true)]
        values += [Int64.min, -1, 0, 1, 1 << 53 + 1, .max].map { .int($0) }
        values += doubles.map { .double($0) } + doubles.map { .float(Float($0)) }
        values += decimals.map { .decimal128($0) }
        values += strings.map { .string($0) } + strings.map { .data(Array($0.utf8)) }
        values += [Int64.min, -1, 0, 1, .max].map { .date(Timestamp(seconds: $0)) }
        values += [
            .date(Timestamp(seconds: 0, nanoseconds: 1)),
            .objectID(ObjectID(high: 0, low: 1)), .objectID(ObjectID(high: 1, low: 0)),
            .uuid(UUID(high: 0, low: 1)), .uuid(UUID(high: .max, low: 0)),
            .link(reference), .link(other),
        ]
        let lists: [[Value]] = [[], [.null], [.int(1)], [.double(1)], [.int(1), .null]]
        values += lists.map { .list($0) } + lists.map { .set($0) }
        values += [
            .map([:]), .map(["a": .int(1)]), .map(["a": .int(2)]), .map(["b": .int(0)]),
            .map(["\u{E9}": .int(1)]), .map(["e\u{301}": .int(1)]), .map(["a": .null, "b": .null]),
        ]
        return values
    }

    @Test("The order is total: antisymmetric and transitive")
    func totality() {
        let values = pool
        let order = values.map { left in values.map { left.order(relativeTo: $0) } }
        for left in values.indices {
            #expect(order[left][left] == .equal, "\(values[left])")
            for middle in values.indices {
                #expect(
                    order[left][middle] == order[middle][left].reversed,
                    "\(values[left]) and \(values[middle])")
                guard order[left][middle] != .greater else { continue }
                for right in values.indices where order[middle][right] != .greater {
                    let isStrict = order[left][middle] == .less || order[middle][right] == .less
                    // No #expect per triple: there are a million.
                    if order[left][right] != (isStrict ? .less : .equal) {
                        Issue.record("\(values[left]), \(values[middle]), \(values[right])")
                    }
                }
            }
        }
    }

    @Test("Equal values have the same order and hash, and distinct values are not equal")
    func equality() {
        let values = pool
        for (left, first) in values.enumerated() {
            for (right, second) in values.enumerated() {
                #expect((first == second) == (second == first))
                if first == second {
                    #expect(first.order(relativeTo: second) == .equal)
                    #expect(first.hashValue == second.hashValue)
                    #expect(first.tag == second.tag)
                }
                let looksDifferent = left != right && "\(first)" != "\(second)"
                if looksDifferent { #expect(first != second, "\(first) and \(second)") }
            }
        }
    }

    @Test("Kinds are ordered one after another")
    func ranks() {
        let ascending: [Value] = [
            .null, .bool(true), .int(.min), .string(""), .data([]), .date(Timestamp(seconds: .min)),
            .objectID(ObjectID(high: 0, low: 0)), .uuid(UUID(high: 0, low: 0)),
            .link(ObjectReference(classID: ClassID(0), rowID: RowID(0))), .list([]), .set([]),
            .map([:]),
        ]
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                #expect(first.order(relativeTo: second) == Ordering(left, right))
            }
        }
    }

    @Test("Strings are ordered by code points, whatever their appearance")
    func strings() {
        #expect(Value.string("Z").order(relativeTo: .string("a")) == .less)
        #expect(Value.string("\u{FFFF}").order(relativeTo: .string("\u{10000}")) == .less)
        #expect(Value.string("e\u{301}").order(relativeTo: .string("\u{E9}")) == .less)
        #expect(Value.string("e\u{301}") != .string("\u{E9}"))
        #expect(Value.map(["e\u{301}": .null]) != .map(["\u{E9}": .null]))
        #expect(Value.string("a").order(relativeTo: .string("ab")) == .less)
    }

    @Test("Floating-point numbers are equal if their bits are equal")
    func bits() {
        #expect(Value.double(.nan) == .double(.nan))
        #expect(Value.double(0) != .double(-0.0))
        #expect(Value.float(.nan) == .float(.nan))
        #expect(Value.int(1) != .double(1))
        #expect(Value.null.isNull && !Value.int(0).isNull)
    }

    @Test(
        "Strings are unquoted at the top level and quoted inside collections",
        arguments: [
            (Value.null, "null"), (.bool(true), "true"), (.int(-5), "-5"), (.double(0.1), "0.1"),
            (.double(1), "1.0"), (.string("a\"b"), "a\"b"), (.data([1, 2]), "2 bytes"),
            (.list([.string("a\"\\\n\t\r"), .null]), #"["a\"\\\n\t\r", null]"#),
            (.set([.int(1)]), "[1]"),
            (.map(["b": .int(1), "a": .string("x")]), #"{"a": "x", "b": 1}"#),
            (.link(ObjectReference(classID: ClassID(1), rowID: RowID(7))), "7"),
        ])
    func texts(value: Value, text: String) {
        #expect(value.description == text)
    }
}
