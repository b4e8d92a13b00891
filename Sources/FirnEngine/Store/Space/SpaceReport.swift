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

/// A process as people know it.
package struct ProcessDescription: Hashable, Sendable {
    package let pid: Int32
    /// Its arguments, separated by spaces; control characters are for the caller to escape.
    package let command: String
    /// How long it has been running, in seconds.
    package let ageSeconds: UInt64
    /// Whether it was stopped by a signal, such as with Ctrl-Z.
    package let isStopped: Bool

    package init(pid: Int32, command: String, ageSeconds: UInt64, isStopped: Bool) {
        self.pid = pid
        self.command = command
        self.ageSeconds = ageSeconds
        self.isStopped = isStopped
    }
}

extension Store {
    /// What the bytes of the file are used for.
    ///
    /// - Complexity: O(extents of free space)
    package func spaceReport() throws(StoreError) -> SpaceReport {
        throw StoreError(.limitExceeded, path: path, detail: "not built yet")
    }
}
