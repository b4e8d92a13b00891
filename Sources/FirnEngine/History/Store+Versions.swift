import FirnPlatform
package import FirnValues

extension Store {
    /// An older version, or the newest under its number or name.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if the version is not kept any more or does not
    ///   exist yet, `freezeMissing`, and what reading can throw.
    /// - Complexity: O(operations between the nearest kept root and the version)
    package func snapshot(at version: VersionReference) throws(StoreError) -> Snapshot {
        while true {
            let newest = try snapshot()
            let number = try resolve(version, in: newest)
            if number == newest.version { return newest }
            if let snapshot = try snapshot(at: number, before: newest) { return snapshot }
        }
    }

    /// The number of a version that exists.
    func resolve(
        _ version: VersionReference, in newest: Snapshot
    ) throws(StoreError) -> LSN {
        switch version {
        case .number(let number):
            guard number <= newest.version else {
                throw gone(
                    "version \(number.rawValue) does not exist yet", try readable(in: newest))
            }
            return number
        case .back(let count):
            guard count <= newest.version.rawValue else {
                throw gone("there are not so many versions", try readable(in: newest))
            }
            return LSN(newest.version.rawValue - count)
        case .freeze(let name):
            guard let freeze = try newest.freeze(named: name) else {
                throw .freezeMissing(name, path: path)
            }
            guard !freeze.isExpired(at: now) else { throw .freezeExpired(freeze, path: path) }
            return freeze.version
        }
    }

    /// Opens a version that is older than the newest.
    ///
    /// - Returns: `nil` if a commit gave up its root just now: then what is the newest has changed.
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

    /// Makes sure that a kept root stays readable.
    ///
    /// The root was kept when its history was read. If the newest root still keeps it once the pin is
    /// held, then every root between did, and every later writer sees the pin.
    ///
    /// - Returns: `nil` if it is not kept any more.
    func pin(
        _ kept: History.KeptRoot, of current: Superblock
    ) throws(StoreError) -> Snapshot? {
        let pin: RootPin
        do throws(PlatformError) {
            pin = try RootPin(kept.version, in: pins)
        } catch {
            throw StoreError(error, doing: "lock the database for reading")
        }
        let (newest, newestPin) = try pinNewestRoot()
        defer { withExtendedLifetime(newestPin) {} }
        if newest.superblock != current {
            guard try history(of: newest.superblock).roots.contains(kept) else { return nil }
        }
        let superblock = kept.superblock(in: current)
        let root = Root(superblock: superblock, catalog: try catalog(of: superblock))
        return Snapshot(root: root, overlay: nil, version: kept.lsn, pages: pages, pin: pin)
    }

    var now: Int64 { services.clock.wallTime().seconds }

    // MARK: What can be read

    /// Whether a version could be opened now.
    func isReadable(_ version: LSN, in newest: Snapshot) throws(StoreError) -> Bool {
        let root = newest.root.superblock
        if version >= root.lsn { return version <= newest.version }
        return try history(of: root).base(for: version) != nil
    }

    /// The versions from which on all can be read, up to the newest.
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

    /// Bytes of the file that are used for the freeze of a version alone.
    package func heldByteCount(ofFreezeOf version: LSN) throws(StoreError) -> UInt64 {
        try SpaceUsage(self, snapshot()).freezeByteCounts[version] ?? 0
    }

    /// Which versions can be read, and what that costs.
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

/// Which versions can be read.
package struct VersionsReport: Hashable, Sendable {
    package struct KeptFreeze: Hashable, Sendable {
        package let freeze: Freeze
        /// Bytes of the file that are used for this freeze alone.
        package let heldByteCount: UInt64
    }

    package let newest: LSN
    /// Every version from here to the newest can be read.
    package let oldest: LSN
    /// Bytes of the file that are used for the versions before the newest that have no name.
    package let historyByteCount: UInt64
    /// Expired ones are not among them.
    package let freezes: [KeptFreeze]
}

extension History {
    /// The version from which on every one up to that of the current root can be read.
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
