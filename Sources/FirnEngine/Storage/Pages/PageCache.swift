import FirnCodec
import FirnPlatform

/// An object made from a page, which the page cache keeps in place of the page.
protocol CachedObject: AnyObject, Sendable {
    /// What the object takes in the page cache, roughly.
    var memoryByteCount: Int { get }
}

/// A node of a tree of pages.
protocol PageNode: CachedObject {
    /// Reads a node.
    ///
    /// - Throws: `corrupt` for anything that no writer makes.
    init(decoding bytes: [UInt8]) throws(CodecError)
}

/// Decoded pages of one file, up to a budget of bytes, evicted by the CLOCK algorithm
/// (Corbató, "A Paging Experiment with the Multics System", 1968).
///
/// A key holds the checksum beside the place, because a place is used again for other content;
/// so nothing ever needs to be invalidated.
final class PageCache: Sendable {
    struct Key: Hashable, Sendable {
        let start: UInt64
        let checksum: UInt64
    }

    /// What a page decodes to.
    enum Entry: Sendable {
        case column(ColumnPage)
        case mask(Bitmap)
        case object(any CachedObject)
    }

    private struct Slot {
        let key: Key
        let entry: Entry
        let byteCount: Int
        /// Set by every use, cleared by the passing hand: an unused page goes at the second pass.
        var isRecent: Bool
    }

    private struct State {
        var slotOfKey: [Key: Int] = [:]
        var slots: [Slot] = []
        var hand = 0
        var byteCount = 0
    }

    private let state = Guarded(State())
    private let byteBudget: Int

    /// - Parameter byteBudget: how many bytes of decoded pages to keep; a page larger than that is
    ///   not kept at all.
    init(byteBudget: Int) { self.byteBudget = byteBudget }

    /// The page, if it is here.
    func entry(for key: Key) -> Entry? {
        state.withLock { state in
            guard let index = state.slotOfKey[key] else { return nil }
            state.slots[index].isRecent = true
            return state.slots[index].entry
        }
    }

    /// Keeps a page and lets others go until the budget holds again.
    func insert(_ entry: Entry, for key: Key, byteCount: Int) {
        guard byteCount <= byteBudget else { return }
        state.withLock { state in
            guard state.slotOfKey[key] == nil else { return }
            state.slotOfKey[key] = state.slots.count
            state.slots.append(
                Slot(key: key, entry: entry, byteCount: byteCount, isRecent: true))
            state.byteCount += byteCount
            while state.byteCount > byteBudget { PageCache.evictOne(&state) }
        }
    }

    private static func evictOne(_ state: inout State) {
        while true {
            if state.hand >= state.slots.count { state.hand = 0 }
            guard state.slots[state.hand].isRecent else { break }
            state.slots[state.hand].isRecent = false
            state.hand += 1
        }
        let victim = state.slots[state.hand]
        state.byteCount -= victim.byteCount
        state.slotOfKey[victim.key] = nil
        let last = state.slots.count - 1
        if state.hand != last {
            state.slots[state.hand] = state.slots[last]
            state.slotOfKey[state.slots[state.hand].key] = state.hand
        }
        state.slots.removeLast()
    }
}
