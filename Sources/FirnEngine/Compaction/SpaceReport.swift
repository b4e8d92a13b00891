import FirnPlatform
package import FirnValues

/// What the bytes of a file are used for.
package struct SpaceReport: Hashable, Sendable {
    /// Something that keeps the space of older versions.
    package struct Holder: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case freeze(String)
            /// The versions before the newest that have no name.
            case history
            /// A process that reads the version; the pid is `nil` where the system does not tell.
            case reader(version: LSN?, process: ProcessDescription?)
        }

        package let kind: Kind
        /// Bytes that only this holder keeps.
        package let byteCount: UInt64
    }

    /// Size of the file and of the log beside it.
    package let fileByteCount: UInt64
    package let logByteCount: UInt64
    /// What the newest version needs.
    package let liveByteCount: UInt64
    /// What may be written over at once.
    package let freeByteCount: UInt64
    /// What only older versions need.
    package let heldByteCount: UInt64
    package let holders: [Holder]
}

extension Store {
    /// What the bytes of the file are used for.
    ///
    /// - Complexity: O(extents of free space)
    package func spaceReport() throws(StoreError) -> SpaceReport {
        let newest = try snapshot()
        let superblock = newest.root.superblock
        let accounts = try SpaceUsage(self, newest)
        let unused = accounts.freeSpace.byteCount
        let frames = accounts.history.chunks.reduce(0) { $0 + $1.reference.extent.byteCount }
        let free = accounts.freeByteCount
        return SpaceReport(
            fileByteCount: try fileStatus().size, logByteCount: try logByteCount(),
            liveByteCount: superblock.fileByteCount
                - min(superblock.fileByteCount, unused + frames),
            freeByteCount: free, heldByteCount: unused - min(unused, free) + frames,
            holders: try holders(accounts, newest))
    }

    private func holders(
        _ accounts: SpaceUsage, _ newest: Snapshot
    ) throws(StoreError) -> [SpaceReport.Holder] {
        var holders: [SpaceReport.Holder] = []
        let now = services.clock.wallTime().seconds
        let byteCounts = accounts.freezeByteCounts
        for freeze in try newest.freezes() where !freeze.isExpired(at: now) {
            holders.append(
                .init(kind: .freeze(freeze.name), byteCount: byteCounts[freeze.version] ?? 0))
        }
        if !accounts.history.roots.isEmpty || !accounts.history.chunks.isEmpty {
            holders.append(.init(kind: .history, byteCount: accounts.historyByteCount))
        }
        let sessions = try sessions()
        let lsns = Dictionary(
            accounts.history.roots.map { ($0.version, $0.lsn) }, uniquingKeysWith: { $1 })
        for root in accounts.readRoots {
            let readers = sessions.filter { $0.pinned.contains(root) }
            let byteCount = accounts.byteCount(ofReaders: root)
            // Somebody reads it, though the system does not tell who.
            for process in readers.isEmpty ? [nil] : readers.map(\.process) {
                holders.append(
                    .init(
                        kind: .reader(version: lsns[root], process: process),
                        byteCount: byteCount))
            }
        }
        return holders
    }

    /// Bytes of the log beside the file.
    private func logByteCount() throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        for suffix in ["-log0", "-log1"] {
            do throws(PlatformError) {
                sum += try services.files.status(of: path + suffix)?.size ?? 0
            } catch {
                throw StoreError(error, doing: "find the size of the log")
            }
        }
        return sum
    }
}
