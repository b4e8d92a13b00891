import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Counted rows")
struct CountedRowsTests {
    @Test("Positions and rows are found as in a sorted array", arguments: TestScale.seeds(12))
    func random(seed: UInt64) {
        var generator = SplitMix64(seed: seed &+ 40)
        // Few ids in many chunks, many in a few, and both.
        let span: UInt64 = [200_000, 70_000, 1 << 40][Int(seed % 3)]
        var expected: Set<RowID> = []
        for _ in 0..<Int.random(in: 0...9_000, using: &generator) {
            expected.insert(RowID(UInt64.random(in: 0..<span, using: &generator)))
        }
        var rows = CountedRows(expected.sorted())
        check(rows, expected, seed)
        for round in 0..<6_000 {
            // More insertions at first, more removals later.
            let comes = UInt64.random(in: 0..<6, using: &generator) < (round < 3_000 ? 4 : 1)
            let known = expected.randomElement(using: &generator)
            let row =
                comes || known == nil
                ? RowID(UInt64.random(in: 0..<span, using: &generator)) : known ?? RowID(0)
            if comes {
                let isNew = rows.insert(row)
                let isNewThere = expected.insert(row).inserted
                #expect(isNew == isNewThere)
            } else {
                let wasThere = rows.remove(row)
                let wasThereToo = expected.remove(row) != nil
                #expect(wasThere == wasThereToo)
            }
            #expect(rows.count == expected.count)
        }
        check(rows, expected, seed)
    }

    private func check(_ rows: CountedRows, _ expected: Set<RowID>, _ seed: UInt64) {
        let sorted = expected.sorted()
        #expect(rows.rows(0..<rows.count) == sorted, "seed \(seed)")
        for position in stride(from: 0, to: sorted.count, by: 97) {
            let row = sorted[position]
            #expect(rows.contains(row))
            #expect(rows.count(before: row) == position)
            let end = min(sorted.count, position + 150)
            #expect(rows.rows(position..<end) == Array(sorted[position..<end]))
            let next = RowID(row.rawValue + 1)
            #expect(rows.contains(next) == expected.contains(next))
            #expect(rows.count(before: next) == position + 1)
        }
    }

    @Test("Chunks change their form with their count and keep their content")
    func forms() {
        var part = CountedRowsPart()
        for number in 0..<5_000 {
            let isNew = part.insert(UInt16(number * 13))
            #expect(isNew)
        }
        #expect(part.count == 5_000)
        #expect(part.count(before: 13 * 100) == 100)
        for number in 0..<4_000 {
            let wasThere = part.remove(UInt16(number * 13))
            #expect(wasThere)
        }
        var rest: [UInt16] = []
        part.forEach(in: 0..<part.count) { rest.append($0) }
        #expect(rest == (4_000..<5_000).map { UInt16($0 * 13) })
        let wasThere = part.remove(1)
        #expect(!wasThere)
        #expect(!part.contains(1))
        #expect(part.contains(4_000 * 13))
    }

    @Test("Sums of chunks match a plain array", arguments: TestScale.seeds(8))
    func sums(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var plain = (0..<Int(seed * 7 % 50)).map { _ in Int.random(in: 0...3, using: &generator) }
        var sums = PartialSums(plain)
        for _ in 0..<200 {
            if plain.isEmpty || generator.happens(oneIn: 5) {
                let number = Int.random(in: 0...3, using: &generator)
                plain.append(number)
                sums.append(number)
            } else {
                let part = Int.random(in: 0..<plain.count, using: &generator)
                plain[part] += 1
                sums.add(1, at: part)
            }
        }
        #expect(sums.total == plain.reduce(0, +))
        var position = 0
        for (part, count) in plain.enumerated() {
            #expect(sums.sum(before: part) == position)
            for place in 0..<count {
                #expect(sums.part(of: position + place) == (part, place))
            }
            position += count
        }
    }
}
