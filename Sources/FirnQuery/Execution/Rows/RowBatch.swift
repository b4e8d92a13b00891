/// A batch of rows in the order of the query, as streams exchange it.
///
/// Never empty.
enum RowBatch {
    /// Rows of one group in table order, suited to work on whole pages.
    case run(RowRun)
    /// Rows of any groups in any order, as produced by a sort.
    case scattered(ArraySlice<RowReference>)

    var count: Int {
        switch self {
        case .run(let run): run.count
        case .scattered(let references): references.count
        }
    }

    /// Returns the rows at a range of positions.
    func part(_ range: Range<Int>) -> RowBatch {
        switch self {
        case .run(let run): return .run(run.part(range))
        case .scattered(let references):
            let start = references.startIndex
            return .scattered(references[start + range.lowerBound..<start + range.upperBound])
        }
    }
}
