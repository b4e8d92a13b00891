import FirnPlatform
import FirnValues

/// Reads the bytes of one column of a row group in order, with a buffer.
struct ChunkInput {
    private static let bufferBytes = 64 << 10

    private let file: any File
    /// The offset of the next byte of the file that is not in the buffer.
    private var position: UInt64
    private let end: UInt64
    private var block = ByteBlock(capacity: 0)
    /// The next byte in the buffer.
    private var start = 0

    init(_ file: any File, from position: UInt64, byteCount: UInt64) {
        self.file = file
        self.position = position
        end = position + byteCount
    }

    /// The number of bytes that have not been taken yet.
    var remaining: Int { Int(clamping: end - position) + block.count - start }

    /// Makes sure that a number of bytes is in the buffer, if the column has that many.
    private mutating func fill(_ byteCount: Int) throws(ColumnarError) {
        let kept = block.count - start
        guard kept < byteCount else { return }
        let wanted = min(remaining, max(byteCount, Self.bufferBytes))
        let larger = ByteBlock(capacity: wanted)
        larger.base.copyMemory(from: block.base + start, byteCount: kept)
        let count: Int
        do {
            let target = UnsafeMutableRawBufferPointer(rebasing: larger.writable[kept...])
            count = try file.read(at: position, into: target)
        } catch { throw ColumnarError(error) }
        guard count == wanted - kept else { throw .damaged("the file ends inside the column") }
        position += UInt64(count)
        block = larger
        start = 0
    }

    /// Reads the header of a page.
    mutating func header() throws(ColumnarError) -> ParquetPageHeader {
        var wanted = 4096
        while true {
            try fill(wanted)
            var cursor = ByteCursor(block)
            try cursor.skip(start)
            let available = cursor.count
            var reader = ThriftReader(cursor)
            do {
                let header = try ParquetPageHeader(&reader)
                start = block.count - reader.cursor.count
                return header
            } catch {
                // The header has statistics of any size, and is longer than the buffer.
                guard available < remaining else { throw error }
                wanted = available * 4
            }
        }
    }

    /// Takes bytes, which are valid until the next call.
    mutating func take(_ byteCount: Int) throws(ColumnarError) -> ByteCursor {
        guard byteCount <= remaining else {
            throw .damaged("a page of \(byteCount) bytes is in \(remaining) bytes")
        }
        try fill(byteCount)
        var cursor = ByteCursor(block)
        try cursor.skip(start)
        start += byteCount
        return try cursor.take(byteCount)
    }
}
