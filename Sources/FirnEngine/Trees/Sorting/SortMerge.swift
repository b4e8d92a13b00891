import FirnPlatform
import FirnValues

/// A merge of sorted runs by a heap of readers, with the least entry on top.
struct SortMerge {
    private var readers: [SortRunReader]
    /// The first bytes of each reader's key, which decide most comparisons.
    private var heads: [UInt64]
    /// The indices of the readers that have an entry, as a binary heap.
    private var heap: [Int] = []
    private var isStarted = false

    init(file: any File, runs: [Range<UInt64>], memoryByteCount: Int) {
        let share = max(1, memoryByteCount / max(1, runs.count))
        readers = runs.map { SortRunReader(file: file, run: $0, readByteCount: share) }
        heads = Array(repeating: 0, count: runs.count)
    }

    /// Visits all entries that are left.
    mutating func run(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        while try next(visit) {}
    }

    /// Visits the next entry.
    ///
    /// - Returns: Whether there was one.
    mutating func next(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        if !isStarted { try start() }
        guard let top = heap.first else { return false }
        try readers[top].withEntry { key, value throws(StoreError) in
            try visit(key, value)
        }
        if try !advance(top) {
            heap[0] = heap[heap.count - 1]
            heap.removeLast()
        }
        siftDown()
        return true
    }

    private mutating func start() throws(StoreError) {
        isStarted = true
        for index in readers.indices where try advance(index) {
            heap.append(index)
            siftUp(heap.count - 1)
        }
    }

    private mutating func advance(_ index: Int) throws(StoreError) -> Bool {
        guard try readers[index].advance() else { return false }
        heads[index] = readers[index].withEntry { key, _ in SortMemory.head(key) }
        return true
    }

    /// Whether one reader's entry precedes another's; equal keys keep the order of the runs, which
    /// is that of their addition.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
        if heads[left] != heads[right] { return heads[left] < heads[right] }
        let order = readers[left].withEntry { leftKey, _ in
            readers[right].withEntry { rightKey, _ in KeyOrder.order(leftKey, rightKey) }
        }
        return order == .less || (order == .equal && left < right)
    }

    private mutating func siftUp(_ position: Int) {
        var position = position
        while position > 0 {
            let parent = (position - 1) / 2
            guard precedes(heap[position], heap[parent]) else { return }
            heap.swapAt(position, parent)
            position = parent
        }
    }

    private mutating func siftDown() {
        var position = 0
        while true {
            var least = position
            for child in (2 * position + 1)...(2 * position + 2)
            where child < heap.count && precedes(heap[child], heap[least]) {
                least = child
            }
            if least == position { return }
            heap.swapAt(position, least)
            position = least
        }
    }
}
