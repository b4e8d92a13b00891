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
        let key = PageCache.Key(start: reference.start, checksum: reference.checksum)
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

    /// A node of a row group directory.
    func node(_ reference: PageReference, schema: ClassSchema) throws(StoreError) -> DirectoryNode {
        let key = PageCache.Key(start: reference.start, checksum: reference.checksum)
        if case .node(let node)? = cache.entry(for: key) { return node }
        let raw = try blob(reference, context: "row group directory of \(schema.name)")
        let node: DirectoryNode
        do throws(CodecError) {
            node = try DirectoryNode(decoding: raw)
        } catch {
            throw damaged("row group directory of \(schema.name)", reference, error)
        }
        cache.insert(.node(node), for: key, byteCount: node.memoryByteCount)
        return node
    }

    /// The rows of the groups of a directory leaf.
    ///
    /// A leaf that is not in the cache does not come into it.
    func rowRanges(
        _ reference: PageReference, schema: ClassSchema
    ) throws(StoreError) -> [RowRange] {
        let key = PageCache.Key(start: reference.start, checksum: reference.checksum)
        if case .node(let node)? = cache.entry(for: key), case .groups(let groups) = node.content {
            return groups.map { RowRange($0) }
        }
        let context = "row group directory of \(schema.name)"
        let raw = try blob(reference, context: context)
        do throws(CodecError) {
            return try RowRange.ranges(of: raw)
        } catch {
            throw damaged(context, reference, error)
        }
    }

    /// A node of a counted tree.
    ///
    /// - Parameter context: what the tree is, for the error if it is damaged.
    func treeNode(
        _ reference: PageReference, context: String
    ) throws(StoreError) -> TreeNode {
        let key = PageCache.Key(start: reference.start, checksum: reference.checksum)
        if case .treeNode(let node)? = cache.entry(for: key) { return node }
        let raw = try blob(reference, context: context)
        let node: TreeNode
        do throws(CodecError) {
            node = try TreeNode(decoding: raw)
        } catch {
            throw damaged(context, reference, error)
        }
        cache.insert(.treeNode(node), for: key, byteCount: node.memoryByteCount)
        return node
    }

    /// What the lengths of collections mean.
    ///
    /// - Parameter make: reads them, if they are not in the cache.
    func lengths(
        _ reference: PageReference, _ make: () throws(StoreError) -> CollectionLengths?
    ) throws(StoreError) -> CollectionLengths? {
        // The page itself has the key without the highest bit, which no place in a file has.
        let key = PageCache.Key(
            start: reference.start | 1 << 63, checksum: reference.checksum)
        if case .lengths(let lengths)? = cache.entry(for: key) { return lengths }
        guard let lengths = try make() else { return nil }
        cache.insert(.lengths(lengths), for: key, byteCount: lengths.memoryByteCount)
        return lengths
    }

    /// The delete marks of a row group.
    func mask(
        _ reference: PageReference, rowCount: Int, schema: ClassSchema
    ) throws(StoreError) -> Bitmap {
        let key = PageCache.Key(start: reference.start, checksum: reference.checksum)
        if case .mask(let mask)? = cache.entry(for: key), mask.count == rowCount { return mask }
        let raw = try blob(reference, context: "delete marks of \(schema.name)")
        guard let mask = Bitmap(storedBytes: raw, count: rowCount) else {
            throw damaged(
                "delete marks of \(schema.name)", reference,
                CodecError(.corrupt, "not one bit per row"))
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

    private func damaged(
        _ context: String, _ reference: PageReference, _ error: CodecError
    ) -> StoreError {
        .corrupt(file.path, "the \(context) at byte \(reference.byteOffset): \(error.reason)")
    }
}
