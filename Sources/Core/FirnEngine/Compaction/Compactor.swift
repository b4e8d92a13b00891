import FirnPlatform
import FirnValues

/// A sequence of compaction steps, each of which publishes a root under the writer lock.
struct Compactor {
    /// The result of a step.
    enum Outcome {
        case published
        /// The step found nothing to do.
        case unchanged
        /// The file would have grown too much, because readers of older versions keep the freed
        /// space.
        case blocked
    }

    let store: Store
    let options: CompactionOptions
    /// The pages that are not worth rewriting.
    let frozen: FrozenPages
    /// The unit beyond which the file must not grow.
    private let limitUnit: UInt64
    /// Whether any step was published.
    private(set) var hasPublished = false

    init(_ store: Store, _ options: CompactionOptions) throws(StoreError) {
        self.store = store
        self.options = options
        let units = try store.snapshot().root.superblock.unitCount
        // A small file needs no room for whole steps.
        let room = min(2 * Compactor.units(options.stepByteCount), units + Compactor.leastRoom)
        limitUnit = units + units / 10 + room
        frozen = try FrozenPages(store)
    }

    /// A generous number of units that a root takes for its catalog and other metadata.
    private static let leastRoom: UInt64 = 256

    /// The approximate number of units that a step reads or writes.
    var stepUnitCount: UInt64 { Compactor.units(options.stepByteCount) }

    private static func units(_ byteCount: Int) -> UInt64 {
        max(1, Extent.units(forBytes: max(1, byteCount)))
    }

    /// Performs one step.
    ///
    /// - Parameter change: Changes the locations of pages and returns whether it did; only then is
    ///   the root published.
    /// - Throws: ``StoreError``; the file is then unchanged, or the error says that the outcome is
    ///   unknown.
    mutating func step(
        _ change: (inout CompactionStep) throws(StoreError) -> Bool
    ) throws(StoreError) -> Outcome {
        // The cached version of the previous step must not pin the previous root.
        _ = try store.snapshot()
        let outcome = try store.withCheckpointLock(
            waitNanoseconds: options.waitNanoseconds
        ) { newest, writer throws(StoreError) in
            var step = CompactionStep(store, newest, writer)
            step.writer.level = options.compression
            step.writer.prefersLowest = true
            let byteCount = try store.fileStatus().size
            let root: Root
            do throws(StoreError) {
                guard try change(&step) else {
                    cutBack(to: byteCount)
                    return Outcome.unchanged
                }
                guard step.writer.space.endUnit <= limitUnit else {
                    cutBack(to: byteCount)
                    return Outcome.blocked
                }
                root = try publish(step)
            } catch {
                cutBack(to: byteCount)
                throw named(error)
            }
            try truncate(behind: root.superblock, newest.root.superblock)
            return Outcome.published
        }
        if case .published = outcome { hasPublished = true }
        return outcome
    }

    private func publish(_ step: CompactionStep) throws(StoreError) -> Root {
        var writer = step.writer
        writer.space.dropTail()
        return try store.republish(
            step.root, as: step.catalog, loggedFreezes: step.loggedFreezes, writer)
    }

    /// Truncates the file after the newest root and the previous one.
    ///
    /// Both are durable with the length that they state, so that the file is long enough for
    /// whichever of them is opened after a crash. Older roots are read only by processes that have
    /// pinned them; the file then keeps its length.
    private func truncate(
        behind newest: Superblock, _ previous: Superblock
    ) throws(StoreError) {
        let byteCount = max(newest.fileByteCount, previous.fileByteCount)
        guard try store.fileStatus().size > byteCount else { return }
        guard
            try store.pinnedRoots(through: newest.rootVersion).last(before: previous.rootVersion)
                == nil
        else { return }
        try attempt(store.file.truncate(to: byteCount), to: "cut off the end of the database")
        store.renewReserve(behind: byteCount)
    }

    /// Reverts the growth of the file by a step that is not published.
    ///
    /// Bytes after the end in the superblock are harmless: if they cannot be cut off, they stay
    /// until the next step.
    private func cutBack(to byteCount: UInt64) {
        guard store.state.withLock({ $0.poison }) == nil,
            let status = try? store.file.status(), status.size > byteCount
        else { return }
        try? store.file.truncate(to: byteCount)
        store.renewReserve(behind: byteCount)
    }

    private func named(_ error: StoreError) -> StoreError {
        guard error.code == .diskFull, store.state.withLock({ $0.poison }) == nil else {
            return error
        }
        let mebibytes = (2 * options.stepByteCount) >> 20
        return StoreError(
            .diskFull, path: error.path, detail: error.detail,
            remedy: "a compaction needs about \(max(1, mebibytes)) MiB of free space at a time; "
                + "free some and run it again; what was done is kept",
            cause: error.cause)
    }
}

extension Superblock {
    /// The number of units of the file.
    var unitCount: UInt64 { fileByteCount / UInt64(Extent.unitByteCount) }
}
