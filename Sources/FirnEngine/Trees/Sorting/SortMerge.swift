import FirnPlatform
import FirnValues

/// A merge of sorted runs by a heap of readers, with the least entry on top.
struct SortMerge {
    private var readers: [SortRunReader]
    /// The indices of the readers that have an entry, as a binary heap.
    private var heap: [Int] = []

    init(file: any File, runs: [Range<UInt64>], memoryByteCount: Int) {
        let share = max(1, memoryByteCount / max(1, runs.count))
        readers = runs.map { SortRunReader(file: file, run: $0, readByteCount: share) }
    }

    mutating func run(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        for index in readers.indices where try readers[index].advance() {
            heap.append(index)
            siftUp(heap.count - 1)
        }
        while let top = heap.first {
            try readers[top].withEntry { key, value throws(StoreError) in
                try visit(key, value)
            }
            if try !readers[top].advance() {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            siftDown()
        }
    }

    /// Whether one reader's entry precedes another's; equal keys keep the order of the runs, which
    /// is that of their addition.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
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
