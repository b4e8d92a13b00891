import FirnTesting
import Testing

@testable import FirnEngine

@Suite("Maps and sets of rows")
struct RowMapTests {
    @Test(
        "Maps and sets of rows behave like dictionaries, and copies keep their content",
        arguments: 0..<UInt64(8)
    )
    func againstDictionary(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var map = RowMap<Int>()
        var set = RowSet()
        var model: [UInt32: Int] = [:]
        var members: Set<UInt32> = []
        var copies: [(RowMap<Int>, [UInt32: Int])] = []
        let bound: UInt32 = seed % 2 == 0 ? 65_536 : 200
        for step in 0..<2000 {
            let row = UInt32.random(in: 0..<bound, using: &generator)
            switch generator.next() % 8 {
            case 0: (map[row], model[row]) = (nil, nil)
            case 1:
                let found = map.update(row) { $0 += 1 }
                #expect(found == (model[row] != nil))
                if let old = model[row] { model[row] = old + 1 }
            case 2:
                set.insert(row)
                members.insert(row)
            case 3:
                let count = UInt32.random(in: 1...100, using: &generator)
                let last = min(bound, row + count * UInt32.random(in: 1...40, using: &generator))
                let run = stride(from: row, to: last, by: Int(last - row) / Int(count) + 1)
                    .map { RowMap<Int>.Entry(row: $0, element: step) }
                if generator.next() % 16 == 0 { (map, model) = (RowMap(), [:]) }
                map.merge(run[...])
                for entry in run { model[entry.row] = entry.element }
            default: (map[row], model[row]) = (step, step)
            }
            if step % 400 == 0 { copies.append((map, model)) }
            #expect(map[row] == model[row] && set.contains(row) == members.contains(row))
        }
        copies.append((map, model))
        for (map, model) in copies {
            var rows: [UInt32] = []
            map.visit { row, value in
                rows.append(row)
                #expect(model[row] == value)
            }
            #expect(rows == model.keys.sorted() && map.count == model.count)
            #expect(map.isEmpty == model.isEmpty)
        }
        #expect(set.rows == members.sorted() && set.count == members.count)
    }
}
