import FirnCodec
import FirnPlatform
import FirnValues

/// The reader of pages: cache, `pread`, checksum, decoding.
///
/// Only compaction reads pages without it, and copies the bytes of a page that moves.
final class PageStore: Sendable {
    let file: any File
    let fileID: UUID
    /// The system, for temporary files of statements on a snapshot.
    let services: SystemServices
    /// See ``StoreOptions/statementByteCount``.
    let statementByteCount: Int
    let counters = ReadCounters()
    /// The size up to which pages are read without a query of the file size.
    private static let uncheckedByteCount = 1024 * 1024
    private let cache: PageCache
    private let memory = MemoryArena()

    init(file: any File, fileID: UUID, services: SystemServices, options: StoreOptions) {
        self.file = file
        self.fileID = fileID
        self.services = services
        statementByteCount = options.statementByteCount
        cache = PageCache(byteBudget: options.cacheByteBudget)
    }

    /// Removes all decoded pages from memory.
    func emptyCache() {
        cache.removeAll()
        memory.trim()
    }

    /// Returns a decoded column page.
    ///
    /// - Parameter context: A description of the page, for the error if it is damaged.
    func column(
        _ reference: PageReference, kind: ValueTag, rowCount: Int,
        context: @autoclosure () -> String
    ) throws(StoreError) -> ColumnPage {
        let key = PageStore.key(reference)
        if case .column(let page)? = cache.entry(for: key),
            page.kind == kind, page.rowCount == rowCount
        {
            return page
        }
        let page = try read(reference, context()) { bytes throws(CodecError) in
            try ColumnPage.decode(
                bytes, kind: kind, rowCount: rowCount,
                seed: PageReference.seed(fileID: fileID, start: reference.start),
                headByteCount: Int(reference.headByteCount), headChecksum: reference.checksum,
                memory: memory)
        }
        counters.add(storedBytes: Int(reference.byteCount), decodedBytes: page.memoryByteCount)
        cache.insert(.column(page), for: key, byteCount: page.memoryByteCount)
        return page
    }

    /// Appends a few rows of a column page, unless it is in the cache or should be.
    ///
    /// - Parameter context: A description of the page, for the error if it is damaged.
    /// - Returns: Whether the rows were appended. The first request for a page appends them, a second
    ///   one has the page decoded, and in the cache.
    func pick(
        _ rows: [UInt32], of reference: PageReference, kind: ValueTag, rowCount: Int,
        with picker: PagePicker, to vector: inout ColumnVector, context: @autoclosure () -> String
    ) throws(StoreError) -> Bool {
        guard cache.isFirstRequest(for: PageStore.key(reference)) else { return false }
        let decoded = try read(reference, context()) { bytes throws(CodecError) in
            try picker.append(
                rows, of: bytes, kind: kind, rowCount: rowCount,
                seed: PageReference.seed(fileID: fileID, start: reference.start),
                headByteCount: Int(reference.headByteCount), headChecksum: reference.checksum,
                to: &vector)
        }
        guard let decoded else { return false }
        counters.add(storedBytes: Int(reference.byteCount), decodedBytes: decoded)
        return true
    }

    /// Returns a node of a tree of pages.
    ///
    /// - Parameter context: A description of the tree, for the error if it is damaged.
    func node<Node: PageNode>(
        _ reference: PageReference, context: @autoclosure () -> String
    ) throws(StoreError) -> Node {
        if let node: Node = cachedNode(reference) { return node }
        let raw = try blob(reference, context: context())
        let node = try decoding(Node(decoding: raw)) { damaged(context(), reference, $0) }
        cache.insert(
            .object(node), for: PageStore.key(reference), byteCount: node.memoryByteCount)
        return node
    }

    /// Returns a node of a tree of pages, if it is in the cache.
    func cachedNode<Node: PageNode>(_ reference: PageReference) -> Node? {
        cachedObject(for: PageStore.key(reference))
    }

    /// Returns an object other than a node that is built from a page.
    ///
    /// - Parameter make: Builds the object, if it is not in the cache.
    func object<Object: CachedObject>(
        of reference: PageReference, _ make: () throws(StoreError) -> Object?
    ) throws(StoreError) -> Object? {
        // The page itself has the key without the highest bit, which is never set in a location.
        let key = PageCache.Key(
            start: reference.start | 1 << 63, checksum: reference.checksum)
        if let object: Object = cachedObject(for: key) { return object }
        guard let object = try make() else { return nil }
        cache.insert(.object(object), for: key, byteCount: object.memoryByteCount)
        return object
    }

    private func cachedObject<Object: CachedObject>(for key: PageCache.Key) -> Object? {
        if case .object(let object)? = cache.entry(for: key) { object as? Object } else { nil }
    }

