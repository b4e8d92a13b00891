import FirnValues

/// A source of the memory of pages.
package protocol PageAllocator: Sendable {
    /// Returns uninitialized memory, aligned to at least 16 bytes.
    func allocate(byteCount: Int) -> UnsafeMutableRawPointer

    /// Frees memory.
    ///
    /// - Parameter byteCount: the size with which it was allocated.
    func deallocate(_ pointer: UnsafeMutableRawPointer, byteCount: Int)
}

/// One allocation that is divided into aligned pieces from its start, and freed with its owner.
///
/// Everything is written before the page that owns it is published, and only read afterwards.
final class PageMemory: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int
    private var used = 0
    /// `nil` for the heap.
    private let allocator: (any PageAllocator)?

    private static let alignment = 16

    /// Returns the number of bytes that `count` elements take in an allocation.
    static func size<T>(_ count: Int, of type: T.Type) -> Int {
        (count * MemoryLayout<T>.stride + alignment - 1) & ~(alignment - 1)
    }

    init(byteCount: Int, from allocator: (any PageAllocator)?) {
        self.byteCount = byteCount
        self.allocator = allocator
        base =
            allocator?.allocate(byteCount: byteCount)
            ?? .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
    }

    deinit {
        if let allocator {
            allocator.deallocate(base, byteCount: byteCount)
        } else {
            base.deallocate()
        }
    }

    /// Returns the next piece, uninitialized.
    func take<T: BitwiseCopyable>(_ count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
        let size = Self.size(count, of: type)
        precondition(used + size <= byteCount, "a page needs more memory than was counted")
        let piece = (base + used).bindMemory(to: T.self, capacity: count)
        used += size
        return piece
    }
}
