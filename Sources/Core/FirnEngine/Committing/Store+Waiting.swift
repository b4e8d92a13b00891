import FirnPlatform
package import FirnValues

/// Waiting for commits by other handles.
///
/// While the file has a log, a word in its shared memory changes with every commit. Without a log,
/// a waiting process creates such memory beside the file, and a direct commit looks for it. Where
/// this is impossible (the folder is read-only, or the disk belongs to another machine), the
/// superblock is polled.
extension Store {
    /// The longest wait before the file is checked again.
    ///
    /// If a process dies between its commit and the wake-up, the commit is noticed late but not
    /// missed.
    private static let timeoutNanoseconds: UInt64 = 1_000_000_000
    private static let pollNanoseconds: UInt64 = 20_000_000

    /// Waits until a version newer than a known one exists.
    ///
    /// - Parameters:
    ///   - interval: The longest time between two calls of `isWanted`, which is also called after
    ///     every wake-up and after ``endWaits()``.
    ///   - isWanted: Whether to continue waiting.
    ///   - onStep: Called with the steps of commits, so that their effects can be computed while
    ///     the disk makes them durable.
    /// - Returns: The newest version, or the prepared one. It is not newer than `known` if the time
    ///   is over or `isWanted` returned `false`.
    package func waitForVersion(
        after known: LSN, nanoseconds: UInt64, askingEvery interval: UInt64 = .max,
        while isWanted: () -> Bool = { true },
        onStep: ((PendingCommit.Step) -> Void)? = nil
    ) throws(StoreError) -> LSN {
        let start = services.clock.monotonicNanoseconds()
        var region = WaitingRegion()
        defer { region.leave(self) }
        var pending: PendingCommit?
        while true {
            // The count is read before the state, so a later change ends the wait at once.
            let words = state.withLock { $0.attachment?.region } ?? region.join(self)
            let news = words?.newsCount
            let newest = try snapshot().version
            let waited = services.clock.monotonicNanoseconds() &- start
            guard newest <= known, waited < nanoseconds, isWanted() else { return newest }
            if let onStep, pending == nil, let next = pendingCommit(after: known) {
                pending = next
                onStep(.appended(next))
                guard next.spinUntilDurable() else { continue }
                onStep(.durable(next.snapshot.version))
                return next.snapshot.version
            }
            let rest = min(nanoseconds - waited, interval)
            if let words, let news, !words.isClosed {
                words.waitForNews(since: news, nanoseconds: min(rest, Store.timeoutNanoseconds))
                // The commit is on disk, so every later reader sees it or a newer one.
                let synced = words.synced
                if synced > known { onStep?(.durable(synced)) }
                // The prepared version is complete and needs no further reads.
                if let pending, pending.durability == .durable { return pending.snapshot.version }
            } else {
                services.clock.sleep(nanoseconds: min(rest, Store.pollNanoseconds))
            }
        }
    }

    private func pendingCommit(after known: LSN) -> PendingCommit? {
        state.withLock { $0.attachment }?.pendingCommit(after: known)
    }

    /// Makes all waiting threads check again whether to continue.
    ///
    /// If the shared memory is not writable, they check within a second on their own.
    package func endWaits() {
        // A read-only handle has opened the region for reading only, so the wake-up uses another
        // mapping.
        guard let region = openAnyRegion(.readWrite),
            region.belongs(to: pages.fileID, boot: services.bootIdentity)
        else { return }
        region.nudge()
    }

    /// Wakes the waiting processes after a commit without a log.
    func wakeWaiters(_ superblock: Superblock) {
        guard let region = openAnyRegion(.readWrite),
            region.belongs(to: pages.fileID, boot: services.bootIdentity)
        else { return }
        region.noteRoot(superblock.rootVersion, superblock.lsn)
    }
}

/// The shared memory that a waiting process creates beside a file without a log.
private struct WaitingRegion {
    private var region: SharedLogState?
    /// Whether this wait is announced to other processes.
    ///
    /// It is also announced while there is no memory yet because another process is creating or
    /// removing it.
    private var isAnnounced = false

    /// - Returns: `nil` if there can be no shared memory.
    mutating func join(_ store: Store) -> SharedLogState? {
        if let region, !region.isClosed { return region }
        region = nil
        guard (try? store.services.files.volume(of: store.location)) == .local,
            (try? store.file.tryLock(LockMap.waiting, .shared)) == true
        else { return nil }
        isAnnounced = true
        region = store.openAnyRegion(.readWrite).flatMap { found in
            found.belongs(to: store.pages.fileID, boot: store.services.bootIdentity)
                && !found.isClosed ? found : nil
        }
        region = region ?? store.makeWaitingRegion()
        return region
    }

    /// Leaves the region; the last waiting process removes it, unless a log uses it.
    mutating func leave(_ store: Store) {
        guard isAnnounced else { return }
        (region, isAnnounced) = (nil, false)
        try? store.file.unlock(LockMap.waiting)
        store.removeWaitingRegion()
    }
}

extension Store {
    /// - Returns: `nil` if the folder does not allow it or another process was faster.
    fileprivate func makeWaitingRegion() -> SharedLogState? {
        changingRegion {
            try? SharedLogState.make(
                of: location,
                for: RegionPurpose(
                    fileID: pages.fileID, boot: services.bootIdentity, generation: 0,
                    tail: SharedLogState.Tail(
                        lsn: .zero, segment: 0, end: 0, chain: .origin, salt: 0),
                    root: RootVersion(0), rootLSN: .zero),
                files: services.files, access: file.status().access)
        }
    }

    /// Removes shared memory that no log uses and no process waits on.
    ///
    /// A process that begins to wait on it meanwhile is sent away when the region is closed.
    fileprivate func removeWaitingRegion() {
        _ = changingRegion {
            // A read-only handle cannot lock anything exclusively, but it can query the lock.
            guard !isWaitedOn, let region = openAnyRegion(.readWrite),
                region.belongs(to: pages.fileID, boot: services.bootIdentity),
                region.generation == 0
            else { return nil }
            region.close()
            try? services.files.remove(LogFiles.regionPath(location))
            return nil
        }
    }

    /// Whether another process waits without a log or, if the query failed, might be waiting.
    private var isWaitedOn: Bool {
        do throws(PlatformError) {
            return try file.conflictingLock(in: LockMap.waiting, .exclusive) != nil
        } catch {
            return true
        }
    }

    /// Changes the shared memory, unless another process is creating the shared memory of a log.
    private func changingRegion(_ body: () -> SharedLogState?) -> SharedLogState? {
        locks.region.withLock {
            guard (try? file.tryLock(LockMap.region, .shared)) == true else { return nil }
            defer { unlockRegion() }
            return body()
        }
    }
}
