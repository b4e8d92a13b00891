import FirnEngine

/// Passes on the rows of a part of a scan that pass a condition with aggregates of all rows.
struct FilteredConsumer<Kept: ScanConsumer>: ScanConsumer {
    private let filter: AggregateFilter
    private(set) var kept: Kept

    init(_ filter: AggregateFilter, _ kept: Kept) {
        self.filter = filter
        self.kept = kept
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        if let passing = try filter.kept(batch) { try kept.add(passing) }
    }

    mutating func finish() throws(StoreError) { try kept.finish() }

    var isGivenUp: Bool { kept.isGivenUp }

    mutating func merge(_ later: FilteredConsumer<Kept>) throws(StoreError) {
        try kept.merge(later.kept)
    }
}
