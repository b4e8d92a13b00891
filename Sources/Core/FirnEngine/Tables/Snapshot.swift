import FirnPlatform
package import FirnValues
import HashTreeCollections

/// A loaded durable root: the superblock and its catalog.
final class Root: Sendable {
    let superblock: Superblock
    let catalog: Catalog

    init(superblock: Superblock, catalog: Catalog) {
        self.superblock = superblock
        self.catalog = catalog
    }
}

/// One version of a database: a root and the changes since then.
///
/// It is immutable, and its space is not reused while it lives.
package struct Snapshot: Sendable {
    let root: Root
    let overlay: Overlay?
    let pages: PageStore
    /// The number of the commit that made this version.
    package let version: LSN
    /// The hash of that commit, which distinguishes the version from one with the same number in
    /// another history of the file.
    package let chain: ChainHash
    /// The pin that keeps the root readable.
    private let pin: RootPin

    init(
        root: Root, overlay: Overlay?, version: LSN, chain: ChainHash, pages: PageStore,
        pin: RootPin
    ) {
        self.root = root
        self.overlay = overlay?.sealed()
        self.version = version
        self.chain = chain
        self.pages = pages
        self.pin = pin
    }

    /// Creates the version of a root itself.
    init(of root: Root, pages: PageStore, pin: RootPin) {
        self.init(
            root: root, overlay: nil, version: root.superblock.lsn, chain: root.superblock.chain,
            pages: pages, pin: pin)
    }

    /// Returns the same root with other changes.
    func with(_ overlay: Overlay) -> Snapshot { with(overlay, version: version, chain: chain) }

    /// Returns a newer version on the same root.
    func with(_ overlay: Overlay?, version: LSN, chain: ChainHash) -> Snapshot {
        Snapshot(
            root: root, overlay: overlay, version: version, chain: chain, pages: pages, pin: pin)
    }

    /// The version of the root itself.
    var withoutOverlay: Snapshot { Snapshot(of: root, pages: pages, pin: pin) }

    var catalog: Catalog { overlay?.catalog ?? root.catalog }

    /// The file as the user named it.
    package var path: String { pages.file.path }

    package var schema: Schema { catalog.schema }

    /// A number that changes whenever the schema does.
    package var schemaVersion: UInt64 { catalog.schemaVersion }

    /// The version number that the program gave to its classes.
    package var modelVersion: UInt64? { catalog.modelVersion }

    /// Returns the objects of a class.
    package func table(_ id: ClassID) -> Table? {
        guard let record = catalog[id] else { return nil }
        return Table(
            record: record, overlay: overlay?.classes[id],
            directory: Directory(
                root: root.catalog[id]?.directory, schema: record.schema, pages: pages))
    }

    /// The amount read from the file since it was opened, by all readers of this store.
    package var readCounts: ReadCounts { pages.counters.current }
}
