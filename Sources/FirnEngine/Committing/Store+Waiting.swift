import FirnPlatform
package import FirnValues

/// Waiting for what others commit.
///
/// While the file has a log, its shared memory has a word that changes with every commit. Without
/// one, whoever waits puts such memory beside the file, and who commits directly looks for it. Where
/// that cannot be (a folder that cannot be written to, another machine's disk), the superblock is
/// looked at from time to time.
extension Store {
    /// How long a wait lasts at most before the file is looked at again: should a process die
    /// between its commit and the wake-up, nothing is lost, only late.
    private static let patienceNanoseconds: UInt64 = 1_000_000_000
    private static let pollNanoseconds: UInt64 = 20_000_000

    /// Waits until there is a version newer than one that is known.
    ///
    /// - Parameters:
    ///   - interval: how often `isWanted` is asked at least, besides after every wake-up and after
    ///     ``endWaits()``.
    ///   - isWanted: whether to go on waiting.
    ///   - prepare: told once at most which version comes next, as soon as its commit is in the log:
    ///     while the disk makes it durable, what it means can be found out.
    ///   - onCommitVisible: told at once, before the newest version can be read here, that there is one at
    ///     least as new as this: whoever has to be woken for it can be woken meanwhile.
    /// - Returns: the newest version, or the one that was prepared; not newer than `known` if the time
    ///   is over, or nobody wants to know any more.
    package func waitForVersion(
        after known: LSN, nanoseconds: UInt64, askingEvery interval: UInt64 = .max,
        while isWanted: () -> Bool = { true },
        prepare: ((PendingCommit) -> Void)? = nil,
        onCommitVisible: (LSN) -> Void = { _ in }
    ) throws(StoreError) -> LSN {
        let start = services.clock.monotonicNanoseconds()
        var region = WaitingRegion()
        defer { region.leave(self) }
        var prepare = prepare
        var expected: PendingCommit?
        while true {
            // Taken before looking: what happens after it ends the wait at once.
            let words = state.withLock { $0.session?.region } ?? region.join(self)
            let news = words?.newsCount
            let newest = try snapshot().version
            let waited = services.clock.monotonicNanoseconds() &- start
            guard newest <= known, waited < nanoseconds, isWanted() else { return newest }
            if let preparing = prepare, let next = pendingCommit(after: known) {
                (prepare, expected) = (nil, next)
                preparing(next)
                guard spinUntilDurable(for: next) else { continue }
                onCommitVisible(next.snapshot.version)
                return next.snapshot.version
            }
            let rest = min(nanoseconds - waited, interval)
            if let words, let news, !words.isClosed {
                words.waitForNews(since: news, nanoseconds: min(rest, Store.patienceNanoseconds))
                // On disk, so that whoever looks from now on sees it or a newer one.
                let synced = words.synced
                if synced > known { onCommitVisible(synced) }
                // All is at hand for it already: nothing has to be looked for.
                if let expected, expected.fate == .durable { return expected.snapshot.version }
            } else {
                services.clock.sleep(nanoseconds: min(rest, Store.pollNanoseconds))
            }
        }
    }

    private func spinUntilDurable(for expected: PendingCommit) -> Bool {
        state.withLock { $0.session }?.spinUntilDurable(for: expected) ?? false
    }

    private func pendingCommit(after known: LSN) -> PendingCommit? {
        state.withLock { $0.session }?.pendingCommit(after: known)
    }

    /// Lets all who wait look again at whether they are to go on waiting.
    ///
    /// Where the shared memory cannot be written to, they look again by themselves within a second.
    package func endWaits() {
        // A handle that only reads has opened it for reading only: that way goes by another one.
        guard let region = openAnyRegion(.readWrite),
            region.belongs(to: pages.fileID, boot: services.bootIdentity)
        else { return }
        region.nudge()
    }

    /// Wakes those who wait, after a commit without a log.
    func wakeWaiters(_ superblock: Superblock) {
        guard let region = openAnyRegion(.readWrite),
            region.belongs(to: pages.fileID, boot: services.bootIdentity)
        else { return }
        region.noteRoot(superblock.rootVersion, superblock.lsn)
    }
}

/// The shared memory that somebody who waits puts beside a file without a log.
private struct WaitingRegion {
    private var region: SharedLogState?
    /// Whether others are told that somebody waits here; also while there is no memory yet, because
    /// another one is just making it or taking it away.
    private var isAnnounced = false

    /// - Returns: `nil` if there can be none.
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

    /// The last one who waits takes the memory away, whoever made it, unless a log uses it.
    mutating func leave(_ store: Store) {
        guard isAnnounced else { return }
        (region, isAnnounced) = (nil, false)
        try? store.file.unlock(LockMap.waiting)
        store.removeWaitingRegion()
    }
}

extension Store {
    /// - Returns: `nil` if the folder does not allow it, or another was faster.
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

    /// Removes shared memory that no log uses and nobody waits on.
    ///
    /// Who begins to wait on it meanwhile is sent away by its closing.
    fileprivate func removeWaitingRegion() {
        _ = changingRegion {
            // A handle for reading cannot lock anything exclusively, but it can ask.
            guard !isWaitedOn, let region = openAnyRegion(.readWrite),
                region.belongs(to: pages.fileID, boot: services.bootIdentity),
                region.generation == 0
            else { return nil }
            region.close()
            try? services.files.remove(LogFiles.regionPath(location))
            return nil
        }
    }

    /// Whether another process waits without a log, or that cannot be found out.
    private var isWaitedOn: Bool {
        do throws(PlatformError) {
            return try file.conflictingLock(in: LockMap.waiting, .exclusive) != nil
        } catch {
            return true
        }
    }

    /// Does something to the shared memory unless a log is just getting its own.
    private func changingRegion(_ body: () -> SharedLogState?) -> SharedLogState? {
        rights.region.withLock {
            guard (try? file.tryLock(LockMap.region, .shared)) == true else { return nil }
            defer { unlockRegion() }
            return body()
        }
    }
}
