import FirnPlatform
import FirnValues

/// The decrypted content of a file in pages.
protocol PageProvider: AnyObject {
    /// The size of the decrypted content.
    var size: UInt64 { get }
    /// The unit in which the cache reads.
    var pageSize: Int { get }

    /// Fills a buffer from an offset that is a multiple of ``pageSize``.
    ///
    /// The range lies inside the content.
    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError)
}

/// The pages of a file that is not encrypted.
final class PlainPages: PageProvider {
    private let file: any RandomAccess
    let size: UInt64
    let pageSize = 1 << 16

    init(_ file: any RandomAccess) {
        self.file = file
        size = file.size
    }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError) {
        try file.readAll(at: offset, into: buffer)
    }
}

extension RandomAccess {
    /// Fills a buffer.
    func readAll(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(RealmFileError) {
        let count: Int
        do { count = try read(at: offset, into: buffer) } catch {
            throw RealmFileError(.unreadable, "cannot read the file", at: offset, cause: error)
        }
        guard count == buffer.count else {
            throw RealmFileError(
                .inUse, "the file became shorter while it was read", at: offset + UInt64(count))
        }
    }

    /// Returns a range of bytes.
    func bytes(at offset: UInt64, count: Int) throws(RealmFileError) -> ByteSlice {
        let buffer = PageBuffer(count: count)
        try readAll(at: offset, into: buffer.bytes)
        return ByteSlice(buffer)
    }
}
