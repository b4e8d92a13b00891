import FirnCodec
import FirnPlatform
import FirnValues

/// An object built from a page, which the page cache stores instead of the page.
protocol CachedObject: AnyObject, Sendable {
    /// The approximate size of the object in the page cache.
    var memoryByteCount: Int { get }
}

/// A node of a tree of pages.
protocol PageNode: CachedObject {
    /// Reads a node.
    ///
    /// - Throws: `corrupt` for bytes that no writer produces.
    init(decoding bytes: [UInt8]) throws(CodecError)
}

/// A cache of the decoded pages of one file, up to a budget of bytes.
///
/// It evicts pages by the CLOCK algorithm (Corbató, "A Paging Experiment with the Multics System",
/// 1968).
///
/// A key contains the checksum as well as the location, because a location is reused for other
/// content. Therefore no entry ever needs to be invalidated.
final class PageCache: Sendable {
    struct Key: Hashable, Sendable {
        let start: UInt64
        let checksum: UInt64
    }

    /// The decoded form of a page.
    enum Entry: Sendable {
        case column(ColumnPage)
        case mask(Bitmap)
        case object(any CachedObject)
    }

    private struct Slot {
        let key: Key
        let entry: Entry
        let byteCount: Int
        /// Set by every use and cleared by the clock hand: an unused page is evicted at the second
        /// pass.
        var isRecent: Bool
    }

    private struct State {
        var slotOfKey: [Key: Int] = [:]
        var slots: [Slot] = []
        var hand = 0
        var byteCount = 0
        /// Pages that were requested once and not cached.
        var requested: Set<Key> = []
    }

    /// The number of pages after which the requests are forgotten.
    private static let requestedCountMax = 16_384

    private let state = Guarded(State())
    private let byteBudget: Int

    /// - Parameter byteBudget: The size in bytes of the decoded pages to keep; a larger page is not
    ///   kept at all.
    init(byteBudget: Int) { self.byteBudget = byteBudget }

    /// Returns the entry of a page, if it is in the cache.
    func entry(for key: Key) -> Entry? {
        state.withLock { state in
            guard let index = state.slotOfKey[key] else { return nil }
            state.slots[index].isRecent = true
            return state.slots[index].entry
        }
    }

    /// Records a request for a page that need not be cached.
    ///
    /// - Returns: Whether it is the first one for some time, and the page is not in the cache.
    func isFirstRequest(for key: Key) -> Bool {
        state.withLock { state in
            guard state.slotOfKey[key] == nil else { return false }
            if state.requested.count >= PageCache.requestedCountMax { state.requested.removeAll() }
            return state.requested.insert(key).inserted
        }
    }

    /// Adds a page and evicts others until the cache is within its budget.
    func insert(_ entry: Entry, for key: Key, byteCount: Int) {
        guard byteCount <= byteBudget else { return }
        state.withLock { state in
            guard state.slotOfKey[key] == nil else { return }
            state.requested.remove(key)
            state.slotOfKey[key] = state.slots.count
            state.slots.append(
                Slot(key: key, entry: entry, byteCount: byteCount, isRecent: true))
            state.byteCount += byteCount
            while state.byteCount > byteBudget { PageCache.evictOne(&state) }
        }
    }

    /// Removes all pages.
    func removeAll() { state.withLock { $0 = State() } }

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
