import FirnPlatform
package import FirnValues

extension Store {
    /// Returns an older version, or the newest one by its number or name.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if the version is no longer kept or does not
    ///   exist yet, `freezeMissing`, and the errors of reading.
    /// - Complexity: O(operations between the nearest kept root and the version)
    package func snapshot(at version: VersionReference) throws(StoreError) -> Snapshot {
        while true {
            let newest = try snapshot()
            let number = try resolve(version, in: newest)
            if number == newest.version { return newest }
            if let snapshot = try snapshot(at: number, before: newest) { return snapshot }
        }
    }

    /// Returns the number of an existing version.
    func resolve(
        _ version: VersionReference, in newest: Snapshot
    ) throws(StoreError) -> LSN {
        switch version {
        case .head: return newest.version
        case .number(let number):
            guard number <= newest.version else {
                throw gone(
                    "version \(number.rawValue) does not exist yet", try readable(in: newest))
            }
            return number
        case .back(let count):
            guard count <= newest.version.rawValue else {
                throw gone(
                    "`@-\(count)` goes back further than the first version",
                    try readable(in: newest))
            }
            return LSN(newest.version.rawValue - count)
        case .freeze(let name):
            guard let freeze = try newest.freeze(named: name) else {
                guard let time = Timestamp(name) else { throw .freezeMissing(name, path: path) }
                return try self.version(at: time, in: newest)
            }
            guard !freeze.isExpired(at: now) else { throw .freezeExpired(freeze, path: path) }
            return freeze.version
        case .time(let time): return try self.version(at: time, in: newest)
        case .ago(let nanoseconds):
            let now = services.clock.wallTime()
            let seconds = Int64(nanoseconds / 1_000_000_000)
            return try self.version(
                at: Timestamp(
                    seconds: now.seconds - seconds,
                    nanoseconds: Int64(now.nanoseconds) - Int64(nanoseconds % 1_000_000_000)),
                in: newest)
        }
    }

    /// Returns whether a commit was made at or before a time.
    ///
    /// `log` shows whole seconds, so a time without a fraction includes its whole second.
    private func isCommitted(_ nanoseconds: Int64, at time: Timestamp) -> Bool {
        let committed = Timestamp(nanosecondsSince1970: nanoseconds)
        return time.nanoseconds == 0 ? committed.seconds <= time.seconds : committed <= time
    }

    /// Returns the newest version that was committed at or before a time.
    ///
    /// - Complexity: O(commits after the oldest version up to which all versions are readable)
    private func version(
        at time: Timestamp, in newest: Snapshot
    ) throws(StoreError) -> LSN {
        let readable = try readable(in: newest)
        let oldest = LSN(readable.lowerBound)
        let later = try frames(after: oldest, through: newest.version)
        if let frame = later.last(where: { isCommitted($0.time, at: time) }) { return frame.lsn }
        // The oldest version may have been committed at any time before the next one.
        let committed = try commit(of: try snapshot(at: .number(oldest)))
        guard let committed, isCommitted(committed.time, at: time) else {
            throw gone("no version of \(time) is kept", readable)
        }
        return oldest
    }

    /// Opens a version that is older than the newest.
    ///
    /// - Returns: `nil` if a commit has just dropped its root; the newest version has then changed.
    private func snapshot(
        at version: LSN, before newest: Snapshot
    ) throws(StoreError) -> Snapshot? {
        let root = newest.root.superblock
        if version >= root.lsn {
            guard let frames = try liveFrames(after: root, through: version) else { return nil }
            return try replay(frames, on: newest.withoutOverlay, to: version)
        }
        let history = try history(of: root)
        guard let base = history.base(for: version) else {
            throw try notKept(version, in: newest)
        }
        guard let snapshot = try pin(base, of: root) else { return nil }
        return try replay(
            try keptFrames(after: base.lsn, through: version, in: history), on: snapshot,
            to: version)
    }

    private func replay(
        _ frames: [Frame], on base: Snapshot, to version: LSN
    ) throws(StoreError) -> Snapshot {
        guard version > base.version else { return base }
        guard !frames.isEmpty else {
            throw .corrupt(path, "the commits up to version \(version.rawValue) are missing")
        }
        return try Replay.apply(frames, to: base)
    }

