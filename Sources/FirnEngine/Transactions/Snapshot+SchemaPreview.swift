import FirnPlatform
package import FirnValues

/// Versions with classes that the file does not have.
extension Snapshot {
    /// This version as if changes of its classes had been made.
    ///
    /// Nothing is written, and nobody else sees it: it is for those who may only read, and want more
    /// classes, without objects, than the file has. Their identities are none that the file uses, and
    /// others for every schema of it, so that what was made for a class of one version never reads another
    /// class of a newer version.
    ///
    /// - Throws: ``StoreError``, what `change` throws.
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
    /// Identities from here on are those of classes that are only imagined.
    private static let imagined: UInt32 = 1 << 31
    /// How many of them a version may have before they could meet those of another.
    private static let imaginedPerVersion: UInt32 = 1 << 12

    /// Whether no file has the class.
    package var isImagined: Bool { rawValue >= ClassID.imagined }

    fileprivate static func firstImagined(_ schemaVersion: UInt64) -> ClassID {
        let versions = UInt64(ClassID.imagined / imaginedPerVersion)
        return ClassID(imagined + UInt32(schemaVersion % versions) * imaginedPerVersion)
    }
}
