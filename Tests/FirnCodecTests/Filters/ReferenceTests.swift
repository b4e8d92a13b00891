import FirnCodec
import FirnValues
import Testing

/// The reference checks all filters, so it is itself checked against plain statements.
@Suite("The meaning of a test")
struct ReferenceTests {
    @Test("A null passes only tests that accept null")
    func nulls() {
        #expect(value(.null, passes: .isNull))
        #expect(!value(.null, passes: .isNotNull))
        #expect(value(.null, passes: .compare(.notEqual, .int(1))))
        for comparison in ComparisonOperator.allCases where comparison != .notEqual {
            #expect(!value(.null, passes: .compare(comparison, .int(1))))
        }
        #expect(!value(.null, passes: .between(.int(0), .int(1))))
        #expect(!value(.null, passes: .oneOf([.int(1)])))
        #expect(value(.null, passes: .oneOf([.int(1), .null])))
        #expect(!value(.null, passes: .text(TextPattern(.like, "*"))))
        #expect(value(.null, passes: .text(TextPattern(.notEqual, "a", .caseInsensitive))))
    }

    @Test("NaN is unequal to everything and passes no other test")
    func notANumber() {
        for other in [Value.double(.nan), .int(0), .double(.infinity)] {
            for comparison in ComparisonOperator.allCases {
                let passes = comparison == .notEqual
                #expect(value(.double(.nan), passes: .compare(comparison, other)) == passes)
                #expect(value(other, passes: .compare(comparison, .double(.nan))) == passes)
            }
        }
        #expect(!value(.double(.nan), passes: .oneOf([.double(.nan)])))
    }

    @Test("Numbers are compared by value, strings by their bytes")
    func values() {
        #expect(value(.double(-0.0), passes: .compare(.equal, .int(0))))
        #expect(value(.int(1), passes: .compare(.equal, .float(1))))
        #expect(!value(.int(1), passes: .compare(.equal, .bool(true))))
        #expect(value(.int(1), passes: .compare(.notEqual, .string("1"))))
        #expect(!value(.string("é"), passes: .compare(.equal, .string("e\u{301}"))))
        #expect(value(.string("Z"), passes: .compare(.less, .string("a"))))
        #expect(value(.string("\u{FFFF}"), passes: .compare(.less, .string("\u{10000}"))))
        #expect(value(.int(3), passes: .between(.double(2.5), .int(3))))
    }
}