    /// Pins a kept root so that it stays readable.
    ///
    /// The root was kept when its history was read. If the newest root still keeps it once the pin
    /// is held, then every root between did, and every later writer sees the pin.
    ///
    /// - Returns: `nil` if the root is no longer kept.
    func pin(
        _ kept: History.KeptRoot, of current: Superblock
    ) throws(StoreError) -> Snapshot? {
        let pin = try attempt(RootPin(kept.version, in: pins), to: "lock the database for reading")
        let (newest, newestPin) = try pinNewestRoot()
        defer { withExtendedLifetime(newestPin) {} }
        if newest.superblock != current {
            guard try history(of: newest.superblock).roots.contains(kept) else { return nil }
        }
        let superblock = kept.superblock(in: current)
        let root = Root(superblock: superblock, catalog: try catalog(of: superblock))
        return Snapshot(of: root, pages: pages, pin: pin)
    }

    var now: Int64 { services.clock.wallTime().seconds }

    // MARK: Readable versions

    /// Returns whether a version can be opened now.
    func isReadable(_ version: LSN, in newest: Snapshot) throws(StoreError) -> Bool {
        let root = newest.root.superblock
        if version >= root.lsn { return version <= newest.version }
        return try history(of: root).base(for: version) != nil
    }

    /// Returns the longest range of readable versions up to the newest.
    func readable(in newest: Snapshot) throws(StoreError) -> ClosedRange<UInt64> {
        let root = newest.root.superblock
        return try history(of: root).oldest(before: root).rawValue...newest.version.rawValue
    }

    func notKept(_ version: LSN, in newest: Snapshot) throws(StoreError) -> StoreError {
        gone("version \(version.rawValue) is not kept", try readable(in: newest))
    }

    private func gone(_ what: String, _ readable: ClosedRange<UInt64>) -> StoreError {
        let rest =
            readable.count == 1
            ? "only version \(readable.upperBound) can be read"
            : "versions \(readable.lowerBound) to \(readable.upperBound) can be read"
        return StoreError(
            .versionGone, path: path, detail: "\(what); \(rest)",
            remedy: "freeze a version to keep it")
    }

    /// Returns the number of bytes in the file that are used only for the freeze of a version.
    package func heldByteCount(ofFreezeOf version: LSN) throws(StoreError) -> UInt64 {
        try SpaceUsage(self, snapshot()).freezeByteCounts[version] ?? 0
    }

    /// Returns the readable versions and the space that they use.
    package func versions() throws(StoreError) -> VersionsReport {
        let newest = try snapshot()
        let accounts = try SpaceUsage(self, newest)
        let now = now
        let byteCounts = accounts.freezeByteCounts
        let freezes = try newest.freezes().filter { !$0.isExpired(at: now) }.map { freeze in
            VersionsReport.KeptFreeze(
                freeze: freeze, heldByteCount: byteCounts[freeze.version] ?? 0)
        }
        return VersionsReport(
            newest: newest.version,
            oldest: accounts.history.oldest(before: newest.root.superblock),
            historyByteCount: accounts.historyByteCount, freezes: freezes)
    }
}

/// A report on the readable versions.
package struct VersionsReport: Hashable, Sendable {
    package struct KeptFreeze: Hashable, Sendable {
        package let freeze: Freeze
        /// The number of bytes in the file that are used only for this freeze.
        package let heldByteCount: UInt64
    }

    package let newest: LSN
    /// The oldest version since which every version up to the newest is readable.
    package let oldest: LSN
    /// The number of bytes in the file that are used for unnamed versions before the newest.
    package let historyByteCount: UInt64
    /// The freezes that have not expired.
    package let freezes: [KeptFreeze]
}

extension Timestamp {
    fileprivate init(nanosecondsSince1970 nanoseconds: Int64) {
        self.init(seconds: 0, nanoseconds: nanoseconds)
    }
}

extension History {
    /// Returns the oldest version since which every version up to the current root is readable.
    func oldest(before current: Superblock) -> LSN {
        let runs = runs
        var oldest = current.lsn
        for root in roots.reversed() where root.lsn < oldest {
            guard runs.cover(after: root.lsn, through: LSN(oldest.rawValue - 1)) else { break }
            oldest = root.lsn
        }
        return oldest
    }
}
