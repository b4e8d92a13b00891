import FirnPlatform
package import FirnValues

/// Versions with classes that the file does not have.
extension Snapshot {
    /// Returns this version as if its classes had been changed.
    ///
    /// Nothing is written, and no other reader sees the change. It serves readers that may not
    /// write and need more classes than the file has, without objects. The class identities are
    /// never those of a file, and differ for every schema version, so that data read for a class of
    /// one version is never mistaken for another class of a newer version.
    ///
    /// - Throws: ``StoreError``, rethrown from `change`.
    package func withSchemaPreview(
        _ change: (WriteTransaction) throws(StoreError) -> Void
    ) throws(StoreError) -> Snapshot {
        let transaction = WriteTransaction(replayingOnto: self)
        defer { transaction.rollback() }
        transaction.overlay.catalog.nextClassID = .firstImagined(schemaVersion)
        try change(transaction)
        return try transaction.snapshot()
    }
}

extension ClassID {
    /// The first identity of a class that exists only in a preview.
    private static let imagined: UInt32 = 1 << 31
    /// The number of preview identities per version, above which the identities of two versions can
    /// collide.
    private static let imaginedPerVersion: UInt32 = 1 << 12

    /// Whether the class exists only in a preview.
    package var isImagined: Bool { rawValue >= ClassID.imagined }

    fileprivate static func firstImagined(_ schemaVersion: UInt64) -> ClassID {
        let versions = UInt64(ClassID.imagined / imaginedPerVersion)
        return ClassID(imagined + UInt32(schemaVersion % versions) * imaginedPerVersion)
    }
}
