import FirnCodec
import FirnPlatform
import FirnValues

/// Reads pages: cache, `pread`, checksum, decode.
///
/// The only reader of the file besides the superblock.
final class PageStore: Sendable {
    let file: any File
    let fileID: UUID
    let counters = ReadCounters()
    /// Pages up to this size are read without asking how large the file is.
    private static let uncheckedByteCount = 1024 * 1024
    private let cache: PageCache

    init(file: any File, fileID: UUID, cacheByteBudget: Int) {
        self.file = file
        self.fileID = fileID
        cache = PageCache(byteBudget: cacheByteBudget)
    }

    /// A column page, decoded.
    ///
    /// - Parameter context: what the page is, for the error if it is damaged.
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
                headByteCount: Int(reference.headByteCount), headChecksum: reference.checksum)
        }
        counters.add(storedBytes: Int(reference.byteCount), decodedBytes: page.memoryByteCount)
        cache.insert(.column(page), for: key, byteCount: page.memoryByteCount)
        return page
    }

    /// A node of a tree of pages.
    ///
    /// - Parameter context: what the tree is, for the error if it is damaged.
    func node<Node: PageNode>(
        _ reference: PageReference, context: @autoclosure () -> String
    ) throws(StoreError) -> Node {
        if let node: Node = cachedNode(reference) { return node }
        let raw = try blob(reference, context: context())
        let node: Node
        do throws(CodecError) {
            node = try Node(decoding: raw)
        } catch {
            throw damaged(context(), reference, error)
        }
        cache.insert(
            .object(node), for: PageStore.key(reference), byteCount: node.memoryByteCount)
        return node
    }

    /// A node of a tree of pages, if it is in the cache.
    func cachedNode<Node: PageNode>(_ reference: PageReference) -> Node? {
        cachedObject(for: PageStore.key(reference))
    }

    /// An object other than a node that is made from a page.
    ///
    /// - Parameter make: makes the object, if it is not in the cache.
    func object<Object: CachedObject>(
        of reference: PageReference, _ make: () throws(StoreError) -> Object?
    ) throws(StoreError) -> Object? {
        // The page itself has the key without the highest bit, which no place in a file has.
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

    /// A bit mask, such as the delete marks of a row group.
    ///
    /// - Parameter context: what the mask is, for the error if it is damaged.
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

    /// The raw bytes of a blob; not cached.
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

    /// Bytes that were stored as they are, such as the free space; not cached.
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
        let readCount: Int
        do throws(PlatformError) {
            readCount = try file.read(at: reference.byteOffset, into: buffer)
        } catch {
            throw StoreError(error, doing: "read the \(context())")
        }
        guard readCount == byteCount else {
            throw damaged(
                context(), reference, CodecError(.corrupt, "the file ends inside", at: readCount))
        }
        do throws(CodecError) {
            return try decode(UnsafeRawBufferPointer(buffer))
        } catch {
            throw damaged(context(), reference, error)
        }
    }

    /// Before memory is taken for a large page, the file must be large enough to hold it.
    private func checkClaim(
        _ reference: PageReference, _ context: @autoclosure () -> String
    ) throws(StoreError) {
        guard reference.byteCount > PageStore.uncheckedByteCount else { return }
        let size: UInt64
        do throws(PlatformError) {
            size = try file.status().size
        } catch {
            throw StoreError(error, doing: "find the size of the database")
        }
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
