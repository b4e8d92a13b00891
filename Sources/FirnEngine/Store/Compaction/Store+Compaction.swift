package import FirnCodec
package import FirnValues

/// How to compact.
package struct CompactionOptions: Hashable, Sendable {
    package var compression = CompressionLevel.high
    /// How long to wait for other writers, in each step.
    package var waitNanoseconds: UInt64 = 5_000_000_000

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
    /// keeps.
    ///
    /// - Parameter progress: called after each step; `false` ends the compaction, what was done
    ///   stays.
    /// - Throws: ``StoreError`` with `lockHeld` if another compaction runs or a writer stayed,
    ///   `diskFull`, `readOnly`, `poisoned`.
    package func compact(
        _ options: CompactionOptions = CompactionOptions(),
        progress: (CompactionProgress) -> Bool = { _ in true }
    ) throws(StoreError) -> CompactionReport {
        throw StoreError(.limitExceeded, path: path, detail: "not built yet")
    }
}
