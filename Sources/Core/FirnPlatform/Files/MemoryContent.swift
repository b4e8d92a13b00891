import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A part of a file in memory: initially zeros, at a fixed address.
final class MemoryChunk: Sendable {
    /// The size of a chunk; it is large, since the system allocates pages only where something is
    /// written.
    static let byteCount = 1 << 20

    /// Accessed under the lock of the file, or by atomic calls.
    nonisolated(unsafe) let base: UnsafeMutableRawPointer

    /// - Returns: `nil` if there is no memory.
    init?() {
        guard let base = calloc(1, MemoryChunk.byteCount) else { return nil }
        self.base = base
    }

    deinit { free(base) }

    /// Returns a part of the memory.
    func bytes(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= MemoryChunk.byteCount)
        return UnsafeMutableRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }
}

/// The bytes of a file in memory; parts that were never written take no memory.
struct MemoryContent {
    /// A part of a transfer that lies in one chunk.
    private struct Part {
        let chunk: UInt64
        /// The bytes of the chunk.
        let range: Range<Int>
        /// The bytes of the caller's buffer.
        let bufferRange: Range<Int>
    }

    private var chunks: [UInt64: MemoryChunk] = [:]
    private(set) var size: UInt64 = 0

    /// - Returns: the number of bytes up to the end of the file.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset < size else { return 0 }
        let count = Int(min(UInt64(buffer.count), size - offset))
        for part in MemoryContent.parts(of: count, at: offset) {
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[part.bufferRange])
            if let chunk = chunks[part.chunk] {
                target.copyMemory(from: UnsafeRawBufferPointer(chunk.bytes(part.range)))
            } else {
                target.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        return count
    }

    /// - Returns: whether there was enough memory.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Bool {
        for part in MemoryContent.parts(of: bytes.count, at: offset) {
            guard let chunk = chunks[part.chunk] ?? MemoryChunk() else { return false }
            chunks[part.chunk] = chunk
            chunk.bytes(part.range).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[part.bufferRange]))
        }
        if !bytes.isEmpty { size = max(size, offset + UInt64(bytes.count)) }
        return true
    }

    mutating func truncate(to newSize: UInt64) {
        defer { size = newSize }
        guard newSize < size else { return }
        let (last, start) = MemoryContent.position(newSize)
        chunks = chunks.filter { $0.key < last || ($0.key == last && start > 0) }
        // An extension, and a mapping, read zeros.
        chunks[last]?.bytes(start..<MemoryChunk.byteCount)
            .initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Returns the first chunk, which contains a file that consists of shared words; `nil` if there
    /// is not enough memory.
    mutating func firstChunk() -> MemoryChunk? {
        let chunk = chunks[0] ?? MemoryChunk()
        chunks[0] = chunk
        return chunk
    }

    private static func parts(of count: Int, at offset: UInt64) -> [Part] {
        var parts: [Part] = []
        var done = 0
        while done < count {
            let (chunk, start) = position(offset + UInt64(done))
            let length = min(count - done, MemoryChunk.byteCount - start)
            parts.append(
                Part(chunk: chunk, range: start..<start + length, bufferRange: done..<done + length)
            )
            done += length
        }
        return parts
    }

    private static func position(_ offset: UInt64) -> (chunk: UInt64, start: Int) {
        let (chunk, start) = offset.quotientAndRemainder(
            dividingBy: UInt64(MemoryChunk.byteCount))
        return (chunk, Int(start))
    }
}
