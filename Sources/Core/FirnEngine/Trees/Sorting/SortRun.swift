import FirnCodec
import FirnPlatform
import FirnValues

/// A writer of a sorted run: per entry varint key bytes, varint value bytes, key, value.
struct SortRunWriter {
    private let file: any File
    /// The offset of the next bytes.
    private(set) var offset: UInt64
    private var buffer = ByteWriter()
    private static let bufferByteCount = 256 * 1024

    init(file: any File, offset: UInt64) {
        self.file = file
        self.offset = offset
    }

    mutating func append(
        key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
    ) throws(StoreError) {
        buffer.varint(UInt64(key.count))
        buffer.varint(UInt64(value.count))
        buffer.bytes(key)
        buffer.bytes(value)
        if buffer.count >= SortRunWriter.bufferByteCount { try flush() }
    }

    mutating func flush() throws(StoreError) {
        try attempt(file.write(buffer.bytes, at: offset), to: "write what is to be sorted")
        offset += UInt64(buffer.count)
        buffer.removeAll()
    }
}
