import FirnValues

/// A set of units of the file, as disjoint extents that do not touch each other.
///
/// The extents are stored in chunks that know their longest extent, so that neither a search for
/// room nor a change walks all of a long list.
struct ExtentSet: Sendable {
    private struct Chunk: Sendable {
        /// The extents, ascending; never empty.
        var extents: [Extent]
        var longest: UInt64

        init(_ extents: [Extent]) {
            self.extents = extents
            longest = extents.reduce(0) { max($0, $1.length) }
        }

        var start: UInt64 { extents.first?.start ?? 0 }

        /// Returns the number of extents that begin at or before a unit.
        func count(through unit: UInt64) -> Int {
            ExtentSet.bisect(extents.count) { extents[$0].start <= unit }
        }
    }

    /// The target size of a chunk; a chunk of twice this size is split.
    private static let chunkCount = 256
    private var chunks: [Chunk] = []
    /// The number of extents.
    private(set) var count = 0
    /// The number of units.
    private(set) var unitCount: UInt64 = 0

    init() {}

    /// The extents, ascending.
    var extents: [Extent] { chunks.flatMap(\.extents) }

    /// Adds units, none of which is in the set.
    mutating func insert(_ extent: Extent) {
        var merged = extent
        if let before = self.extent(at: extent.start &- 1), before.end == extent.start {
            remove(before)
            merged = Extent(start: before.start, length: before.length + merged.length)
        }
        if let after = self.extent(at: extent.end), after.start == extent.end {
            remove(after)
            merged = Extent(start: merged.start, length: merged.length + after.length)
        }
        add(merged)
    }

    /// Removes units.
    ///
    /// - Returns: Whether all of them were in the set; otherwise the set is unchanged.
    @discardableResult
    mutating func remove(_ extent: Extent) -> Bool {
        let index = chunkIndex(of: extent.start)
        guard index >= 0 else { return false }
        let slot = chunks[index].count(through: extent.start) - 1
        guard slot >= 0, chunks[index].extents[slot].end >= extent.end else { return false }
        let whole = chunks[index].extents[slot]
        var rest: [Extent] = []
        if whole.start < extent.start {
            rest.append(Extent(start: whole.start, length: extent.start - whole.start))
        }
        if extent.end < whole.end {
            rest.append(Extent(start: extent.end, length: whole.end - extent.end))
        }
        chunks[index].extents.replaceSubrange(slot...slot, with: rest)
        count += rest.count - 1
        unitCount -= extent.length
        if chunks[index].extents.isEmpty {
            chunks.remove(at: index)
        } else {
            settle(index, after: whole.length)
        }
        return true
    }

    /// Returns the extent that contains a unit.
    func extent(at unit: UInt64) -> Extent? {
        let index = chunkIndex(of: unit)
        guard index >= 0 else { return nil }
        let slot = chunks[index].count(through: unit) - 1
        guard slot >= 0, unit < chunks[index].extents[slot].end else { return nil }
        return chunks[index].extents[slot]
    }

    /// Returns the first extent of at least a given length that begins at or after a unit.
    ///
    /// - Complexity: O(extents / 256)
    func first(ofLength length: UInt64, from unit: UInt64 = 0) -> Extent? {
        var index = max(0, chunkIndex(of: unit))
        while index < chunks.count {
            let chunk = chunks[index]
            if chunk.longest >= length,
                let found = chunk.extents.first(where: { $0.length >= length && $0.start >= unit })
            {
                return found
            }
            index += 1
        }
        return nil
    }

    private mutating func add(_ extent: Extent) {
        count += 1
        unitCount += extent.length
        let index = chunkIndex(of: extent.start)
        guard index >= 0 else {
            if chunks.isEmpty {
                chunks.append(Chunk([extent]))
            } else {
                chunks[0].extents.insert(extent, at: 0)
                settle(0, with: extent.length)
            }
            return
        }
        let slot = chunks[index].count(through: extent.start)
        chunks[index].extents.insert(extent, at: slot)
        settle(index, with: extent.length)
    }

    /// Updates the longest extent of a chunk, and splits the chunk if it became too long.
    ///
    /// - Parameters:
    ///   - length: The length of an added extent; 0 if none was added.
    ///   - shorter: The former length of an extent that was removed or cut; 0 if none was.
    private mutating func settle(_ index: Int, with length: UInt64 = 0, after shorter: UInt64 = 0) {
        if chunks[index].extents.count >= 2 * ExtentSet.chunkCount {
            let extents = chunks[index].extents
            chunks[index] = Chunk(Array(extents[..<ExtentSet.chunkCount]))
            chunks.insert(Chunk(Array(extents[ExtentSet.chunkCount...])), at: index + 1)
        } else if shorter == chunks[index].longest {
            chunks[index] = Chunk(chunks[index].extents)
        } else {
            chunks[index].longest = max(chunks[index].longest, length)
        }
    }

    /// Returns the last chunk that begins at or before a unit, or -1 if there is none.
    private func chunkIndex(of unit: UInt64) -> Int {
        ExtentSet.bisect(chunks.count) { chunks[$0].start <= unit } - 1
    }

    /// Returns the number of first indices that fulfil a condition, which must hold for a prefix.
    private static func bisect(_ count: Int, _ condition: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if condition(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
