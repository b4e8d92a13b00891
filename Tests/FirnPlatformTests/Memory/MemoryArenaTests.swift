import FirnPlatform
import FirnTesting
import Testing

@Suite("Memory in large mappings")
struct MemoryArenaTests {
    private struct Block {
        let pointer: UnsafeMutableRawPointer
        let byteCount: Int
        let mark: UInt8
    }

    private func isIntact(_ block: Block) -> Bool {
        UnsafeRawBufferPointer(start: block.pointer, count: block.byteCount)
            .allSatisfy { $0 == block.mark }
    }

    @Test("Blocks are aligned, writable, and never overlap")
    func blocks() {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let arena = MemoryArena()
        var blocks: [Block] = []
        for step in 0..<3000 {
            if blocks.count > 200 || (!blocks.isEmpty && random.happens(oneIn: 3)) {
                let block = blocks.remove(at: Int.random(in: 0..<blocks.count, using: &random))
                #expect(isIntact(block), "seed \(seed)")
                arena.deallocate(block.pointer, byteCount: block.byteCount)
                continue
            }
            let limit = random.happens(oneIn: 50) ? 2_000_000 : 100_000
            let byteCount = Int.random(in: 0..<limit, using: &random)
            let block = Block(
                pointer: arena.allocate(byteCount: byteCount), byteCount: byteCount,
                mark: UInt8(truncatingIfNeeded: step))
            #expect(UInt(bitPattern: block.pointer) % 16 == 0)
            block.pointer.initializeMemory(
                as: UInt8.self, repeating: block.mark, count: byteCount)
            blocks.append(block)
            if random.happens(oneIn: 100) { arena.trim() }
        }
        #expect(blocks.allSatisfy(isIntact), "seed \(seed)")
        for block in blocks { arena.deallocate(block.pointer, byteCount: block.byteCount) }
    }

    @Test("Freed memory is reused, and adjacent free blocks are merged")
    func reuse() {
        let arena = MemoryArena()
        // The first megabytes come from the heap.
        let heap = (0..<4).map { _ in arena.allocate(byteCount: 1 << 20) }
        let first = (0..<8).map { _ in arena.allocate(byteCount: 100_000) }
        for pointer in first.shuffled() { arena.deallocate(pointer, byteCount: 100_000) }
        let whole = arena.allocate(byteCount: 800_000)
        #expect(first.contains(whole))
        arena.deallocate(whole, byteCount: 800_000)
        for pointer in heap { arena.deallocate(pointer, byteCount: 1 << 20) }
    }

    @Test("The arena can exceed one mapping, and blocks can be larger than usual")
    func large() {
        let arena = MemoryArena()
        let sizes = Array(repeating: 4 << 20, count: 40) + [30 << 20, 100 << 20]
        let pointers = sizes.map { arena.allocate(byteCount: $0) }
        #expect(Set(pointers).count == sizes.count)
        for (pointer, size) in zip(pointers, sizes) {
            pointer.storeBytes(of: 1, as: UInt8.self)
            (pointer + size - 1).storeBytes(of: 1, as: UInt8.self)
        }
        for (pointer, size) in zip(pointers, sizes) { arena.deallocate(pointer, byteCount: size) }
    }

    @Test("Several threads allocate and free at the same time")
    func threads() {
        let arena = MemoryArena()
        let intact = ParallelMap.map(Array(0..<8), threadCount: 4) { part in
            var random = SplitMix64(seed: UInt64(part))
            var isIntact = true
            for _ in 0..<300 {
                let byteCount = Int.random(in: 4096..<200_000, using: &random)
                let pointer = arena.allocate(byteCount: byteCount)
                pointer.initializeMemory(
                    as: UInt8.self, repeating: UInt8(part), count: byteCount)
                isIntact =
                    isIntact
                    && UnsafeRawBufferPointer(start: pointer, count: byteCount)
                        .allSatisfy { $0 == UInt8(part) }
                arena.deallocate(pointer, byteCount: byteCount)
            }
            return isIntact
        }
        #expect(intact.allSatisfy { $0 })
    }
}
