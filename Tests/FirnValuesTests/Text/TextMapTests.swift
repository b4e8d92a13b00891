import FirnValues
import Testing

/// Swift's strings are equal if they are canonically equivalent. An object whose JSON had the names
/// "é" as one code point and as two ended the command with SIGILL: the two names were one key of a
/// dictionary, and two for the code that counted them.
@Suite("Strings compared as bytes")
struct TextMapTests {
    private let one = "\u{e9}"
    private let two = "e\u{301}"

    @Test("A map keeps the values of keys that differ only in normalization")
    func map() {
        var map: TextMap<Int> = [one: 1]
        map[two] = 2
        #expect(map.count == 2)
        #expect(map[one] == 1 && map[two] == 2)
        #expect(map.removeValue(forKey: one) == 1)
        #expect(map.map(\.value) == [2])
        map[one, default: 5] += 1
        #expect(map[one] == 6)
        #expect(TextMap([(one, 1), (two, 2), (one, 3)]) { _, last in last } == [one: 3, two: 2])
    }

    @Test("A set keeps names that differ only in normalization")
    func set() {
        let set: TextSet = [one]
        #expect(set.contains(one) && !set.contains(two))
        #expect(set.union([two]).count == 2)
        #expect(TextSet([one, two]).subtracting(set) == [two])
    }

    @Test("Every string comparison in a file that imports FirnValues compares bytes")
    func comparisons() {
        struct Named: Hashable { let name: String }
        let optional: String? = two
        #expect(one != two && !(one == two))
        #expect(optional != one && optional == two)
        #expect(Named(name: one) != Named(name: two))
        #expect(![one].contains(two) && [one, two].firstIndex(of: two) == 1)
        #expect([one] != [two])
        #expect(two < one && [one, two].sorted() == [two, one])
        #expect(!one.hasPrefix(two) && two.hasPrefix("e") && two.hasSuffix("\u{301}"))
        switch one {
        case two: Issue.record("a pattern compared by equivalence")
        default: break
        }
    }
}
