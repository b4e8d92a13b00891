import FirnCodec
import FirnPlatform
import FirnValues

/// A reader of a run, entry by entry.
///
/// The bytes are at addresses of their own, so that reading an entry counts no references. A copy shares
/// them, so only one of the copies may advance.
struct SortRunReader {
    /// Bytes at an address that does not change.
    private final class Memory {
        let bytes: UnsafeMutableRawBufferPointer

        init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 8) }

        deinit { bytes.deallocate() }
    }

    /// The size of two varints of lengths.
    private static let headByteCountMax = 20

    private let file: any File
    private var unread: Range<UInt64>
    private let readByteCount: Int
    private var memory: Memory
    /// The bytes in memory that were read.
    private var bytes: UnsafeRawBufferPointer
    /// The offset of the next entry.
    private var position = 0
    /// The key and the value of the current entry, until the reader advances.
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var value = UnsafeRawBufferPointer(start: nil, count: 0)

    init(file: any File, run: Range<UInt64>, readByteCount: Int) {
        self.file = file
        unread = run
        self.readByteCount = max(readByteCount, Self.headByteCountMax)
        memory = Memory(byteCount: 0)
        bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Advances to the next entry.
    ///
    /// - Returns: Whether there is one.
    mutating func advance() throws(StoreError) -> Bool {
        if bytes.count - position < Self.headByteCountMax { try fill(Self.headByteCountMax) }
        guard position < bytes.count else { return false }
        let lengths = try lengths()
        let byteCount = lengths.head + lengths.key + lengths.value
        if bytes.count - position < byteCount { try fill(byteCount) }
        guard bytes.count - position >= byteCount else { throw damaged }
        let start = position + lengths.head
        let end = start + lengths.key
        position += byteCount
        key = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        value = UnsafeRawBufferPointer(rebasing: bytes[end..<position])
        return true
    }

    private func lengths() throws(StoreError) -> (head: Int, key: Int, value: Int) {
        // Most lengths take one byte each.
        if bytes.count - position >= 2, bytes[position] < 0x80, bytes[position + 1] < 0x80 {
            return (2, Int(bytes[position]), Int(bytes[position + 1]))
        }
        do throws(CodecError) {
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            let key = try reader.count(max: TreeContent.entryByteCountMax)
            let value = try reader.count(max: TreeContent.entryByteCountMax)
            return (reader.offset, key, value)
        } catch {
            throw damaged
        }
    }

    /// Discards the consumed bytes and reads on, until a number of bytes is in memory or the run
    /// ends.
    private mutating func fill(_ byteCount: Int) throws(StoreError) {
        let rest = bytes.count - position
        let wanted = max(byteCount, readByteCount)
        let count = Int(min(UInt64(max(0, wanted - rest)), UInt64(unread.count)))
        let old = UnsafeRawBufferPointer(rebasing: bytes[position...])
        let target = wanted > memory.bytes.count ? Memory(byteCount: wanted) : memory
        if let start = target.bytes.baseAddress, let from = old.baseAddress {
            start.copyMemory(from: from, byteCount: rest)
        }
        let (file, offset) = (file, unread.lowerBound)
        let readCount = try attempt(
            file.read(
                at: offset,
                into: UnsafeMutableRawBufferPointer(rebasing: target.bytes[rest..<rest + count])),
            to: "read what was sorted")
        guard readCount == count else { throw damaged }
        unread = (offset + UInt64(count))..<unread.upperBound
        memory = target
        bytes = UnsafeRawBufferPointer(rebasing: target.bytes[..<(rest + count)])
        position = 0
    }

    private var damaged: StoreError {
        .corrupt(file.path, "a temporary file changed while it was read")
    }
}
