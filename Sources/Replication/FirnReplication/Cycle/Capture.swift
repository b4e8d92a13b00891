import FirnEngine
import FirnPlatform
import FirnValues

/// Collects the changes of this file since the last capture, as part of a transaction.
///
/// The changes come from the differences between versions, not from the log: the freeze
/// ``UpstreamRecord/freezeName`` keeps the last captured version readable however long the file is
/// offline. As long as the history has every commit, each one is a transaction of its own, with
/// its own time; otherwise all of them together are one.
struct Capture {
    let store: Store
    private let classes: [SyncedClass]
    /// A version that need not be opened again.
    private let last: Snapshot?
    let kept: KeptState

    /// The number of commits that are captured one by one.
    private static let stepMaximum: UInt64 = 10_000

    /// - Parameters:
    ///   - last: The version of the last capture, if the caller has it.
    ///   - kept: The objects that the server does not have.
    init(
        _ store: Store, _ classes: [SyncedClass], _ last: Snapshot?, _ kept: KeptState
    ) {
        self.store = store
        self.classes = classes
        self.last = last
        self.kept = kept
    }

    /// A change, or the reason why it cannot be sent.
    struct Collected {
        var change: Outgoing
        var refusal: String?
        /// Whether the key could be converted; without it, the object cannot be reverted.
        var hasKey = true
    }

    /// Returns the changes since the last capture, and marks them in the record as captured.
    ///
    /// - Parameter base: The version that the transaction changes.
    func changes(
        _ record: inout UpstreamRecord, upTo base: Snapshot
    ) throws(UpstreamError) -> [Collected] {
        guard record.captured < base.version else { return [] }
        var result: [Collected] = []
        var old = try snapshot(record.captured)
        let backlog = CommitBacklog(store)
        var version = record.captured.rawValue
        if base.version.rawValue - version > Capture.stepMaximum { version = base.version.rawValue }
        while version < base.version.rawValue {
            // The next version is the last one and its commit: opening each version would replay
            // the commits before it again and again.
            let step = try UpstreamError.converting { () throws(StoreError) in
                try backlog.fill(after: old.version, through: base.version)
                return try backlog.step(from: old)
            }
            if let step {
                try collect(step.changes, from: old, to: step.new, &record, &result)
                (old, version) = (step.new, step.new.version.rawValue)
                continue
            }
            version += 1
            // A version that is no longer kept is skipped: its changes are in the next one.
            guard version < base.version.rawValue, let new = try keptSnapshot(LSN(version)) else {
                continue
            }
            try collect(from: old, to: new, &record, &result)
            old = new
        }
        if old.version < base.version { try collect(from: old, to: base, &record, &result) }
        return result
    }

    /// Returns a version; `nil` if it is no longer kept.
    private func keptSnapshot(_ version: LSN) throws(UpstreamError) -> Snapshot? {
        do { return try store.snapshot(at: .number(version)) } catch {
            guard error.code == .versionGone else { throw UpstreamError(error) }
            return nil
        }
    }

    /// Returns the version of the last capture.
    func snapshot(_ version: LSN) throws(UpstreamError) -> Snapshot {
        if let last, last.version == version { return last }
        do { return try store.snapshot(at: .number(version)) } catch {
            guard error.code == .versionGone else { throw UpstreamError(error) }
            throw UpstreamError(
                .resetNeeded,
                "version \(version.rawValue), the last one that was replicated, is not kept",
                remedy: "see the differences with: firn sync verify FILE; take the data of the "
                    + "server with: firn sync reset FILE --discard")
        }
    }

    private func collect(
        from old: Snapshot, to new: Snapshot, _ record: inout UpstreamRecord,
        _ result: inout [Collected]
    ) throws(UpstreamError) {
        let changes = try UpstreamError.converting { () throws(StoreError) in
            try store.changes(from: old, to: new)
        }
        try collect(changes, from: old, to: new, &record, &result)
    }

    private func collect(
        _ changes: VersionChanges, from old: Snapshot, to new: Snapshot,
        _ record: inout UpstreamRecord, _ result: inout [Collected]
    ) throws(UpstreamError) {
        let time =
            changes.commit?.time ?? Int64(store.services.clock.wallTime().seconds) * 1_000_000_000
        var step = CaptureStep(
            old: ValueTexts(old), new: ValueTexts(new), time: time, record: record, kept)
        // An embedded object is part of its owner.
        let owners = try UpstreamError.converting { () throws(StoreError) in
            try EmbeddedOwners(of: changes, in: new)
        }
        for type in classes {
            var changed = changes.classes[type.schema.id] ?? ClassChanges()
            changed.modified = owners.modified(changed, of: type.schema.id)
            try step.add(changed, of: type, from: old, to: new)
        }
        guard !step.collected.isEmpty else { return }
        record.lastSequence = step.sequence
        record.clock = step.clock
        result += step.collectedAsWhole
    }
}
