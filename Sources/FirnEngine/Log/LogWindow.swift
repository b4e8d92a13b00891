import FirnPlatform
import FirnValues

/// Reads a file from front to back in pieces that become larger, but stay in the cache of a core.
struct LogWindow: ~Copyable {
    private static let chunkByteCountMaximum = 128 << 10

    /// Of the file when it was asked for first; nothing behind it is looked at from then on.
    private var measured: UInt64?
    private let file: any File
    private var buffer: UnsafeMutableRawBufferPointer
    /// Where the bytes of the buffer stand in the file.
    private var start: UInt64 = 0
    private var count = 0
    private var chunkByteCount: Int

    /// - Parameter chunkByteCount: of the first piece.
    init(_ file: any File, chunkByteCount: Int) {
        self.file = file
        self.chunkByteCount = chunkByteCount
        buffer = .allocate(byteCount: chunkByteCount, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The bytes of the file.
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

    /// So many bytes at an offset, until the next call; `nil` if the file ends before.
    @inline(__always)
    mutating func bytes(
        at offset: UInt64, count wanted: Int
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        if offset >= start, offset - start <= UInt64(count),
            wanted <= count - Int(offset - start)
        {
            let place = Int(offset - start)
            return UnsafeRawBufferPointer(rebasing: buffer[place..<place + wanted])
        }
        return try refill(at: offset, count: wanted)
    }

    /// The bytes at an offset that are at hand, at least so many, until the next call.
    mutating func run(
        at offset: UInt64, atLeast wanted: Int
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        guard try bytes(at: offset, count: wanted) != nil else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[Int(offset - start)..<count])
    }

    /// Reads anew from now on.
    mutating func forget() { count = 0 }

    private mutating func refill(
        at offset: UInt64, count wanted: Int
    ) throws(StoreError) -> UnsafeRawBufferPointer? {
        var most = chunkByteCount
        if wanted > buffer.count || measured != nil {
            // Before memory is taken: what the file does not have is not asked for.
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
