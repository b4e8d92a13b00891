import FirnValues

/// The pages of a file that were read last.
///
/// A page that is evicted stays in memory only as long as a slice of its bytes is in use.
final class PageCache {
    /// The number of bytes of cached pages.
    static let bytesMax = 16 << 20

    private struct Slot {
        var page: UInt64
        var buffer: PageBuffer
        /// Whether the page was used since the clock passed it.
        var isRecent: Bool
    }

    private let provider: any PageProvider
    private let pageSize: UInt64
    private let slotsMax: Int
    private var slots: [Slot] = []
    private var indices: [UInt64: Int] = [:]
    private var clock = 0
    private var last: (page: UInt64, buffer: PageBuffer)?

    init(_ provider: any PageProvider, bytesMax: Int = PageCache.bytesMax) {
        self.provider = provider
        pageSize = UInt64(provider.pageSize)
        slotsMax = max(4, bytesMax / provider.pageSize)
    }

    var size: UInt64 { provider.size }

    /// Returns a range of bytes, which must lie inside the content.
    ///
    /// Bytes of one page are not copied.
    func bytes(at offset: UInt64, count: Int) throws(RealmFileError) -> ByteSlice {
        let first = offset / pageSize
        let inPage = Int(offset % pageSize)
        if inPage + count <= provider.pageSize {
            return ByteSlice(try page(first), from: inPage, count: count)
        }
        if count > provider.pageSize * slotsMax / 8 {
            return try uncached(at: first * pageSize, from: inPage, count: count)
        }
        let joined = PageBuffer(count: count)
        var done = 0
        while done < count {
            let position = offset + UInt64(done)
            let start = Int(position % pageSize)
            let buffer = try page(position / pageSize)
            let part = min(count - done, buffer.count - start)
            (joined.start + done).copyMemory(from: buffer.start + start, byteCount: part)
            done += part
        }
        return ByteSlice(joined)
    }

    /// Reads a long range past the cache, which keeps its pages.
    private func uncached(
        at offset: UInt64, from start: Int, count: Int
    ) throws(RealmFileError) -> ByteSlice {
        let buffer = PageBuffer(count: start + count)
        try provider.read(at: offset, into: buffer.bytes)
        return ByteSlice(buffer, from: start, count: count)
    }

    private func page(_ number: UInt64) throws(RealmFileError) -> PageBuffer {
        if let last, last.page == number { return last.buffer }
        if let index = indices[number] {
            slots[index].isRecent = true
            last = (number, slots[index].buffer)
            return slots[index].buffer
        }
        let start = number * pageSize
        let buffer = PageBuffer(count: Int(min(pageSize, provider.size - start)))
        try provider.read(at: start, into: buffer.bytes)
        let slot = Slot(page: number, buffer: buffer, isRecent: true)
        if slots.count < slotsMax {
            indices[number] = slots.count
            slots.append(slot)
        } else {
            let index = victim()
            indices[slots[index].page] = nil
            indices[number] = index
            slots[index] = slot
        }
        last = (number, buffer)
        return buffer
    }

    /// Returns the slot to evict: the next one that was not used in a whole turn of the clock.
    private func victim() -> Int {
        while true {
            let index = clock
            clock = (clock + 1) % slots.count
            if !slots[index].isRecent { return index }
            slots[index].isRecent = false
        }
    }
}
