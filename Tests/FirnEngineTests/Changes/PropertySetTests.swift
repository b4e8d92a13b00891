import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Sets of properties")
struct PropertySetTests {
    @Test(
        "A property set behaves like a set of numbers, whether small or large",
        arguments: TestScale.seeds(8))
    func againstSet(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var model: Set<UInt32> = []
        var set = PropertySet()
        for _ in 0..<200 {
            let number = UInt32(generator.next() % (generator.happens(oneIn: 3) ? 9_999 : 70))
            model.insert(number)
            set.insert(PropertyID(number))
            #expect(set.contains(PropertyID(number)))
            let other = UInt32(generator.next() % 130)
            #expect(set.contains(PropertyID(other)) == model.contains(other))
            #expect(set.intersects(PropertySet([PropertyID(other)])) == model.contains(other))
        }
        var listed: [UInt32] = []
        func list(_ property: PropertyID) { listed.append(property.rawValue) }
        set.forEach(list)
        #expect(listed == model.sorted())
        var union = PropertySet([PropertyID(3), PropertyID(5_000)])
        union.formUnion(set)
        model.formUnion([3, 5_000])
        #expect(union == PropertySet(model.map { PropertyID($0) }))
        #expect(PropertySet().isEmpty && !set.isEmpty)
    }
}
