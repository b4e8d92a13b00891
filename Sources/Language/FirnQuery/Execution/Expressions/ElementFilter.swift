import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Evaluates a quantifier over the elements of a collection property of the queried objects.
///
/// The test runs once on the encoded page with all elements of a group. The resulting bits are then
/// folded row by row.
final class ElementFilter: RowFilter {
    private let quantifier: Quantifier
    private let property: PropertySchema
    private let part: ElementIterator.Part
    private let test: ColumnTest
    private let source: any RowSource

    init(
        _ quantifier: Quantifier, _ property: PropertySchema, _ part: ElementIterator.Part,
        _ test: ColumnTest, _ source: any RowSource
    ) {
        self.quantifier = quantifier
        self.property = property
        self.part = part
        self.test = part == .elements ? test.onColumn(of: property.type) : test
        self.source = source
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        let column = try source.collection(property, of: group)
        rows.setAll(quantifier != .any)
        if let page = part == .keys ? column.keys : column.elements {
            var passing = Bitmap(count: page.rowCount)
            page.filter(test, into: &passing)
            fold(passing, column.starts, &rows)
        }
        try markLarge(column, group, candidates, &rows)
    }

    /// Whether the quantifier holds for an empty collection: true for ALL and NONE, false for ANY.
    private func fold(_ passing: Bitmap, _ starts: [UInt32], _ rows: inout Bitmap) {
        passing.words.withUnsafeBufferPointer { words in
            for row in 0..<rows.count where starts[row] < starts[row + 1] {
                let range = Int(starts[row])..<Int(starts[row + 1])
                switch quantifier {
                case .any: if Self.hasBit(words, range, inverted: false) { rows[row] = true }
                case .none: if Self.hasBit(words, range, inverted: false) { rows[row] = false }
                case .all: if Self.hasBit(words, range, inverted: true) { rows[row] = false }
                }
            }
        }
    }

    /// Whether any bit of a range is set, or, if `inverted`, whether any is clear.
    @inline(__always)
    private static func hasBit(
        _ words: UnsafeBufferPointer<UInt64>, _ range: Range<Int>, inverted: Bool
    ) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(range.upperBound, (start | 63) + 1)
            var word = inverted ? ~words[start >> 6] : words[start >> 6]
            word >>= UInt64(start & 63)
            let count = end - start
            if count < 64 { word &= (1 << UInt64(count)) - 1 }
            if word != 0 { return true }
            start = end
        }
        return false
    }

    /// Tests the collections that are stored out of line, one by one.
    private func markLarge(
        _ column: CollectionColumn, _ group: Int, _ candidates: Bitmap?, _ rows: inout Bitmap
    ) throws(StoreError) {
        let large = column.outOfLineRows.filter { candidates?[Int($0)] ?? true }
        guard !large.isEmpty else { return }
        let vectorTest = VectorTest(test)
        var fold = QuantifierFold(quantifier, rowCount: large.count)
        try ElementIterator(property, PathBatch(source, .group(group, large)), part: part).visit {
            owners, values in
            fold.add(vectorTest.rows(values), owners: owners)
        }
        let passing = fold.rows
        for (index, row) in large.enumerated() { rows[Int(row)] = passing[index] }
    }
}
