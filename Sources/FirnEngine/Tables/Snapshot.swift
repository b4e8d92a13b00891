import FirnPlatform
package import FirnValues
import HashTreeCollections

/// A durable root, loaded: the superblock and the catalog that it leads to.
final class Root: Sendable {
    let superblock: Superblock
    let catalog: Catalog

    init(superblock: Superblock, catalog: Catalog) {
        self.superblock = superblock
        self.catalog = catalog
    }
}

/// One version of a database: a root and what changed since.
///
/// It never changes, and its space is
/// not used again while it lives.
package struct Snapshot: Sendable {
    let root: Root
    let overlay: Overlay?
    let pages: PageStore
    /// The number of the commit that this is.
    package let version: LSN
    /// Keeps the root readable.
    private let pin: RootPin

    init(root: Root, overlay: Overlay?, version: LSN, pages: PageStore, pin: RootPin) {
        self.root = root
        self.overlay = overlay
        self.version = version
        self.pages = pages
        self.pin = pin
    }

    /// The same root with other changes.
    func with(_ overlay: Overlay) -> Snapshot { with(overlay, version: version) }

    /// A newer version on the same root.
    func with(_ overlay: Overlay?, version: LSN) -> Snapshot {
        Snapshot(root: root, overlay: overlay, version: version, pages: pages, pin: pin)
    }

    /// The version of the root itself.
    var withoutOverlay: Snapshot {
        Snapshot(root: root, overlay: nil, version: root.superblock.lsn, pages: pages, pin: pin)
    }

    var catalog: Catalog { overlay?.catalog ?? root.catalog }

    /// The file as the user named it.
    package var path: String { pages.file.path }

    package var schema: Schema { catalog.schema }

    /// Changes whenever the schema does.
    package var schemaVersion: UInt64 { catalog.schemaVersion }

    /// What the program that gave the file its classes called their version.
    package var modelVersion: UInt64? { catalog.modelVersion }

    /// The objects of a class.
    package func table(_ id: ClassID) -> Table? {
        guard let record = catalog[id] else { return nil }
        return Table(
            record: record, overlay: overlay?.classes[id],
            directory: Directory(
                root: root.catalog[id]?.directory, schema: record.schema, pages: pages))
    }

    /// What was read from the file since it was opened, by everybody in this process.
    package var readCounts: ReadCounts { pages.counters.current }
}
