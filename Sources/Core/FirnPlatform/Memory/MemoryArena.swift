import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Memory for blocks of a few kilobytes to a few megabytes, taken from large mappings.
///
/// The first use of each page of memory enters the kernel. A scan that keeps its pages in a cache
/// spent up to half of its time there. So the arena asks for huge pages, and uses memory again that
/// was freed, starting at the lowest address.
///
///     region   │ block │ free │ block │ block │ never used                               │
///              └──────── huge page ───────────┴──────── huge page ────── ...
///
/// The first blocks come from the heap, because huge pages are more work than they save for a small
/// statement, and so do those below ``blockByteCountMin``.
///
/// Source: Knuth, The Art of Computer Programming, volume 1, section 2.5: first fit with immediate
/// joining of free neighbours.
package final class MemoryArena: Sendable {
    /// The minimum size of the blocks in the arena.
    package static let blockByteCountMin = 4096
    private static let regionByteCount = 64 << 20
    private static let hugePageByteCount = 2 << 20
    /// The total size of blocks in the heap at which further blocks come from the arena.
    private static let heapByteCountMax = 2 << 20
    private static let alignment = 64

    private struct State {
        var regions: [MemoryRegion] = []
        /// The total size of the blocks in the heap that could be in the arena.
        var heapByteCount = 0
    }

    private let state = Guarded(State())

    package init() {}

    deinit {
        for region in state.withLock({ $0.regions }) { region.unmap() }
    }

    /// Returns uninitialized memory, aligned to 64 bytes.
    ///
    /// - Complexity: O(free blocks)
    package func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        let size = MemoryArena.size(byteCount)
        if byteCount >= MemoryArena.blockByteCountMin, size <= MemoryArena.regionByteCount / 4,
            let block = state.withLock({ MemoryArena.take(size, from: &$0) })
        {
            return block.pointer
        }
        return .allocate(byteCount: max(byteCount, 1), alignment: MemoryArena.alignment)
    }

    /// Frees memory.
    ///
    /// - Parameter byteCount: the size with which it was allocated.
    package func deallocate(_ pointer: UnsafeMutableRawPointer, byteCount: Int) {
        let block = MemoryBlock(pointer)
        let isFreed =
            byteCount >= MemoryArena.blockByteCountMin
            && state.withLock { MemoryArena.free(block, MemoryArena.size(byteCount), from: &$0) }
        if !isFreed { pointer.deallocate() }
    }

    /// Returns the memory of free blocks to the system.
    package func trim() {
        state.withLock { state in
            for region in state.regions { region.releaseFree() }
        }
    }

    private static func size(_ byteCount: Int) -> Int {
        (byteCount + blockByteCountMin - 1) / blockByteCountMin * blockByteCountMin
    }

    /// - Returns: `nil` if the block is to come from the heap.
    private static func take(_ size: Int, from state: inout State) -> MemoryBlock? {
        if state.heapByteCount < heapByteCountMax {
            state.heapByteCount += size
            return nil
        }
        for index in state.regions.indices {
            if let block = state.regions[index].take(size) { return block }
        }
        guard
            var region = MemoryRegion(
                byteCount: regionByteCount, hugePageByteCount: hugePageByteCount)
        else {
            state.heapByteCount += size
            return nil
        }
        let block = region.take(size)
        state.regions.append(region)
        return block
    }

    /// - Returns: `false` if the block came from the heap.
    private static func free(
        _ block: MemoryBlock, _ size: Int, from state: inout State
    ) -> Bool {
        guard let index = state.regions.firstIndex(where: { $0.contains(block) }) else {
            if size <= regionByteCount / 4 { state.heapByteCount -= size }
            return false
        }
        state.regions[index].free(block, size)
        // One region is kept, since the next statement needs it.
        if state.regions[index].isUnused, state.regions.count > 1 {
            state.regions.remove(at: index).unmap()
        }
        return true
    }
}

/// The start of memory, which may pass from one thread to another.
struct MemoryBlock: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }
}
