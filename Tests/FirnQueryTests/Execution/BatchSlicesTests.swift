import FirnEngine
import Testing

@testable import FirnQuery

@Suite("Slices of rows in any order")
struct BatchSlicesTests {
    private static let references = (0..<10_000).map {
        RowReference(group: UInt32($0 % 7), row: UInt32($0))
    }

    /// Returns the sizes of the slices of all rows, each of which has values of the given size.
    private static func sizes(
        rowByteCount: Int, of statementByteCount: Int
    ) throws -> (sizes: [Int], rows: [RowReference]) {
        var slices = BatchSlices(of: statementByteCount)
        var sizes: [Int] = []
        var rows: [RowReference] = []
        let areAll = try slices.visit(.scattered(references[...])) { slice in
            sizes.append(slice.count)
            rows += slice.references
            return slice.count * rowByteCount
        }
        #expect(areAll)
        return (sizes, rows)
    }

    @Test("Slices grow while their values are small, and have all rows in their order")
    func growth() throws {
        let (sizes, rows) = try Self.sizes(rowByteCount: 1, of: 1 << 20)
        #expect(sizes == [64, 128, 256, 512, 1_024, 2_048, 4_096, 1_872])
        #expect(rows.map(\.packed) == Self.references.map(\.packed))
    }

    @Test("Slices with large values shrink, down to one row", arguments: [1_000, 50_000, 1 << 20])
    func shrinking(rowByteCount: Int) throws {
        // A slice may take an eighth of it.
        let (sizes, rows) = try Self.sizes(rowByteCount: rowByteCount, of: 1 << 20)
        #expect(sizes.dropFirst(8).allSatisfy { $0 == 1 || $0 * rowByteCount <= 1 << 17 })
        #expect(rows.count == Self.references.count)
    }

    @Test("A visitor can end the work")
    func end() throws {
        var slices = BatchSlices(of: 1 << 20)
        var count = 0
        let areAll = try slices.visit(.scattered(Self.references[...])) { _ in
            count += 1
            return count < 3 ? 0 : nil
        }
        #expect(!areAll && count == 3)
    }
}
