import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Ordered rows")
struct OrderedRowsTests {
    private typealias Entry = OrderedRows.Entry

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        (left.code, left.row) < (right.code, right.row)
    }

    @Test(
        "Rows are found, inserted and removed as in a sorted array", arguments: TestScale.seeds(8)
    )
    func random(seed: UInt64) {
        var generator = SplitMix64(seed: seed &+ 90)
        var expected = (0..<UInt64(seed % 4) * 700).map { number in
            Entry(code: UInt64.random(in: 0..<50, using: &generator), row: RowID(number))
        }
        expected.sort(by: Self.isBefore)
        var rows = OrderedRows(expected)
        var next = UInt64(expected.count)
        for round in 0..<3_000 {
            let comes = UInt64.random(in: 0..<6, using: &generator) < (round < 1_500 ? 5 : 1)
            if comes || expected.isEmpty {
                let code = generator.happens(oneIn: 3) ? 1_000 : UInt64(round % 50)
                let entry = Entry(code: code, row: RowID(next))
                next += 1
                let location = rows.location { Self.isBefore($0, entry) }
                let index = expected.firstIndex { !Self.isBefore($0, entry) } ?? expected.count
                #expect(rows.position(of: location) == index)
                rows.insert(entry, at: location)
                expected.insert(entry, at: index)
            } else {
                let index = Int.random(in: 0..<expected.count, using: &generator)
                let entry = expected[index]
                let location = rows.location { Self.isBefore($0, entry) }
                #expect(rows.entry(at: location) == entry)
                #expect(rows.position(of: location) == index)
                rows.remove(at: index)
                expected.remove(at: index)
            }
        }
        #expect(rows.count == expected.count)
        #expect(rows.rows(0..<rows.count) == expected.map(\.row), "seed \(seed)")
        let middle = expected.count / 3..<expected.count / 2
        #expect(rows.rows(middle) == expected[middle].map(\.row))
        for index in expected.indices.reversed() { rows.remove(at: index) }
        #expect(rows.count == 0)
        #expect(rows.rows(0..<0).isEmpty)
        #expect(rows.entry(at: rows.location { _ in true }) == nil)
    }
}
