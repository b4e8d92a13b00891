import FirnPlatform
import FirnValues

/// A pass that publishes the last roots, until the two newest have the same short length and the
/// file can be truncated.
struct TruncationPass: CompactionPass {
    /// The first root drops the tail, the second releases the previous root, and the third drops
    /// the space that the first two wrote after it.
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
            // If no step was published so far, a few units are not worth a first one.
            return excess > (hasPublished ? 0 : 4 * step.bookkeepingUnitCount)
        }
        if case .published = outcome { return 0 }
        return nil
    }
}
