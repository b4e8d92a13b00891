import FirnCodec
import FirnValues
import Testing

@Suite("Filters on encoded pages")
struct ColumnFilterTests {
    @Test(
        "Every test agrees with the reference on every row, and the zone map agrees with the rows",
        arguments: [1, 64, 65, 150])
    func everyTest(rows: Int) throws {
        for column in SampleColumn.all(rows: rows, seed: UInt64(rows) &* 3_000) {
            let builder = try column.builder()
            let zone = try builder.encode(.none).zone
            let page = try builder.makePage()
            var bitmap = Bitmap(count: rows)
            for test in sampleTests(for: column, seed: column.seed) {
                let expected = column.values.map { value($0, passes: test) }
                page.filter(test, into: &bitmap)
                let passed = (0..<rows).map { bitmap[$0] }
                #expect(passed == expected, "\(test), \(column)")
                #expect(bitmap.population == expected.count { $0 }, "\(test), \(column)")
                check(zone.verdict(test), expected, "\(test), \(column)")
                try checkCandidates(page, test, expected, "\(test), \(column)")
            }
        }
    }

    /// Filters few candidates, many and none.
    private func checkCandidates(
        _ page: ColumnPage, _ test: ColumnTest, _ expected: [Bool], _ comment: Comment
    ) throws {
        for share in [2, 16, 1_000] {
            var candidates = Bitmap(count: expected.count)
            for row in expected.indices where row % share == share / 2 { candidates[row] = true }
            var bitmap = Bitmap(count: expected.count, isSet: true)
            page.filter(test, among: candidates, into: &bitmap)
            for row in expected.indices where candidates[row] {
                #expect(bitmap[row] == expected[row], comment)
            }
        }
    }

    private func check(_ verdict: ZoneMap.Verdict, _ expected: [Bool], _ comment: Comment) {
        switch verdict {
        case .all: #expect(expected.allSatisfy { $0 }, comment)
        case .none: #expect(!expected.contains(true), comment)
        case .some: break
        }
    }

    @Test(
        "A filter handles more rows than one pass of its loop", arguments: SampleColumn.kinds
    )
    func manyRows(kind: ValueTag) throws {
        for shape in [SampleColumn.Shape.small, .random, .few] {
            let column = SampleColumn(kind, shape, .some, rows: 4_097, seed: 12)
            let page = try column.page()
            var bitmap = Bitmap(count: 4_097)
            for test in sampleTests(for: column, seed: 12).prefix(24) {
                page.filter(test, into: &bitmap)
                let isEqual = column.values.indices.allSatisfy { row in
                    bitmap[row] == value(column.values[row], passes: test)
                }
                #expect(isEqual, "\(test), \(column)")
            }
        }
    }

    @Test("Numbers of different kinds are compared exactly")
    func exactNumbers() throws {
        let large: Int64 = 1 << 53
        let ints = ColumnBuilder(kind: .int)
        for value in [60, 61, large, large + 1, large + 2, .max] { ints.append(int: value) }
        let doubles = ColumnBuilder(kind: .double)
        for value in [60, 61, 0x1p53, 0x1p53 + 2, 0x1p63, .nan] { doubles.append(double: value) }
        func rows(_ builder: ColumnBuilder, _ test: ColumnTest) throws -> [UInt32] {
            let page = try builder.makePage()
            var bitmap = Bitmap(count: page.rowCount)
            page.filter(test, into: &bitmap)
            var rows: [UInt32] = []
            bitmap.appendRows(to: &rows)
            return rows
        }
        #expect(try rows(ints, .compare(.greater, .double(60.5))) == [1, 2, 3, 4, 5])
        #expect(try rows(ints, .compare(.equal, .double(60.5))) == [])
        #expect(try rows(ints, .compare(.equal, .double(0x1p53))) == [2])
        #expect(try rows(ints, .compare(.less, .double(0x1p63))) == [0, 1, 2, 3, 4, 5])
        #expect(try rows(ints, .compare(.lessOrEqual, .double(.nan))) == [])
        #expect(try rows(ints, .compare(.notEqual, .double(.nan))) == [0, 1, 2, 3, 4, 5])
        #expect(try rows(doubles, .compare(.equal, .int(large + 1))) == [])
        #expect(try rows(doubles, .compare(.greater, .int(large + 1))) == [3, 4])
        #expect(try rows(doubles, .compare(.lessOrEqual, .int(.max))) == [0, 1, 2, 3])
        #expect(try rows(doubles, .compare(.notEqual, .int(60))) == [1, 2, 3, 4, 5])
        #expect(try rows(doubles, .between(.int(61), .int(large))) == [1, 2])
    }

    @Test("A match across the boundary of two strings is not found")
    func hitsAcrossStrings() throws {
        let builder = ColumnBuilder(kind: .string)
        var texts: [String] = []
        for row in 0..<600 {
            texts += ["\(row) spec", "ial \(row)", "\(row)special", "", "é\(row)"]
        }
        for text in texts { try builder.append(.string(text)) }
        let page = try builder.makePage()
        #expect(page.encoding == .heap)
        var bitmap = Bitmap(count: texts.count)
        for needle in ["special", "s", "9", "é5", "ial 77", "99 spec"] {
            page.filter(.text(TextPattern(.contains, needle)), into: &bitmap)
            let expected = texts.map { text in
                text.utf8.indices.contains { text.utf8[$0...].starts(with: needle.utf8) }
            }
            #expect(texts.indices.map { bitmap[$0] } == expected, "\(needle)")
        }
    }
}
