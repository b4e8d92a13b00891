import FirnValues

/// Reads the newest committed state of a Realm file.
///
/// Nothing is written, and memory is bounded by a page cache. The reader serves one thread.
///
///     let reader = try RealmReader(FileAccessor(file))
///     for realmClass in reader.classes {
///         let objects = reader.objects(of: realmClass)
///         while let cluster = try objects.next() {
///             let column = try reader.column(realmClass.columns[0], in: cluster)
///             for row in cluster.keys.indices { print(try reader.value(column, row)) }
///         }
///     }
package final class RealmReader {
    package let formatVersion: UInt8
    /// The classes in the order of their tables.
    package let classes: [RealmClass]
    /// The number with which the app versions its classes, if it does.
    package let schemaVersion: Int64?
    package let isEncrypted: Bool

    private let file: any RandomAccess
    /// The first bytes of the file at the opening.
    private let beginning: [UInt8]
    let nodes: NodeReader
    let context: LeafContext
    /// Whether dictionaries are pairs of trees, as they are from format 23 on.
    var hasPairedDictionaries: Bool { formatVersion >= RealmReader.pairedDictionaries }
    private static let pairedDictionaries: UInt8 = 23
    /// The distinct texts of enumerated columns by their positions.
    private var enumeratedTexts: [UInt64: TextLeaf] = [:]

    /// Opens a file.
    ///
    /// - Parameter key: the 64 bytes of the key of an encrypted file; ignored for any other file.
    package init(_ file: any RandomAccess, key: [UInt8]? = nil) throws(RealmFileError) {
        self.file = file
        let content = try RealmReader.content(of: file, key)
        isEncrypted = content.isEncrypted
        beginning = content.beginning
        nodes = NodeReader(content.pages)
        guard file.size > 0 else {
            formatVersion = 0
            classes = []
            schemaVersion = nil
            context = LeafContext(nodes: nodes, classIndices: [:])
            return
        }
        let header = try FileHeader(content.pages)
        formatVersion = header.version
        let schema = try SchemaReader(
            nodes, top: header.top,
            hasKeyTypes: header.version >= RealmReader.pairedDictionaries)
        classes = schema.classes
        schemaVersion = schema.schemaVersion
        context = LeafContext(
            nodes: nodes,
            classIndices: Dictionary(
                uniqueKeysWithValues: schema.classes.enumerated().map { ($1.tableKey, $0) }))
    }

    /// Returns whether bytes from the beginning of a file belong to a Realm that is not encrypted.
    package static func isRealm(_ bytes: [UInt8]) -> Bool {
        bytes.count >= FileHeader.byteCount && Array(bytes[16..<20]) == Array("T-DB".utf8)
    }

    /// Returns whether a file has the form of an encrypted Realm.
    package static func looksEncrypted(_ file: any RandomAccess) throws(RealmFileError) -> Bool {
        try EncryptedPages.looksEncrypted(file)
    }

    /// Throws if the file was changed since it was opened.
    ///
    /// The first commit after the opening leaves the state that is read as it is; later ones
    /// overwrite it.
    ///
    /// - Parameter original: the file of which the opened one is a copy.
    package func checkUnchanged(
        in original: (any RandomAccess)? = nil
    ) throws(RealmFileError) {
        guard !beginning.isEmpty else { return }
        let now = try (original ?? file).bytes(at: 0, count: beginning.count)
        guard now.array == beginning else {
            throw RealmFileError(.inUse, "another process changed the file while it was read")
        }
    }

    private static func content(
        of file: any RandomAccess, _ key: [UInt8]?
    ) throws(RealmFileError) -> (pages: PageCache, isEncrypted: Bool, beginning: [UInt8]) {
        let size = file.size
        guard size > 0 else { return (PageCache(PlainPages(file)), false, []) }
        guard size >= UInt64(FileHeader.byteCount) else {
            throw RealmFileError(.notRealm, "the file has \(size) bytes; a Realm has at least 24")
        }
        let start = try file.bytes(at: 0, count: FileHeader.byteCount)
        if FileHeader.isMarked(start) {
            return (PageCache(PlainPages(file)), false, start.array)
        }
        guard let key else {
            guard try EncryptedPages.looksEncrypted(file) else {
                throw RealmFileError(.notRealm, "this is not a Realm file")
            }
            throw RealmFileError(.keyNeeded, "the file is encrypted")
        }
        let pages = PageCache(try EncryptedPages(file, key: key))
        // The authentication code covers the second half of the key; the first decrypts.
        let decrypted = try pages.bytes(at: 0, count: FileHeader.byteCount)
        guard FileHeader.isMarked(decrypted) else {
            throw RealmFileError(.wrongKey, "the key is not the key of this file")
        }
        let codes = try file.bytes(at: 0, count: 64)
        return (pages, true, codes.array)
    }

    // MARK: Objects

    /// Returns a cursor over the objects of a class, in the order of their keys.
    package func objects(of realmClass: RealmClass) -> RealmObjects {
        nodes.beginScan()
        return RealmObjects(realmClass, nodes)
    }

    /// Returns the distinct texts of an enumerated column.
    func texts(of column: RealmColumn) throws(RealmFileError) -> TextLeaf? {
        guard let position = column.enumerated else { return nil }
        if let known = enumeratedTexts[position] { return known }
        let texts = try TextLeaf(try nodes.node(at: position), isText: true, nodes)
        enumeratedTexts[position] = texts
        return texts
    }
}

/// The objects of a class, a cluster at a time.
package final class RealmObjects {
    private let cursor: ClusterCursor?
    private let realmClass: RealmClass
    private var visited: UInt64 = 0

    init(_ realmClass: RealmClass, _ nodes: NodeReader) {
        self.realmClass = realmClass
        cursor = realmClass.root.map { ClusterCursor($0, nodes) }
    }

    /// Returns the next objects; `nil` after the last ones.
    package func next() throws(RealmFileError) -> Cluster? {
        guard let cursor else { return nil }
        while let cluster = try cursor.next() {
            visited += UInt64(cluster.keys.count)
            if !cluster.keys.isEmpty { return cluster }
        }
        guard visited == realmClass.objectCount else {
            throw .damaged(
                "\(realmClass.name) has \(visited) objects, and should have "
                    + "\(realmClass.objectCount)", at: realmClass.root ?? 0)
        }
        return nil
    }
}
