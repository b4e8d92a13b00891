package import FirnPlatform
import RealmFile

/// Bytes in memory that a test changes.
package final class ChangingBytes: RandomAccess {
    package var bytes: [UInt8]
    /// The bytes that a reader finds, if the file is cut off.
    package var length: Int
    package var size: UInt64 { UInt64(length) }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        length = bytes.count
    }

    package func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        guard offset < size else { return 0 }
        let start = Int(offset)
        let count = min(buffer.count, length - start)
        bytes.withUnsafeBytes { source in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + count]))
        }
        return count
    }
}
