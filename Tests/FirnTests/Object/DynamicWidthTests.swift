import Firn
import FirnTesting
import Testing

/// `as? Int8` was nil for every integer of a dynamic object, because all of them were `Int`.
@Suite("Integers of dynamic objects")
struct DynamicWidthTests {
    private let realm: Realm

    init() throws { realm = try makeRealm([Widths.self]) }

    @Test("Dynamic integers have the width of the property, and accept any integer that fits")
    func widths() throws {
        try realm.write {
            let made = realm.dynamicCreate(
                "Widths", value: ["small": 5, "short": Int16(-6), "wide": 7, "long": 8])
            #expect(made["small"] as? Int8 == 5)
            #expect(made["short"] as? Int16 == -6)
            #expect(made["wide"] as? Int32 == 7)
            #expect(made["long"] as? Int == 8)
            #expect(made["maybe"] == nil)
            made["small"] = 100
            made["maybe"] = Int8(3)
            made["numbers"] = [1, 2]
            #expect(made["small"] as? Int8 == 100)
            #expect(made["maybe"] as? Int8 == 3)
            #expect((made["numbers"] as? List<Int8>).map { Array($0) } == [1, 2])
        }
        let object = try #require(realm.objects(Widths.self).first)
        #expect(object.small == 100 && object.short == -6 && object.wide == 7 && object.long == 8)
        #expect(object.maybe == 3 && Array(object.numbers) == [1, 2])
    }
}

private final class Widths: Object {
    @Persisted var small: Int8
    @Persisted var short: Int16
    @Persisted var wide: Int32
    @Persisted var long: Int
    @Persisted var maybe: Int8?
    @Persisted var numbers: List<Int8>
}
