import FirnPlatform
import FirnValues

/// A window that reads a file from front to back in growing chunks that fit the cache of a core.
struct LogWindow: ~Copyable {
    private static let chunkByteCountMaximum = 128 << 10

    /// The size of the file at the first query; bytes after it are ignored from then on.
    private var measured: UInt64?
    private let file: any File
    private var buffer: UnsafeMutableRawBufferPointer
    /// The offset of the buffer in the file.
    private var start: UInt64 = 0
    private var count = 0
    private var chunkByteCount: Int

    /// - Parameter chunkByteCount: The size of the first chunk.
    init(_ file: any File, chunkByteCount: Int) {
        self.file = file
        self.chunkByteCount = chunkByteCount
        buffer = .allocate(byteCount: chunkByteCount, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Returns the size of the file in bytes.
    mutating func fileByteCount() throws(StoreError) -> UInt64 {
        if let measured { return measured }
        do throws(PlatformError) {
            let byteCount = try file.status().size
            measured = byteCount
            return byteCount
        } catch {
            throw StoreError(error, doing: "read the commit log")
        }
    }

    /// Returns a number of bytes at an offset, valid until the next call, or `nil` if the file is
    /// shorter.
    @inline(__always)
    mutating func bytes(
        at offset: UInt64, count wanted: Int
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        if offset >= start, offset - start <= UInt64(count),
            wanted <= count - Int(offset - start)
        {
            let index = Int(offset - start)
            return UnsafeRawBufferPointer(rebasing: buffer[index..<index + wanted])
        }
        return try refill(at: offset, count: wanted)
    }

    /// Returns the buffered bytes from an offset on, with a minimum count, valid until the next
    /// call.
    mutating func run(
        at offset: UInt64, atLeast wanted: Int
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        guard try bytes(at: offset, count: wanted) != nil else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[Int(offset - start)..<count])
    }

    /// Discards the buffer, so that the next access reads the file again.
    mutating func forget() { count = 0 }

    private mutating func refill(
        at offset: UInt64, count wanted: Int
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        var most = chunkByteCount
        if wanted > buffer.count || measured != nil {
            // The size is checked before memory is allocated.
            let fileByteCount = try self.fileByteCount()
            guard offset <= fileByteCount, UInt64(wanted) <= fileByteCount - offset else {
                return nil
            }
            most = Int(min(UInt64(max(wanted, chunkByteCount)), fileByteCount - offset))
        }
        if most > buffer.count {
            buffer.deallocate()
            buffer = .allocate(byteCount: most, alignment: 16)
        }
        chunkByteCount = min(chunkByteCount * 4, LogWindow.chunkByteCountMaximum)
        do throws(PlatformError) {
            count = 0
            start = offset
            count = try file.read(
                at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<most]))
        } catch {
            throw StoreError(error, doing: "read the commit log")
        }
        guard count >= wanted else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[..<wanted])
    }
}
