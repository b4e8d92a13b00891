import FirnPlatform
import FirnValues

/// A merge of sorted runs by a heap of readers, with the least entry on top.
struct SortMerge {
    /// A reader with the first 16 bytes of its key, which decide most comparisons.
    ///
    /// Shorter keys are padded with zeros, and ties are compared in full.
    private struct Head {
        let high: UInt64
        let low: UInt64
        /// The whole key, valid until the reader advances.
        ///
        /// It is here, so that a comparison counts no references.
        let key: UnsafeRawBufferPointer
        let reader: Int

        init(_ key: UnsafeRawBufferPointer, _ reader: Int) {
            self.key = key
            high = SortMemory.head(key)
            low = key.count > 8 ? SortMemory.head(UnsafeRawBufferPointer(rebasing: key[8...])) : 0
            self.reader = reader
        }
    }

    private var readers: [SortRunReader]
    /// The readers that have an entry, as a binary heap.
    private var heap: [Head] = []
    private var isStarted = false

    init(_ runs: ArraySlice<SortSpill.Run>, memoryByteCount: Int) {
        let share = max(1, memoryByteCount / max(1, runs.count))
        readers = runs.map {
            SortRunReader(file: $0.file, run: $0.offsets, readByteCount: share)
        }
    }

    /// Visits all entries that are left.
    mutating func run(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        _ = try next(atMost: .max, visit)
    }

    /// Visits the next entries.
    ///
    /// - Parameter visit: Receives key and value, which are valid only during the call.
    /// - Returns: The number of entries, which is smaller only after the last one.
    mutating func next(
        atMost countMax: Int,
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        if !isStarted { try start() }
        var count = 0
        while count < countMax, let top = heap.first {
            try visit(top.key, readers[top.reader].value)
            if let head = try advance(top.reader) {
                heap[0] = head
            } else {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            siftDown()
            count += 1
        }
        return count
    }

    private mutating func start() throws(StoreError) {
        isStarted = true
        for index in readers.indices {
            guard let head = try advance(index) else { continue }
            heap.append(head)
            siftUp(heap.count - 1)
        }
    }

    /// Returns the next entry of a reader; `nil` after the last.
    private mutating func advance(_ reader: Int) throws(StoreError) -> Head? {
        guard try readers[reader].advance() else { return nil }
        return Head(readers[reader].key, reader)
    }

    /// Whether one reader's entry precedes another's; entries with equal keys keep the order of the
    /// runs, in which they were added.
    @inline(__always)
    private static func precedes(_ left: Head, _ right: Head) -> Bool {
        if left.high != right.high { return left.high < right.high }
        if left.low != right.low { return left.low < right.low }
        let order = KeyOrder.order(left.key, right.key)
        return order == .less || (order == .equal && left.reader < right.reader)
    }

    private mutating func siftUp(_ position: Int) {
        var position = position
        while position > 0 {
            let parent = (position - 1) / 2
            guard Self.precedes(heap[position], heap[parent]) else { return }
            heap.swapAt(position, parent)
            position = parent
        }
    }

    /// Moves the top of the heap down to its place.
    private mutating func siftDown() {
        guard let moved = heap.first else { return }
        var position = 0
        while 2 * position + 1 < heap.count {
            var child = 2 * position + 1
            if child + 1 < heap.count, Self.precedes(heap[child + 1], heap[child]) { child += 1 }
            guard Self.precedes(heap[child], moved) else { break }
            heap[position] = heap[child]
            position = child
        }
        heap[position] = moved
    }
}
