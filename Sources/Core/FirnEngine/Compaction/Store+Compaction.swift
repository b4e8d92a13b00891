package import FirnCodec
import FirnPlatform
package import FirnValues

/// The options of a compaction.
package struct CompactionOptions: Hashable, Sendable {
    package var compression = CompressionLevel.high
    /// The time to wait for other writers in each step.
    package var waitNanoseconds: UInt64 = 5_000_000_000
    /// The approximate size in stored bytes of a step, which determines how long writers wait for
    /// it.
    var stepByteCount = 8 << 20

    package init() {}
}

/// The progress of a compaction or a copy.
package struct CompactionProgress: Hashable, Sendable {
    /// The number of bytes read.
    package let doneByteCount: UInt64
    package let totalByteCount: UInt64
}

/// The result of a compaction.
package struct CompactionReport: Hashable, Sendable {
    package let before: SpaceReport
    /// The space afterwards; its holders explain the space that could not be reclaimed.
    package let after: SpaceReport
    package let version: LSN
}

extension Store {
    /// Makes the file as small as possible, in place, while other processes read and write.
    ///
    /// The compaction proceeds in bounded steps. Each step holds the writer lock briefly and
    /// publishes a complete root, so that a crash loses only the steps that were not performed. The
    /// compaction drops the history that no freeze keeps. A file that is already compact is not
    /// written to.
    ///
    /// - Parameter progress: Called after each step; returns `false` to end the compaction, whose
    ///   completed steps remain.
    /// - Throws: ``StoreError`` with `lockHeld` if another compaction runs or a writer kept its
    ///   lock, `diskFull`, `readOnly` or `poisoned`.
    /// - Complexity: O(size of the file)
    package func compact(
        _ options: CompactionOptions = CompactionOptions(),
        progress: (CompactionProgress) -> Bool = { _ in true }
    ) throws(StoreError) -> CompactionReport {
        let before = try spaceReport()
        try compactFile(options, progress: progress)
        return CompactionReport(
            before: before, after: try spaceReport(), version: try snapshot().version)
    }

    /// Performs ``compact(_:progress:)`` without the report.
    func compactFile(
        _ options: CompactionOptions, progress: (CompactionProgress) -> Bool = { _ in true }
    ) throws(StoreError) {
        try withCompactionLock { () throws(StoreError) in
            var compactor = try Compactor(self, options)
            var passes = try CompactionPasses(self)
            let total = try snapshot().root.superblock.fileByteCount
            var done: UInt64 = 0
            while let byteCount = try passes.advance(&compactor) {
                done = min(total, done &+ byteCount)
                let state = CompactionProgress(doneByteCount: done, totalByteCount: total)
                guard progress(state) else { return }
            }
        }
    }

    /// Runs code under the compaction lock, because two compactions would move the same pages back
    /// and forth.
    private func withCompactionLock(
        _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard !isReadOnly else {
            throw StoreError(.readOnly, path: path, detail: "the database is open for reading only")
        }
        let isFree = try attempt(
            locks.compaction.tryTake(), to: "lock the database for a compaction")
        guard isFree else {
            throw held(
                locks.compaction, LockMap.compaction,
                work: "doing another compaction of the database")
        }
        defer { giveBack(locks.compaction) }
        try body()
    }
}
