import FirnCodec

/// The texts of rows to be sorted, batch by batch.
///
/// They are in memory of their own, because a sort reads them in random order: each access to the
/// arrays of a vector would count references, and wait for the count.
struct SortTextBatches {
    /// The texts of a batch: text i is `bytes[offsets[i] ..< offsets[i + 1]]`.
    struct Batch {
        fileprivate let offsets: UnsafePointer<UInt32>?
        fileprivate let bytes: UnsafePointer<UInt8>?

        /// Returns a text, which is valid as long as the batches exist; empty if the batch has
        /// none.
        @inline(__always)
        func text(_ row: Int) -> UnsafeBufferPointer<UInt8> {
            guard let offsets, let bytes else { return UnsafeBufferPointer(start: nil, count: 0) }
            let (start, end) = (Int(offsets[row]), Int(offsets[row + 1]))
            return UnsafeBufferPointer(start: bytes + start, count: end - start)
        }
    }

    /// The memory of a batch.
    private final class Memory {
        let batch: Batch

        init(_ vector: ColumnVector) {
            let offsets = UnsafeMutablePointer<UInt32>.allocate(capacity: vector.offsets.count)
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, vector.bytes.count))
            vector.offsets.withUnsafeBufferPointer { source in
                if let base = source.baseAddress {
                    offsets.initialize(from: base, count: source.count)
                }
            }
            vector.bytes.withUnsafeBufferPointer { source in
                if let base = source.baseAddress {
                    bytes.initialize(from: base, count: source.count)
                }
            }
            batch = Batch(offsets: UnsafePointer(offsets), bytes: UnsafePointer(bytes))
        }

        deinit {
            batch.offsets?.deallocate()
            batch.bytes?.deallocate()
        }
    }

    /// The memory of each batch; `nil` if none of its texts will be read.
    private var memory: [Memory?] = []
    private var batches: [Batch] = []

    /// Appends the texts of a batch; `nil` if none of them will be read.
    mutating func append(_ vector: ColumnVector?) {
        let added = vector.map { Memory($0) }
        memory.append(added)
        batches.append(added?.batch ?? Batch(offsets: nil, bytes: nil))
    }

    /// Returns some of the batches.
    func part(_ range: Range<Int>) -> SortTextBatches {
        var part = SortTextBatches()
        part.memory = Array(memory[range])
        part.batches = Array(batches[range])
        return part
    }

    /// Returns a text, which is valid as long as this instance exists; empty if the batch has none.
    @inline(__always)
    func text(_ batch: Int, _ row: Int) -> UnsafeBufferPointer<UInt8> {
        batches[batch].text(row)
    }

    /// Calls `body` with all batches, which are valid as long as this instance exists.
    func withUnsafeBatches<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<Batch>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try batches.withUnsafeBufferPointer(body)
    }

    /// Appends the batches of another instance.
    mutating func append(_ other: SortTextBatches) {
        memory += other.memory
        batches += other.batches
    }
}
