import FirnValues

extension ColumnPage {
    /// The minimum number of rows per candidate at which texts are matched one candidate at a time.
    ///
    /// A search through all texts at once takes a fraction of the time of matching each.
    private static let rowsPerCandidateMin = 8

    /// Overwrites a bitmap, which has one bit per row, with the candidates that pass.
    ///
    /// Texts are only matched for the candidates if these are few.
    ///
    /// - Parameter candidates: The rows whose result matters; that of the others is undefined.
    package func filter(
        _ test: ColumnTest, among candidates: Bitmap, into bitmap: inout Bitmap
    ) {
        precondition(bitmap.count == rowCount && candidates.count == rowCount)
        guard case .text(let pattern) = test, pattern.asks(kind) else {
            return filter(test, into: &bitmap)
        }
        switch content {
        case .heap(let strings)
        where candidates.population * Self.rowsPerCandidateMin <= rowCount:
            match(pattern, candidates, &bitmap) { strings[$0] }
        case .dictionary(let codes, let entries)
        where candidates.population * Self.rowsPerCandidateMin <= entries.count:
            match(pattern, candidates, &bitmap) { entries[Int(truncatingIfNeeded: codes[$0])] }
        default: filter(test, into: &bitmap)
        }
    }

    @inline(__always)
    private func match(
        _ pattern: TextPattern, _ candidates: Bitmap, _ bitmap: inout Bitmap,
        _ text: (Int) -> UnsafeBufferPointer<UInt8>
    ) {
        bitmap.setAll(false)
        let matcher = TextMatcher(pattern)
        let passesNull = FirnCodec.value(.null, passes: .text(pattern))
        var rows: [UInt32] = []
        candidates.appendRows(to: &rows)
        for row in rows {
            let row = Int(row)
            bitmap[row] = hasNull(row) ? passesNull : matcher.matches(text(row))
        }
    }
}
