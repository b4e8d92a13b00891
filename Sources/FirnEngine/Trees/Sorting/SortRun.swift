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

/// A reader of a run, entry by entry.
struct SortRunReader {
    private let file: any File
    private var unread: Range<UInt64>
    private let readByteCount: Int
    private var buffer: [UInt8] = []
    /// The offset of the next entry in the buffer.
    private var position = 0
    private var key = 0..<0
    private var value = 0..<0
    /// The size of two varints of lengths.
    private static let headByteCountMax = 20

    init(file: any File, run: Range<UInt64>, readByteCount: Int) {
        self.file = file
        unread = run
        self.readByteCount = readByteCount
    }

    /// Advances to the next entry.
    ///
    /// - Returns: Whether there is one.
    mutating func advance() throws(StoreError) -> Bool {
        if buffer.count - position < SortRunReader.headByteCountMax {
            try fill(SortRunReader.headByteCountMax)
        }
        guard position < buffer.count else { return false }
        let lengths = try lengths()
        let byteCount = lengths.head + lengths.key + lengths.value
        if buffer.count - position < byteCount { try fill(byteCount) }
        guard buffer.count - position >= byteCount else { throw damaged }
        let start = position + lengths.head
        key = start..<(start + lengths.key)
        value = key.upperBound..<(key.upperBound + lengths.value)
        position = value.upperBound
        return true
    }

    /// Passes the bytes of the current entry to a closure.
    func withEntry<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (key, value) = (key, value)
        return try buffer.withBytes { bytes throws(Failure) in
            try body(
                UnsafeRawBufferPointer(rebasing: bytes[key]),
                UnsafeRawBufferPointer(rebasing: bytes[value]))
        }
    }

    private func lengths() throws(StoreError) -> (head: Int, key: Int, value: Int) {
        do throws(CodecError) {
            return try buffer.withBytes { bytes throws(CodecError) in
                var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                let key = try reader.count(max: TreeContent.entryByteCountMax)
                let value = try reader.count(max: TreeContent.entryByteCountMax)
                return (reader.offset, key, value)
            }
        } catch {
            throw damaged
        }
    }

    /// Discards the consumed bytes and reads on, until a number of bytes is buffered or the run
    /// ends.
    private mutating func fill(_ byteCount: Int) throws(StoreError) {
        buffer.removeSubrange(..<position)
        position = 0
        let wanted = max(byteCount, readByteCount) - buffer.count
        let count = Int(min(UInt64(max(0, wanted)), UInt64(unread.count)))
        guard count > 0 else { return }
        let old = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: count))
        let (file, offset) = (file, unread.lowerBound)
        let readCount = try attempt(
            buffer.withUnsafeMutableBufferPointer { bytes throws(PlatformError) in
                try file.read(
                    at: offset,
                    into: UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: bytes[old...])))
            }, to: "read what was sorted")
        guard readCount == count else { throw damaged }
        unread = (offset + UInt64(count))..<unread.upperBound
    }

    private var damaged: StoreError {
        .corrupt(file.path, "a temporary file changed while it was read")
    }
}
