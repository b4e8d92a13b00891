import FirnEngine

/// Keeps a part of another stream by position: `SKIP`, `LIMIT` and `first`.
final class SliceStream: RowStream {
    private let source: any RowStream
    private var toSkip: Int
    private var toTake: Int

    init(_ source: any RowStream, skipping: Int = 0, taking: Int = .max) {
        self.source = source
        toSkip = skipping
        toTake = taking
    }

    func next() throws(StoreError) -> RowBatch? {
        while toTake > 0, let batch = try source.next() {
            let skipped = min(toSkip, batch.count)
            toSkip -= skipped
            let taken = min(toTake, batch.count - skipped)
            guard taken > 0 else { continue }
            toTake -= taken
            return batch.part(skipped..<(skipped + taken))
        }
        return nil
    }
}

/// Keeps the last row of another stream.
final class LastStream: RowStream {
    private let source: any RowStream
    private var isDone = false

    init(_ source: any RowStream) { self.source = source }

    func next() throws(StoreError) -> RowBatch? {
        guard !isDone else { return nil }
        isDone = true
        var last: RowBatch?
        if let scan = source as? ScanStream {
            last = try scan.lastRun().map { .run($0) }
        } else {
            while let batch = try source.next() { last = batch }
        }
        return last.map { $0.part(($0.count - 1)..<$0.count) }
    }
}
