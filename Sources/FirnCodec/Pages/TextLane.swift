import FirnValues

/// The texts of a page, for looks at single rows that come one after the other.
///
/// It points into the page, which must live as long, and counts no references.
package struct TextLane {
    /// `nil` if every row has a text of its own.
    private let codes: CodeArray?
    private let texts: StringTable
    /// Bit i of word i / 64; `nil` when all or no rows are null.
    private let nulls: UnsafePointer<UInt64>?
    private let isAllNull: Bool
    private let rowCount: Int

    /// - Returns: `nil` if the page has no texts, or one for all rows.
    package init?(_ page: ColumnPage) {
        guard page.kind == .string else { return nil }
        switch page.content {
        case .dictionary(let codes, let entries):
            self.codes = codes
            texts = entries
        case .heap(let strings):
            codes = nil
            texts = strings
        default: return nil
        }
        nulls = page.nulls
        isAllNull = page.nulls == nil && page.nullCount != 0
        rowCount = page.rowCount
    }

    package func isNull(_ row: Int) -> Bool {
        precondition(row >= 0 && row < rowCount)
        guard let nulls else { return isAllNull }
        return nulls[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 == 1
    }

    /// The text of a row; `nil` if it has none.
    package func text(at row: Int) -> String? {
        guard !isNull(row) else { return nil }
        let index = codes.map { Int(truncatingIfNeeded: $0[row]) } ?? row
        return String(decoding: texts[index], as: UTF8.self)
    }
}
