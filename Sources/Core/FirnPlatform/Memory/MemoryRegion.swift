import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One mapping of a memory arena, and its free blocks.
struct MemoryRegion: @unchecked Sendable {
    private struct FreeBlock {
        var start: Int
        var end: Int
    }

    private let mapping: UnsafeMutableRawPointer
    private let mappedByteCount: Int
    private let base: UnsafeMutableRawPointer
    private let byteCount: Int
    /// The free blocks in ascending order; no two of them touch.
    private var free: [FreeBlock]

    /// Maps memory.
    ///
    /// - Parameter byteCount: the size of all blocks together, a multiple of that of huge pages.
    /// - Returns: `nil` if the system has no memory left.
    init?(byteCount: Int, hugePageByteCount: Int) {
        mappedByteCount = byteCount + hugePageByteCount
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let mapping = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
            mapping != MAP_FAILED
        else { return nil }
        self.mapping = mapping
        base = mapping.alignedUp(toMultipleOf: hugePageByteCount)
        self.byteCount = byteCount
        free = [FreeBlock(start: 0, end: byteCount)]
        #if os(Linux)
        // Only a hint: without huge pages, the memory is slower.
        _ = madvise(base, byteCount, MADV_HUGEPAGE)
        #endif
    }

    /// Whether no block is in use.
    var isUnused: Bool { free.count == 1 && free[0].start == 0 && free[0].end == byteCount }

    func unmap() { munmap(mapping, mappedByteCount) }

    func contains(_ block: MemoryBlock) -> Bool {
        block.pointer >= base && block.pointer < base + byteCount
    }

    /// Returns the first free block that is large enough.
    mutating func take(_ size: Int) -> MemoryBlock? {
        guard let index = free.firstIndex(where: { $0.end - $0.start >= size }) else { return nil }
        let start = free[index].start
        free[index].start += size
        if free[index].start == free[index].end { free.remove(at: index) }
        return MemoryBlock(base + start)
    }

    /// Frees a block, and joins it with free neighbours.
    mutating func free(_ block: MemoryBlock, _ size: Int) {
        let start = block.pointer - base
        let end = start + size
        let next = firstIndex(after: start)
        let joinsPrevious = next > 0 && free[next - 1].end == start
        let joinsNext = next < free.count && free[next].start == end
        switch (joinsPrevious, joinsNext) {
        case (true, true):
            free[next - 1].end = free[next].end
            free.remove(at: next)
        case (true, false): free[next - 1].end = end
        case (false, true): free[next].start = start
        case (false, false): free.insert(FreeBlock(start: start, end: end), at: next)
        }
    }

    /// Returns the memory of free blocks to the system.
    func releaseFree() {
        for block in free {
            _ = madvise(base + block.start, block.end - block.start, MADV_DONTNEED)
        }
    }

    /// Returns the index of the first free block after an offset.
    private func firstIndex(after offset: Int) -> Int {
        var low = 0
        var high = free.count
        while low < high {
            let middle = (low + high) / 2
            if free[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
