import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Numbers of values and combinations")
struct NumberingTests {
    /// Numbers move from an array to a hash table when there are too many possible pairs.
    @Test("Combinations are numbered in the order of their first occurrence", arguments: 0..<6)
    func combinations(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let numbers = CombinationNumbers(3)
        var expected: [[UInt32]: UInt32] = [:]
        let none = IntegerNumbers.none
        // The range of numbers grows from batch to batch: rows and columns of the array, then the
        // hash table.
        for bound in [1, 3, 20, 5, 200, 70_000] as [UInt32] {
            var columns: [[UInt32]] = [[], [], []]
            for _ in 0..<500 {
                for column in 0..<3 {
                    let isNone = Int.random(in: 0..<50, using: &generator) == 0
                    columns[column].append(
                        isNone ? none : UInt32.random(in: 0..<bound, using: &generator))
                }
            }
            let known = numbers.numbers(columns, adding: false)
            let found = numbers.numbers(columns, adding: true)
            for row in 0..<500 {
                let key = columns.map { $0[row] }
                guard !key.contains(none) else {
                    #expect(found[row] == none && known[row] == none)
                    continue
                }
                #expect(known[row] == expected[key] ?? none || known[row] == none)
                let number = expected[key] ?? UInt32(expected.count)
                expected[key] = number
                #expect(found[row] == number)
            }
            #expect(numbers.count == expected.count)
        }
    }

    /// A join took 266 MB of 256 while the table doubled that was then found to be too large.
    @Test(
        "The memory of values is announced before a table doubles",
        arguments: [ValueTag.int, .date, .string])
    func memory(kind: ValueTag) {
        var generator = SplitMix64(seed: 11)
        let numbers = ValueNumbers(kind: kind)
        var doublingCount = 0
        for batch in 0..<200 {
            let count = Int.random(in: 1...300, using: &generator)
            var vector = ColumnVector(kind: kind)
            for row in 0..<count {
                let number = Int64(batch * 1_000 + row)
                switch kind {
                case .int: vector.append(.int(number))
                case .date: vector.append(.date(Timestamp(seconds: number)))
                default: vector.append(.string(String(number)))
                }
            }
            let before = numbers.byteCount
            let announced = numbers.byteCount(afterAdding: count)
            _ = numbers.numbers(of: vector, adding: true)
            // Beside the table, texts take their bytes and a number each, in arrays that double.
            let beside = kind == .string ? 16 * (batch + 1) * 300 : 0
            #expect(numbers.byteCount <= announced + beside, "batch \(batch)")
            if numbers.byteCount > before + before / 2 { doublingCount += 1 }
        }
        #expect(doublingCount > 3)
    }

    @Test("Rows are counted per owner", arguments: 0..<6)
    func counts(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        for ownerCount in [1, 2, 300, 5_000] {
            let rowCount = Int.random(in: 0...3_000, using: &generator)
            let owners = (0..<rowCount).map { _ in
                UInt32.random(in: 0..<UInt32(ownerCount), using: &generator)
            }
            var rows = Bitmap(count: rowCount)
            for row in 0..<rowCount { rows[row] = Bool.random(using: &generator) }
            var counts = [Int](repeating: 5, count: ownerCount)
            var expected = counts
            counts.count(owners)
            counts.count(owners, ofWords: rows.words, adding: -2)
            for (row, owner) in owners.enumerated() {
                expected[Int(owner)] += rows[row] ? -1 : 1
            }
            #expect(counts == expected)
        }
    }
}
