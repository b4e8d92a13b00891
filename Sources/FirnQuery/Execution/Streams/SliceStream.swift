import FirnEngine

/// Keeps a range of positions of another stream: `SKIP`, `LIMIT` and `first`.
final class SliceStream: RowStream {
    private let stream: any RowStream
    private var toSkip: Int
    private var toTake: Int

    init(_ stream: any RowStream, skipping: Int = 0, taking: Int = .max) {
        self.stream = stream
        toSkip = skipping
        toTake = taking
    }

    func next() throws(StoreError) -> RowBatch? {
        while toTake > 0, let batch = try stream.next() {
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
    private let stream: any RowStream
    private var isDone = false

    init(_ stream: any RowStream) { self.stream = stream }

    func next() throws(StoreError) -> RowBatch? {
        guard !isDone else { return nil }
        isDone = true
        var last: RowBatch?
        if let scan = stream as? ScanStream {
            last = try scan.lastRun().map { .run($0) }
        } else {
            while let batch = try stream.next() { last = batch }
        }
        return last.map { $0.part(($0.count - 1)..<$0.count) }
    }
}