    private static func key(_ reference: PageReference) -> PageCache.Key {
        PageCache.Key(start: reference.start, checksum: reference.checksum)
    }

    /// Returns a bit mask, such as the delete marks of a row group.
    ///
    /// - Parameter context: A description of the mask, for the error if it is damaged.
    func mask(
        _ reference: PageReference, bitCount: Int, context: @autoclosure () -> String
    ) throws(StoreError) -> Bitmap {
        let key = PageStore.key(reference)
        if case .mask(let mask)? = cache.entry(for: key), mask.count == bitCount { return mask }
        let raw = try blob(reference, context: context())
        guard let mask = Bitmap(storedBytes: raw, count: bitCount) else {
            throw damaged(context(), reference, CodecError(.corrupt, "not one bit per row"))
        }
        cache.insert(.mask(mask), for: key, byteCount: raw.count + 64)
        return mask
    }

    /// Returns the raw bytes of a blob, which is not cached.
    func blob(
        _ reference: PageReference, context: @autoclosure () -> String
    ) throws(StoreError) -> [UInt8] {
        let raw = try read(reference, context()) { bytes throws(CodecError) -> [UInt8] in
            try verify(bytes, reference)
            return try Blob.decode(bytes)
        }
        counters.add(storedBytes: Int(reference.byteCount), decodedBytes: raw.count)
        return raw
    }

    /// Returns bytes stored without encoding, such as the free space; they are not cached.
    func plainBytes(
        _ reference: PageReference, context: @autoclosure () -> String
    ) throws(StoreError) -> [UInt8] {
        try read(reference, context()) { bytes throws(CodecError) -> [UInt8] in
            try verify(bytes, reference)
            return Array(bytes)
        }
    }

    private func verify(
        _ bytes: UnsafeRawBufferPointer, _ reference: PageReference
    ) throws(CodecError) {
        let seed = PageReference.seed(fileID: fileID, start: reference.start)
        guard reference.headByteCount == reference.byteCount,
            Checksum.xxh64(bytes, seed: seed) == reference.checksum
        else { throw CodecError(.corrupt, "checksum does not match", at: 0) }
    }

    /// Reads the stored bytes and decodes them.
    private func read<Result>(
        _ reference: PageReference, _ context: @autoclosure () -> String,
        _ decode: (UnsafeRawBufferPointer) throws(CodecError) -> Result
    ) throws(StoreError) -> Result {
        let byteCount = Int(reference.byteCount)
        try checkClaim(reference, context())
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        defer { buffer.deallocate() }
        let readCount = try attempt(
            file.read(at: reference.byteOffset, into: buffer), to: "read the \(context())")
        guard readCount == byteCount else {
            throw damaged(
                context(), reference, CodecError(.corrupt, "the file ends inside", at: readCount))
        }
        return try decoding(decode(UnsafeRawBufferPointer(buffer))) {
            damaged(context(), reference, $0)
        }
    }

    /// Checks that the file is large enough for a large page before memory is allocated.
    private func checkClaim(
        _ reference: PageReference, _ context: @autoclosure () -> String
    ) throws(StoreError) {
        guard reference.byteCount > PageStore.uncheckedByteCount else { return }
        let size = try attempt(file.status().size, to: "find the size of the database")
        guard reference.byteOffset + UInt64(reference.byteCount) <= size,
            Int(reference.byteCount) <= 2 * CodecLimits.pageRawBytesMax
        else {
            throw damaged(
                context(), reference,
                CodecError(.corrupt, "claims \(reference.byteCount) bytes"))
        }
    }

    func damaged(
        _ context: String, _ reference: PageReference, _ error: CodecError
    ) -> StoreError {
        .corrupt(file.path, "the \(context) at byte \(reference.byteOffset): \(error.reason)")
    }
}

extension MemoryArena: PageAllocator {}

/// The amount read from the file since it was opened; a query reports the difference.
package struct ReadCounts: Hashable, Sendable {
    /// The number of pages that were read from the file, decoded and verified.
    package var pages = 0
    /// The stored size of those pages in bytes.
    package var storedBytes: UInt64 = 0
    /// The decoded size of those pages in bytes.
    package var decodedBytes: UInt64 = 0

    package init() {}
}

/// The counters for the reads of all threads.
final class ReadCounters: Sendable {
    private let counts = Guarded(ReadCounts())

    func add(storedBytes: Int, decodedBytes: Int) {
        counts.withLock { counts in
            counts.pages += 1
            counts.storedBytes += UInt64(storedBytes)
            counts.decodedBytes += UInt64(decodedBytes)
        }
    }

    var current: ReadCounts { counts.withLock { $0 } }
}
