import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Sorting")
struct SortTests {
    @Test(
        "The first rows come from the row groups with the best bounds, and other groups are not read"
    )
    func pruning() throws {
        // 100 groups, each with its own range of values, in a shuffled order.
        let numbers = (0..<100).flatMap { group -> [Int64?] in
            (0..<8).map { Int64((group * 37 % 100) * 8 + $0) }
        }
        let table = try StoredTable(ints: numbers)
        #expect(try table.ints("Item SORT(x) LIMIT(10)") == (0..<10).map { Int64($0) })
        #expect(try table.statistics("Item SORT(x) LIMIT(10)").pagesTotal == 100)
        #expect(try table.statistics("Item SORT(x) LIMIT(10)").pagesRead == 2)
        #expect(
            try table.ints("Item SORT(x DESC) SKIP(3) LIMIT(3)")
                == [796, 795, 794])
        #expect(try table.statistics("Item SORT(x DESC) SKIP(3) LIMIT(3)").pagesRead == 1)
        #expect(try table.statistics("Item SORT(x)").pagesRead == 100)
    }

    @Test("Long strings also skip pages, although zone maps truncate them")
    func pruningOfStrings() throws {
        let names = (0..<64).map { number -> [Value] in
            let digits = String(1_000 + number)
            return [.string(digits + "-" + String(repeating: "x", count: 60) + digits)]
        }
        let table = try StoredTable(["x": .string], names)
        #expect(try table.rows("Item SORT(x DESC) LIMIT(8)") == Array(names.reversed().prefix(8)))
        #expect(try table.statistics("Item SORT(x DESC) LIMIT(8)").pagesRead == 1)
        #expect(try table.statistics("Item SORT(x) LIMIT(8)").pagesRead == 1)
    }

    @Test("Ties at the limit are broken by table order, across row groups")
    func tiesAtTheLimit() throws {
        // Every group has 1 and 2; no zone map has better bounds than another.
        let table = try StoredTable(ints: (0..<80).map { Int64($0 % 2 + 1) })
        let ones = stride(from: Int64(0), to: 80, by: 2)
        for limit in [1, 3, 4, 5, 39, 40] {
            let expected = ones.prefix(limit).map { Value.int($0) }
            let found = try table.rows("Item SORT(x) LIMIT(\(limit)) | project(@id)")
            #expect(found == expected.map { [$0] })
        }
        let found = try table.rows("Item SORT(x DESC) LIMIT(2) | project(@id)")
        #expect(found == [[.int(1)], [.int(3)]])
    }

    @Test("Nil comes first in ascending and last in descending order, with and without a limit")
    func nulls() throws {
        let numbers: [Int64?] = [nil, 5, nil, .min, .max, 5, nil, 0, .min + 1, nil]
        let table = try StoredTable(ints: numbers, rowsPerGroup: 2)
        let ascending: [Int64?] = [nil, nil, nil, nil, .min, .min + 1, 0, 5, 5, .max]
        let descending = Array(ascending.reversed())
        for limit in 1...10 {
            #expect(
                try table.ints("Item SORT(x) LIMIT(\(limit))") == Array(ascending.prefix(limit)))
            #expect(
                try table.ints("Item SORT(x DESC) LIMIT(\(limit))")
                    == Array(descending.prefix(limit)))
        }
        #expect(try table.ints("Item SORT(x)") == ascending)
        #expect(try table.ints("Item SORT(x DESC)") == descending)
    }

    @Test("A row group with only nil is read last by a descending sort with a limit")
    func groupOfNulls() throws {
        let numbers: [Int64?] = Array(repeating: nil, count: 8) + (1...8).map { Int64($0) }
        let table = try StoredTable(ints: numbers)
        #expect(try table.ints("Item SORT(x DESC) LIMIT(3)") == [8, 7, 6])
        #expect(try table.statistics("Item SORT(x DESC) LIMIT(3)").pagesRead == 1)
        #expect(try table.ints("Item SORT(x DESC) LIMIT(9)").last == .some(nil))
    }

    @Test("Equal values keep their order where other rows have inexact codes")
    func tiesBesideInexactCodes() throws {
        let table = try StoredTable(
            ["x": .string],
            [["b", "a"], ["a", "a longer text"], ["b", "a longer text too"]].flatMap { texts in
                texts.map { [.string($0)] }
            }, rowsPerGroup: 2)
        let found = try table.rows("Item SORT(x) | project(x, @id)").map { $0[1] }
        #expect(found == [1, 2, 3, 5, 0, 4].map { .int($0) })
    }

    @Test("More rows than fit into one window are in order", arguments: [1, 3])
    func manyRows(keyCount: Int) throws {
        let count = 70_000
        let table = try StoredTable(
            ["x": .int, "y": .int],
            (0..<count).map { [.int(Int64($0 * 7_919 % count)), .int(Int64($0 % 3))] },
            rowsPerGroup: 16_384)
        if keyCount == 1 {
            let found = try table.ints("Item SORT(x)")
            #expect(found.elementsEqual((0..<count).map { Int64($0) }))
        }
        let found = try table.rows("Item SORT(y DESC, x) | y != 1 | project(y, x)")
        let isOrdered = zip(found, found.dropFirst()).allSatisfy { left, right in
            let order = left[0].order(relativeTo: right[0])
            return order == .greater
                || (order == .equal && left[1].order(relativeTo: right[1]) == .less)
        }
        #expect(isOrdered)
        #expect(found.count == (0..<count).count { $0 % 3 != 1 })
    }

    @Test("Codes sort like values, and indicate whether they are exact")
    func codes() {
        var generator = SplitMix64(seed: 5)
        for kind in [ValueTag.bool, .int, .double, .string, .date] {
            let values = [.null] + (0..<200).map { _ in RandomValues.any(kind, &generator) }
            var vector = ColumnVector(kind: kind)
            for value in values { vector.append(value) }
            var codes: [UInt64] = []
            SortCode.append(vector, to: &codes)
            for (left, leftCode) in zip(values, codes) {
                for (right, rightCode) in zip(values, codes) {
                    let order = left.order(relativeTo: right)
                    if leftCode != rightCode {
                        #expect(order == Ordering(leftCode, rightCode), "\(left) and \(right)")
                    } else if SortCode.isExact(leftCode, kind) {
                        #expect(order == .equal, "\(left) and \(right)")
                    }
                }
            }
        }
    }

    @Test(
        "Codes are sorted as numbers, and equal codes keep their order, many or few",
        arguments: [0, 1, 2, 31, 33, 300, 5_000], 0..<8)
    func entries(count: Int, width: Int) {
        var generator = SplitMix64(seed: UInt64(count * 8 + width))
        let base = generator.next() >> 1
        let entries = (0..<count).map { index -> SortEntry in
            let code: UInt64 =
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: 0
                case 1: .max
                default: base &+ generator.next() >> UInt64(63 - width * 8)
                }
            return SortEntry(code: code, index: UInt32(index))
        }
        var sorted = entries
        var cancellation = CancellationCheck { false }
        sorted.withUnsafeMutableBufferPointer { SortEntry.sort($0, &cancellation) }
        let expected = entries.sorted { ($0.code, $0.index) < ($1.code, $1.index) }
        #expect(sorted.map(\.code) == expected.map(\.code))
        #expect(sorted.map(\.index) == expected.map(\.index))
    }

    /// Rows that cannot be among the first of their group are dropped before the sort.
    @Test(
        "The first rows of each group equal the rows of a full sort, with ties and nils",
        arguments: ["x", "x DESC", "s", "s DESC", "x, s DESC", "d DESC, x"])
    func firstOfEachGroup(order: String) throws {
        var generator = SplitMix64(seed: 77)
        let rows: [[Value]] = (0..<600).map { id in
            let number = Int64(generator.next() % 23)
            let text = String(repeating: "ab", count: Int(generator.next() % 9))
            return [
                .int(Int64(id)), generator.next() % 11 == 0 ? .null : .int(number - 9),
                generator.next() % 13 == 0 ? .null : .string(text + "\(number % 4)"),
                generator.next() % 7 == 0 ? .null : .double(Double(number) / 4 - 2),
                generator.next() % 5 == 0 ? .null : .int(Int64(generator.next() % 6)),
            ]
        }
        let table = try StoredTable(
            ["id": .int, "x?": .int, "s?": .string, "d?": .double, "g?": .int], rows,
            rowsPerGroup: 64)
        for count in [0, 1, 3, 64, 65] {
            for keys in ["g", "g, x % 2"] {
                let found = try table.ints(
                    "Item | SORT(\(order)) | LIMIT(\(count) BY \(keys)) | select(id)")
                // The rank within the group, of all rows in the same order.
                let wanted = try table.ints(
                    "Item | SORT(\(order)) | select(id, n = @row(BY \(keys))) | n <= \(count) "
                        + "| select(id)")
                #expect(found == wanted, "\(order) \(count) \(keys)")
            }
        }
    }
}
