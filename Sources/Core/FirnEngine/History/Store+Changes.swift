import FirnPlatform
import FirnValues

extension Store {
    /// Returns the changes between two versions of this file.
    ///
    /// - Parameter new: A version that is not older than `old`.
    /// - Complexity: O(operations between them) as long as the log or the history has them;
    ///   otherwise O(row groups) and O(objects of row groups that differ).
    package func changes(
        from old: Snapshot, to new: Snapshot
    ) throws(StoreError) -> VersionChanges {
        var result = VersionChanges(from: old.version, to: new.version)
        guard old.version < new.version else { return result }
        let prepared = state.withLock { $0.attachment }?.preparation.withLock {
            $0.changes(from: old.version, to: new.version)
        }
        if let prepared { return prepared }
        if var recorded = try recordedChanges(after: old, through: new.version) {
            try ChangeConsequences(old: old, new: new).complete(&recorded)
            result.commit = recorded.commit
            result.schemaChanged = recorded.schemaChanged
            result.classes = recorded.classes.mapValues(\.sorted).filter { !$0.value.isEmpty }
            return result
        }
        result.commit = try commit(of: new)
        result.noteDifference(from: old.schema, to: new.schema)
        result.classes = try TableDifference.changes(from: old, to: new)
        return result
    }

    /// Returns the time and the annotation of the commit of a version, or `nil` if it is not kept.
    package func commit(of snapshot: Snapshot) throws(StoreError) -> CommitMetadata? {
        guard snapshot.version > .zero else { return nil }
        let previous = LSN(snapshot.version.rawValue - 1)
        do throws(StoreError) {
            guard let frame = try frames(after: previous, through: snapshot.version).last else {
                return nil
            }
            return CommitMetadata(
                time: frame.time,
                annotation: try decoding(
                    frame.operations.annotation, "the annotation of a commit", in: path))
        } catch {
            guard error.code == .versionGone else { throw error }
        }
        // The commit that created the database is not kept; its time is in the superblock.
        guard previous == .zero else { return nil }
        let seconds = snapshot.root.superblock.createdSeconds
        return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
            ? nil : CommitMetadata(time: seconds * 1_000_000_000)
    }

    /// Computes the changes of the next version while the disk makes it durable, for all observers.
    ///
    /// The result is only a head start. Any error is thrown when the changes are requested.
    package func prepareChanges(to commit: PendingCommit) {
        guard let attachment = state.withLock({ $0.attachment }),
            let newest = try? attachment.durableSnapshot()
        else { return }
        commit.prepareChanges(from: newest) { try? changes(from: newest, to: commit.snapshot) }
    }

    /// Returns the recorded changes of the commits between two versions.
    ///
    /// - Returns: `nil` if some of the commits are no longer kept, wrote pages, or follow another version
    ///   with the same number, because an older copy of the file was put back.
    private func recordedChanges(
        after old: Snapshot, through last: LSN
    ) throws(StoreError) -> RecordedChanges? {
        if let attachment = state.withLock({ $0.attachment }),
            let changes = try attachment.recordedChanges(after: old, through: last)
        {
            return changes
        }
        let frames: [Frame]
        do throws(StoreError) {
            frames = try self.frames(after: old.version, through: last)
        } catch {
            guard error.code == .versionGone else { throw error }
            return nil
        }
        guard frames.first?.previous == old.chain,
            frames.allSatisfy({ $0.kind == .operations })
        else { return nil }
        var changes = RecordedChanges()
        for frame in frames { try changes.add(frame.operations, frame.time, in: path) }
        return changes
    }
}

extension RecordedChanges {
    mutating func add(
        _ operations: RecordedOperations, _ time: Int64, in path: String
    ) throws(StoreError) {
        try operations.bytes.withBytes { bytes throws(StoreError) in
            try add(bytes, count: operations.count, time: time, in: path)
        }
    }
}

extension LogAttachment {
    /// Returns the changes of recent commits, read only from their frames.
    ///
    /// - Returns: `nil` if the position of the first commit is no longer known, if the log has
    ///   moved on, or if one of the commits wrote pages.
    fileprivate func recordedChanges(
        after old: Snapshot, through last: LSN
    ) throws(StoreError) -> RecordedChanges? {
        var changes = RecordedChanges()
        let recent = preparation.withLock {
            $0.commits.commits(after: old.version, through: last)
        }
        if let recent {
            for commit in recent {
                try changes.add(commit.operations, commit.time, in: store.path)
            }
            return changes
        }
        let address = versionChain.withLock { $0.address(after: old.version) }
        guard let address, address.chain == old.chain else { return nil }
        var hasPages = false
        let end = try log.visit(after: address, through: last) {
            sealed, segment throws(StoreError) in
            hasPages = hasPages || sealed.header.kind != .operations
            guard !hasPages else { return }
            try log.withOperations(of: sealed, segment) { bytes throws(StoreError) in
                try changes.add(
                    bytes, count: sealed.header.operationCount, time: sealed.header.time,
                    in: segment.path)
            }
        }
        return end == nil || hasPages ? nil : changes
    }
}
