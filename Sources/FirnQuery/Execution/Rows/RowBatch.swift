/// What streams hand to each other: some rows in the order of the query, never none.
enum RowBatch {
    /// Rows of one group in the order of the table, ready for work on whole pages.
    case run(RowRun)
    /// Rows of any groups in any order; a sort makes them.
    case scattered(ArraySlice<RowReference>)

    var count: Int {
        switch self {
        case .run(let run): run.count
        case .scattered(let references): references.count
        }
    }

    /// A part by position.
    func part(_ range: Range<Int>) -> RowBatch {
        switch self {
        case .run(let run): return .run(run.part(range))
        case .scattered(let references):
            let start = references.startIndex
            return .scattered(references[start + range.lowerBound..<start + range.upperBound])
        }
    }
}
