package import FirnValues

extension Store {
    /// An older version, or the newest under its number or name.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if the version is not kept any more or does not
    ///   exist yet, `freezeMissing`, and what reading can throw.
    /// - Complexity: O(operations between the nearest kept root and the version)
    package func snapshot(at version: VersionReference) throws(StoreError) -> Snapshot {
        throw StoreError(.limitExceeded, path: path, detail: "not built yet")
    }

    /// Which versions can be read, and what that costs.
    package func versions() throws(StoreError) -> VersionsReport {
        throw StoreError(.limitExceeded, path: path, detail: "not built yet")
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
