import FirnCodec
import FirnValues
import Testing

@Suite("Single values of numeric pages")
struct NumberColumnViewTests {
    private static let seed: UInt64 = 0x1A4E_5000

    @Test("A single value equals the value in the page")
    func values() throws {
        var laneCount = 0
        for sample in SampleColumn.all(rows: 100, seed: NumberColumnViewTests.seed) {
            let page = try page(sample.values, sample.kind)
            guard let view = NumberColumnView(page) else { continue }
            laneCount += 1
            for (row, value) in sample.values.enumerated() {
                #expect(view.isNull(row) == value.isNull, "\(sample), row \(row)")
                switch value {
                case .int(let number): #expect(view.integer(at: row) == number, "\(sample)")
                case .bool(let truth): #expect(view.integer(at: row) == (truth ? 1 : 0))
                case .date(let time): #expect(view.integer(at: row) == time.seconds, "\(sample)")
                case .double(let number):
                    #expect(view.double(at: row).bitPattern == number.bitPattern, "\(sample)")
                case .float(let number):
                    #expect(view.float(at: row).bitPattern == number.bitPattern, "\(sample)")
                default: #expect(value.isNull, "\(sample)")
                }
            }
        }
        #expect(laneCount >= 5 * SampleColumn.Shape.allCases.count)
    }

    @Test("Strings and dates with fractional seconds cannot be viewed as numbers")
    func others() throws {
        #expect(NumberColumnView(try page([.string("a"), .string("b")], .string)) == nil)
        let dates = (0..<3).map { Value.date(Timestamp(seconds: 1, nanoseconds: $0)) }
        #expect(NumberColumnView(try page(dates, .date)) == nil)
    }

    @Test("The first row of a value is found at its position and nowhere else")
    func search() throws {
        for step in [1, 3, 1000] as [Int64] {
            let values = (0..<200).map { Value.int(Int64($0) * step - 50) }
            try expectSearch(values + [.int(.max)], .int, absent: [.int(.min), .int(9_999_999)])
        }
        try expectSearch([.int(5), .int(6), .int(7), .int(90)], .int, absent: [.int(8), .int(4)])
        try expectSearch(
            (100..<180).map { .string("key \($0)") }, .string, absent: [.string("key 99"), .int(3)])
    }

    private func expectSearch(_ values: [Value], _ kind: ValueTag, absent: [Value]) throws {
        let page = try page(values, kind)
        for (row, value) in values.enumerated() { #expect(page.firstRow(of: value) == row) }
        for value in absent { #expect(page.firstRow(of: value) == nil) }
        #expect(page.firstRow(of: .null) == nil)
        // Null is the least value.
        let withNull = try self.page([.null] + values, kind)
        for (row, value) in values.enumerated() { #expect(withNull.firstRow(of: value) == row + 1) }
        for value in absent { #expect(withNull.firstRow(of: value) == nil) }
        #expect(withNull.firstRow(of: .null) == 0)
    }

    private func page(_ values: [Value], _ kind: ValueTag) throws -> ColumnPage {
        let builder = ColumnBuilder(kind: kind)
        for value in values { try builder.append(value) }
        return try builder.makePage()
    }
}
