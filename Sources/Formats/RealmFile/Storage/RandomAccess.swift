package import FirnPlatform
import FirnValues

/// The bytes of a file, read at any offset.
package protocol RandomAccess: AnyObject {
    var size: UInt64 { get }

    /// Reads until the buffer is full or the bytes end, and returns the number of bytes read.
    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int
}

/// The bytes of an open file.
package final class FileAccessor: RandomAccess {
    private let file: any File
    package let size: UInt64

    package init(_ file: any File) throws(PlatformError) {
        self.file = file
        size = try file.status().size
    }

    package func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        try file.read(at: offset, into: buffer)
    }
}

/// Bytes in memory, such as a part of an archive.
package final class MemoryAccessor: RandomAccess {
    private let bytes: [UInt8]
    package var size: UInt64 { UInt64(bytes.count) }

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        guard offset < size else { return 0 }
        let start = Int(offset)
        let count = min(buffer.count, bytes.count - start)
        bytes.withUnsafeBytes { source in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + count]))
        }
        return count
    }
}
