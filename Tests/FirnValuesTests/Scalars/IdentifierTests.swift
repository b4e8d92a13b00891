import FirnTesting
import FirnValues
import Testing

@Suite("Object ids and UUIDs")
struct IdentifierTests {
    @Test("Strings round-trip in lower case", arguments: 0..<UInt64(4))
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let uuid = UUID(high: generator.next(), low: generator.next())
            #expect(UUID(uuid.description) == uuid, "seed \(seed)")
            #expect(UUID(uuid.description.uppercased()) == uuid, "seed \(seed)")
            let id = ObjectID(
                high: generator.next(), low: UInt32(truncatingIfNeeded: generator.next()))
            #expect(ObjectID(id.description) == id, "seed \(seed)")
            #expect(ObjectID(id.description.uppercased()) == id, "seed \(seed)")
        }
        let uuid = UUID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        #expect(uuid.description == "01234567-89ab-cdef-fedc-ba9876543210")
        #expect(
            ObjectID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98).description
                == "0123456789abcdeffedcba98")
    }

    @Test(
        "Other strings are refused",
        arguments: [
            "", "01234567-89ab-cdef-fedc-ba987654321", "01234567-89ab-cdef-fedc-ba98765432100",
            "0123456789abcdeffedcba98765432100000", "01234567-89ab-cdef-fedc-ba987654321g",
            "01234567_89ab-cdef-fedc-ba9876543210", "{1234567-89ab-cdef-fedc-ba987654321}",
            "0123456789abcdeffedcba9", "0123456789abcdeffedcba9z", "0123456789abcdeffedcba9\u{E9}",
            "+123456789abcdeffedcba98", "01234567-89ab-cdef-fedc--a9876543210",
            String(repeating: "0", count: 100_000),
        ])
    func refused(text: String) {
        #expect(UUID(text) == nil)
        #expect(ObjectID(text) == nil)
    }

    @Test("Identifiers are ordered by their bytes")
    func order() {
        #expect(UUID(high: 1, low: .max) < UUID(high: 2, low: 0))
        #expect(UUID(high: 1, low: 0) < UUID(high: 1, low: 1))
        #expect(ObjectID(high: 1 << 63, low: 0) > ObjectID(high: 1, low: .max))
        #expect(ObjectID(high: 1, low: 0) < ObjectID(high: 1, low: 1))
    }
}
