package import FirnCodec
import FirnPlatform
package import FirnValues

/// How to compact.
package struct CompactionOptions: Hashable, Sendable {
    package var compression = CompressionLevel.high
    /// How long to wait for other writers, in each step.
    package var waitNanoseconds: UInt64 = 5_000_000_000
    /// About how many stored bytes a step reads and writes, and so how long writers wait for it.
    var stepByteCount = 8 << 20

    package init() {}
}

/// How far a compaction or a copy has come.
package struct CompactionProgress: Hashable, Sendable {
    /// Bytes that were looked at.
    package let doneByteCount: UInt64
    package let totalByteCount: UInt64
}

/// What a compaction did.
package struct CompactionReport: Hashable, Sendable {
    package let before: SpaceReport
    /// Its holders say what could not be reclaimed, and why.
    package let after: SpaceReport
    package let version: LSN
}

extension Store {
    /// Makes the file as small as it can be, in place, while others read and write.
    ///
    /// Bounded steps: each holds the writer lock for a moment and is a whole root of its own, so
    /// that a crash costs nothing but the steps that were not made. Drops the history that nothing
    /// keeps. A file that is compact already is not written to.
    ///
    /// - Parameter progress: called after each step; `false` ends the compaction, what was done
    ///   stays.
    /// - Throws: ``StoreError`` with `lockHeld` if another compaction runs or a writer stayed,
    ///   `diskFull`, `readOnly`, `poisoned`.
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

    /// ``compact(_:progress:)`` without the report.
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

    /// Two compactions would move the same pages to and fro.
    private func withCompactionLock(
        _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard !isReadOnly else {
            throw StoreError(.readOnly, path: path, detail: "the database is open for reading only")
        }
        let isFree: Bool
        do throws(PlatformError) {
            isFree = try rights.compaction.tryTake()
        } catch {
            throw StoreError(error, doing: "lock the database for a compaction")
        }
        guard isFree else {
            throw held(
                rights.compaction, LockMap.compaction,
                work: "doing another compaction of the database")
        }
        defer { giveBack(rights.compaction) }
        try body()
    }
}
