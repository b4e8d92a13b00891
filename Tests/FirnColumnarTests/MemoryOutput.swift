import FirnColumnar
import FirnPlatform

/// Collects what a writer writes.
final class MemoryOutput: ColumnarSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        self.bytes.append(contentsOf: bytes)
    }

    /// Returns the bytes as a file.
    func file() throws -> any File { try Self.file(bytes) }

    static func file(_ bytes: [UInt8]) throws -> any File {
        let file = try MemoryFileSystem().open("table", .createNew)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }
}

/// Copies a table in batches.
func copy(
    _ reader: any ColumnarReader, to writer: any ColumnarWriter
) throws(ColumnarError) {
    while let batch = try reader.next() { try writer.write(batch) }
    try writer.finish()
}
