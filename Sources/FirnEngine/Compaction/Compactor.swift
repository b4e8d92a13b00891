import FirnPlatform
import FirnValues

/// Makes the steps of a compaction: each is a root of its own, made within the writer lock.
struct Compactor {
    /// What became of a step.
    enum Outcome {
        case published
        /// There was nothing to do.
        case unchanged
        /// The file would have grown too much: readers of older versions keep what was set free.
        case blocked
    }

    let store: Store
    let options: CompactionOptions
    /// What it makes no sense to write anew.
    let frozen: FrozenPages
    /// The unit that the file must not grow past.
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

    /// Units that a root may take for its catalog and the like, generously.
    private static let leastRoom: UInt64 = 256

    /// How many units a step reads or writes, about.
    var stepUnitCount: UInt64 { Compactor.units(options.stepByteCount) }

    private static func units(_ byteCount: Int) -> UInt64 {
        max(1, Extent.units(forBytes: max(1, byteCount)))
    }

    /// Makes one step.
    ///
    /// - Parameter change: changes where things are, and returns whether it did; the root is
    ///   published only then.
    /// - Throws: ``StoreError``; the file then is as before, or says that the outcome is unknown.
    mutating func step(
        _ change: (inout CompactionStep) throws(StoreError) -> Bool
    ) throws(StoreError) -> Outcome {
        // What this process knows of the step before must not pin the root before.
        _ = try store.snapshot()
        let outcome = try store.withCheckpointRight(
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

    /// Cuts off what lies behind the newest root and the one before it.
    ///
    /// Both are durable with the length that they say: whichever of them is opened after a crash,
    /// the file is long enough. Roots before them are only read by those who pinned them, and then
    /// the file stays as long as it is.
    private func truncate(
        behind newest: Superblock, _ previous: Superblock
    ) throws(StoreError) {
        let byteCount = max(newest.fileByteCount, previous.fileByteCount)
        guard try store.fileStatus().size > byteCount else { return }
        guard
            try store.pinnedRoots(through: newest.rootVersion).last(before: previous.rootVersion)
                == nil
        else { return }
        do throws(PlatformError) {
            try store.file.truncate(to: byteCount)
        } catch {
            throw StoreError(error, doing: "cut off the end of the database")
        }
        store.renewReserve(behind: byteCount)
    }

    /// Takes back what a step that is not published made the file grow by.
    ///
    /// Bytes behind the end that the superblock names are harmless: if they cannot be cut off, they
    /// stay until the next step.
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
                + "free some and run it again, what was done stays",
            cause: error.cause)
    }
}

extension Superblock {
    /// How many units the file has.
    var unitCount: UInt64 { fileByteCount / UInt64(Extent.unitByteCount) }
}
