package import FirnPlatform
package import FirnText
import FirnValues

/// Cuts a text into blocks of whole lines, which threads can read independently of each other.
///
/// A line end between two quotes does not end a block. That is exact for tables that are valid up
/// to the end of the block: in them, each quote opens or closes a field, or is one of two. The
/// reader of a block that is not valid has to read the rest of the input in one piece, with
/// ``rest(after:)``.
package struct TextBlocks {
    package struct Block: Sendable {
        package let bytes: [UInt8]
        /// The number of bytes of the input before the block.
        let offset: UInt64
        /// Whether the input ends with the block; if `false`, it may still end there.
        let isLast: Bool
    }

    /// The usual size of a block in bytes.
    static let byteCount = 256 << 10
    /// The size of a block up to which a line end is searched for.
    static let byteCountMax = 4 << 20

    private let source: any ByteSource
    /// The character around texts that may contain line ends.
    private let quote: UInt8?
    private let byteCount: Int
    /// The bytes that were read and are in no block.
    private var buffer: [UInt8] = []
    private var offset: UInt64 = 0
    private var isAtEnd = false

    package init(_ source: any ByteSource, quote: UInt8?, byteCount: Int = TextBlocks.byteCount) {
        self.source = source
        self.quote = quote
        self.byteCount = max(1, byteCount)
    }

    /// Returns the next block; `nil` at the end of the input, and before a line that is too long
    /// for a block.
    package mutating func next() throws(PlatformError) -> Block? {
        var size = byteCount
        while true {
            try fill(to: size)
            if isAtEnd {
                guard !buffer.isEmpty else { return nil }
                return take(buffer.count, isLast: true)
            }
            if let end = lastLineEnd() { return take(end, isLast: false) }
            guard size < TextBlocks.byteCountMax else { return nil }
            size *= 2
        }
    }

    /// Returns a source of everything that the input has after the last of these blocks, preceded by
    /// them.
    ///
    /// - Parameter blocks: the last blocks, in their order.
    package func rest(after blocks: [Block] = []) -> any ByteSource {
        RejoinedSource(blocks.map(\.bytes) + [buffer], source)
    }

    /// Whether the input continues with a line that is too long for a block.
    var hasRest: Bool { !buffer.isEmpty }

    private mutating func take(_ count: Int, isLast: Bool) -> Block {
        let after = Array(buffer[count...])
        buffer.removeLast(buffer.count - count)
        defer {
            buffer = after
            offset += UInt64(count)
        }
        return Block(bytes: buffer, offset: offset, isLast: isLast)
    }

    /// Reads until the given number of bytes is available, or the input has ended.
    private mutating func fill(to size: Int) throws(PlatformError) {
        guard buffer.count < size, !isAtEnd else { return }
        buffer = try source.readBytes(upTo: size, after: buffer)
        isAtEnd = buffer.count < size
    }

    /// Returns the index after the last line end that is not between quotes.
    private func lastLineEnd() -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var isQuoted = false
            if let quote {
                var quotes = 0
                for byte in bytes { quotes &+= byte == quote ? 1 : 0 }
                isQuoted = quotes & 1 == 1
            }
            var index = bytes.count
            while index > 0 {
                let byte = bytes[index &- 1]
                if byte == UInt8(ascii: "\n"), !isQuoted { return index }
                if byte == quote { isQuoted.toggle() }
                index &-= 1
            }
            return nil
        }
    }
}

/// Delivers bytes that were already read, followed by the bytes of their source.
private final class RejoinedSource: ByteSource {
    private var pieces: [[UInt8]]
    /// The number of bytes of the first piece that were delivered.
    private var position = 0
    private let source: any ByteSource

    init(_ pieces: [[UInt8]], _ source: any ByteSource) {
        self.pieces = pieces.reversed()
        self.source = source
    }

    var name: String { source.name }
    var size: UInt64? { source.size }
    var hasInput: Bool { !pieces.isEmpty || source.hasInput }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        while let piece = pieces.last {
            guard position < piece.count else {
                pieces.removeLast()
                position = 0
                continue
            }
            let count = min(buffer.count, piece.count - position)
            piece.withUnsafeBytes { all in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
            }
            position += count
            return count
        }
        return try source.read(into: buffer)
    }
}
