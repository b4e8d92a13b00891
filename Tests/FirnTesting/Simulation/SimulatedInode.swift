/// One file: its content in the page cache and on the platter.
///
/// Invariant: a sector in which the two differ is in `dirty` or in `abandoned`.
struct SimulatedInode: Sendable {
    static let sectorBytes = 512
    /// The number of contents of a sector between two syncs that are remembered.
    private static let earlierVersionsMax = 3

    /// The content that every process reads.
    private(set) var cached: [UInt8] = []
    /// The content after the power is back, before choices about unsynced sectors.
    private(set) var durable: [UInt8] = []
    /// Changed since the last sync; the next successful sync writes them.
    private(set) var dirty = SectorSet()
    /// Changed before a sync that failed and not since: the system considers them clean, so that no
    /// later sync writes them.
    private(set) var abandoned = SectorSet()
    /// Contents that a dirty sector had since the last sync, because the system may have written
    /// any of them in the background.
    private var earlier: [Int: [[UInt8]]] = [:]
    /// The end of the blocks reserved for the file, which may be past its end.
    private var reservedEnd = 0
    /// The same after a power loss: blocks that no sync covered are released.
    private(set) var durableReservedEnd = 0

    init() {}

    /// A file that is completely on the platter.
    init(settled bytes: [UInt8], reservedEnd: Int = 0) {
        cached = bytes
        durable = bytes
        self.reservedEnd = reservedEnd
        durableReservedEnd = reservedEnd
    }

    /// The number of bytes that the file takes on the disk.
    var allocatedCount: Int { max(cached.count, reservedEnd) }

    // MARK: Words

    /// The 64 bits at an offset in the file.
    func word(at offset: Int) -> UInt64 {
        cached.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    /// Writes 64 bits into the file; like all mapped memory, the system writes them to the platter
    /// at any time, or not at all.
    mutating func setWord(_ value: UInt64, at offset: Int) {
        withUnsafeBytes(of: value) { write($0, at: offset) }
    }

    // MARK: Changes

    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard !bytes.isEmpty else { return }
        if offset > cached.count { resize(to: offset) }
        let end = offset + bytes.count
        touch(offset..<end)
        if end > cached.count {
            cached.append(contentsOf: [UInt8](repeating: 0, count: end - cached.count))
        }
        cached.withUnsafeMutableBytes { target in
            UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: bytes)
        }
    }

    mutating func reserve(through end: Int) { reservedEnd = max(reservedEnd, end) }

    /// Truncates or extends the file, and releases the blocks reserved past the end.
    mutating func truncate(to size: Int) {
        resize(to: size)
        reservedEnd = 0
        durableReservedEnd = 0
    }

    private mutating func resize(to size: Int) {
        let old = cached.count
        guard size != old else { return }
        touch(min(size, old)..<max(size, old))
        if size < old {
            cached.removeLast(old - size)
        } else {
            cached.append(contentsOf: [UInt8](repeating: 0, count: size - old))
        }
    }

    /// Remembers the former content of the sectors, and that the platter lacks the new one.
    private mutating func touch(_ bytes: Range<Int>) {
        let sectors = SimulatedInode.sectors(of: bytes)
        for sector in sectors where dirty.contains(sector) {
            guard earlier[sector, default: []].count < Self.earlierVersionsMax else { continue }
            earlier[sector, default: []].append(Self.content(of: sector, in: cached))
        }
        dirty.insert(sectors)
        abandoned.remove(sectors)
    }

    /// Damages the medium and the cache alike.
    mutating func corrupt(at offset: Int, xor mask: UInt8) {
        if offset < cached.count { cached[offset] ^= mask }
        if offset < durable.count { durable[offset] ^= mask }
    }

    // MARK: Syncs

    mutating func sync() {
        durable = Self.resized(durable, to: cached.count)
        for sector in dirty { copyToDurable(sector) }
        forgetDirty()
        durableReservedEnd = reservedEnd
        abandoned.remove(Self.sectors(of: 0..<cached.count).upperBound..<Int.max)
    }

    /// Models a failed sync: nothing was written, and the system does not remember that.
    ///
    /// The size is not data: it goes through the journal of the file system, so that a later sync
    /// does make it durable. That is how zeros take the place of a record.
    mutating func failSync() {
        abandoned.formUnion(dirty)
        forgetDirty()
    }

    /// Evicts pages that the system considers clean, so that reads come from the platter.
    mutating func dropCleanCache() {
        for sector in abandoned {
            let start = sector * Self.sectorBytes
            let content = Self.content(of: sector, in: durable)
            for index in start..<max(start, min(start + Self.sectorBytes, cached.count)) {
                cached[index] = content[index - start]
            }
        }
        abandoned.removeAll()
    }

    private mutating func copyToDurable(_ sector: Int) {
        let start = sector * Self.sectorBytes
        let end = min(start + Self.sectorBytes, cached.count)
        guard start < end else { return }
        // Copying element by element, as for a slice, takes most of the time of a long test.
        cached.withUnsafeBytes { source in
            durable.withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[start..<end]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[start..<end]))
            }
        }
    }

    private mutating func forgetDirty() {
        dirty.removeAll()
        earlier = [:]
    }

    // MARK: Power loss

    /// The bytes of the file after the power came back.
    func survivors(_ survival: inout Survival) -> [UInt8] {
        let size = survival.size(durable: durable.count, cached: cached.count)
        var bytes = Self.resized(durable, to: size)
        var doubtful = dirty
        doubtful.formUnion(abandoned)
        var done = 0
        for sector in doubtful where sector * Self.sectorBytes >= done {
            let start = sector * Self.sectorBytes / survival.sectorBytes * survival.sectorBytes
            let end = min(start + survival.sectorBytes, size)
            guard start < end else { break }
            done = start + survival.sectorBytes
            var old = Self.content(of: start..<done, in: durable)
            survival.fillGrowth(
                of: &old, from: max(0, durable.count - start), at: start)
            // Several sectors of ours in a larger one never had a common intermediate state.
            let isOurs = survival.sectorBytes == Self.sectorBytes
            let versions =
                [old] + (isOurs ? earlier[sector, default: []] : [])
                + [Self.content(of: start..<done, in: cached)]
            bytes.replaceSubrange(start..<end, with: survival.sector(versions)[..<(end - start)])
        }
        return bytes
    }

    // MARK: Sectors

    /// The sectors that hold these bytes.
    private static func sectors(of bytes: Range<Int>) -> Range<Int> {
        bytes.lowerBound / sectorBytes..<(bytes.upperBound + sectorBytes - 1) / sectorBytes
    }

    /// A whole sector, with zeros beyond the end of the file.
    private static func content(of sector: Int, in bytes: [UInt8]) -> [UInt8] {
        content(of: sector * sectorBytes..<(sector + 1) * sectorBytes, in: bytes)
    }

    /// Some bytes, with zeros beyond the end of the file.
    private static func content(of range: Range<Int>, in bytes: [UInt8]) -> [UInt8] {
        resized(Array(bytes[range.clamped(to: bytes.indices)]), to: range.count)
    }

    private static func resized(_ bytes: [UInt8], to size: Int) -> [UInt8] {
        size <= bytes.count
            ? Array(bytes[..<size]) : bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }
}
