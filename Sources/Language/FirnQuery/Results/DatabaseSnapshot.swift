package import FirnEngine
package import FirnValues

/// One version of a database that can be queried.
package struct DatabaseSnapshot: Sendable {
    package let snapshot: Snapshot
    package let now: Timestamp
    /// The version in the file, if ``snapshot`` has more classes; see ``withSchemaPreview(_:)``.
    private let stored: Snapshot?

    package init(_ snapshot: Snapshot, now: Timestamp) {
        self.init(snapshot, now: now, stored: nil)
    }

    private init(_ snapshot: Snapshot, now: Timestamp, stored: Snapshot?) {
        self.snapshot = snapshot
        self.now = now
        self.stored = stored
    }

    /// The version as it is in the file.
    package var inFile: Snapshot { stored ?? snapshot }

    /// Returns this version as if changes to its classes had been made.
    package func withSchemaPreview(
        _ change: (WriteTransaction) throws(StoreError) -> Void
    ) throws(StoreError) -> DatabaseSnapshot {
        DatabaseSnapshot(try inFile.withSchemaPreview(change), now: now, stored: inFile)
    }

    package var schema: Schema { snapshot.schema }
    package var version: LSN { snapshot.version }
}
