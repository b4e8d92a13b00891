import FirnTesting
import FirnValues
import Testing

@testable import Firn

@Suite("The row ids of a collection")
struct ObjectRowsTests {
    @Test(
        "Row ids are the same as the given ids, consecutive or not", arguments: TestScale.seeds(20))
    func sameRows(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let first = UInt64.random(in: 0...5, using: &generator)
        var numbers = Array(first..<first + UInt64.random(in: 0...6, using: &generator))
        if numbers.count > 1 {
            switch Int.random(in: 0...4, using: &generator) {
            case 0: numbers.shuffle(using: &generator)
            case 1: numbers.remove(at: numbers.count / 2)
            // As many ids as between the first and the last one, but not these.
            case 2: numbers[numbers.count / 2] = 3
            case 3: numbers[numbers.count - 1] = .max
            default: break
            }
        }
        let rows = ObjectRows(numbers.map { RowID($0) })
        #expect(rows.map(\.rawValue) == numbers, "seed \(seed)")
        #expect(rows.count == numbers.count)
        for (index, number) in numbers.enumerated() {
            #expect(rows[index].rawValue == number, "seed \(seed)")
        }
    }

    @Test("Targets of links have row ids, and other values do not")
    func targets() {
        let link = Value.link(ObjectReference(classID: ClassID(1), rowID: RowID(7)))
        #expect(Array(ObjectRows(targetsOf: [link, .null, link])) == [RowID(7), RowID(7)])
        #expect(ObjectRows(targetsOf: [.null]).isEmpty)
    }
}
