import FirnPlatform
import RealmFile

/// Bytes in memory that a test changes.
final class ChangingBytes: RandomAccess {
    var bytes: [UInt8]
    /// The bytes that a reader finds, if the file is cut off.
    var length: Int
    var size: UInt64 { UInt64(length) }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        length = bytes.count
    }

    func read(
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
