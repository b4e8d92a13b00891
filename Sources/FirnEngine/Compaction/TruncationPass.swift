import FirnPlatform
import FirnValues

/// Writes the last roots, until the two newest say the same short length and the rest of the file
/// can be cut off.
struct TruncationPass: CompactionPass {
    /// One root drops the tail, the second lets go of the root before, the third of what the first
    /// two put behind it.
    private static let rootCountMax = 4
    private var rootCount = 0

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        guard rootCount < TruncationPass.rootCountMax else { return nil }
        rootCount += 1
        let hasPublished = compactor.hasPublished
        let outcome = try compactor.step { step throws(StoreError) in
            var space = step.writer.space
            space.dropTail()
            let size = try step.store.fileStatus().size
            let end = space.endUnit * UInt64(Extent.unitByteCount)
            let excess = (size - min(size, end)) / UInt64(Extent.unitByteCount)
            // Without a step there was nothing to do so far; a few units are no reason to begin.
            return excess > (hasPublished ? 0 : 4 * step.bookkeepingUnitCount)
        }
        if case .published = outcome { return 0 }
        return nil
    }
}
