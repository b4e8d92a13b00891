import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Per-class dictionaries")
struct ClassMapTests {
    @Test("A class map behaves like a dictionary", arguments: [1, 2, 3] as [UInt64])
    func dictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var map = ClassMap<Int>()
        var wanted: [ClassID: Int] = [:]
        for step in 0..<500 {
            let id = ClassID(UInt32(random.next() % 5))
            switch random.next() % 3 {
            case 0:
                map[id] = nil
                wanted[id] = nil
            default:
                map[id] = step
                wanted[id] = step
            }
            #expect(map.classes == wanted.keys.sorted(), "seed \(seed), step \(step)")
            #expect(map.isEmpty == wanted.isEmpty)
            for id in (0..<6).map({ ClassID($0) }) { #expect(map[id] == wanted[id]) }
        }
    }
}
