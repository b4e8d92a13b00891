import FirnValues

/// The texts of a page, for reads of single rows in succession.
///
/// The view points into the page, which must be retained, and holds no reference itself.
package struct TextColumnView {
    /// The codes of the rows; `nil` if each row has its own text.
    private let codes: CodeArray?
    private let texts: StringTable
    /// The nulls: bit i of word i / 64; `nil` if all rows are null or none is.
    private let nulls: UnsafePointer<UInt64>?
    private let isAllNull: Bool
    private let rowCount: Int

    /// Creates a view.
    ///
    /// - Returns: `nil` if the page has no texts, or one text for all rows.
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

    /// Returns the text of a row, or `nil` for a null row.
    package func text(at row: Int) -> String? {
        guard !isNull(row) else { return nil }
        let index = codes.map { Int(truncatingIfNeeded: $0[row]) } ?? row
        return String(decoding: texts[index], as: UTF8.self)
    }
}
