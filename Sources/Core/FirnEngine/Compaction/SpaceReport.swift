import FirnPlatform
package import FirnValues

/// A breakdown of the space in a file.
package struct SpaceReport: Hashable, Sendable {
    /// A holder of the space of older versions.
    package struct Holder: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case freeze(String)
            /// The unnamed versions before the newest.
            case history
            /// A reader of the version; `process` is `nil` if the system does not report it.
            case reader(version: LSN?, process: ProcessDescription?)
        }

        package let kind: Kind
        /// The bytes that only this holder keeps.
        package let byteCount: UInt64
    }

    /// The sizes of the file and of the log beside it.
    package let fileByteCount: UInt64
    package let logByteCount: UInt64
    /// The bytes that the newest version needs.
    package let liveByteCount: UInt64
    /// The bytes that may be overwritten at once.
    package let freeByteCount: UInt64
    /// The bytes that only older versions need.
    package let heldByteCount: UInt64
    package let holders: [Holder]
}

extension Store {
    /// Returns a breakdown of the space in the file.
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
            // The root is being read, even if the system does not report by which process.
            for process in readers.isEmpty ? [nil] : readers.map(\.process) {
                holders.append(
                    .init(
                        kind: .reader(version: lsns[root], process: process),
                        byteCount: byteCount))
            }
        }
        return holders
    }

    /// Returns the size of the log beside the file in bytes.
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
