package import FirnPlatform
import FirnValues

/// A stream of bytes of an Arrow file.
package protocol ColumnarSource: AnyObject {
    /// Reads some bytes: at least one, unless the input has ended.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int
}

/// Reads a file from its beginning.
package final class ColumnarFileSource: ColumnarSource {
    private let file: any File
    private var position: UInt64 = 0

    package init(_ file: any File) { self.file = file }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        let count = try file.read(at: position, into: buffer)
        position += UInt64(count)
        return count
    }
}

/// A message of a stream: a table of metadata, and the bytes of buffers.
struct ArrowMessage {
    let kind: ArrowMessageKind?
    let header: FlatTable
    let body: ByteBlock
}

/// Reads the messages of a stream, or of a file, which contains a stream between its marks.
///
///     stream   message* end
///     message  0xFFFFFFFF int32 size(metadata) metadata int64-aligned body
///     end      0xFFFFFFFF 0, or the end of the input
///     file     "ARROW1\0\0" stream footer int32 size(footer) "ARROW1"
struct ArrowInput {
    private static let fileMark = Array("ARROW1".utf8)
    /// The name under which pyarrow 0.17 stored the compression of a message.
    private static let formerCompression = "ARROW:experimental_compression"

    private let source: any ColumnarSource
    private let limits: ColumnarLimits
    private var isAtStart = true

    init(_ source: any ColumnarSource, _ limits: ColumnarLimits) {
        self.source = source
        self.limits = limits
    }

    /// Reads bytes.
    ///
    /// - Returns: `nil` if the input ends before the first one.
    private func read(_ byteCount: Int) throws(ColumnarError) -> ByteBlock? {
        let block = ByteBlock(capacity: byteCount)
        var filled = 0
        while filled < byteCount {
            let count: Int
            do {
                count = try source.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: block.writable[filled...]))
            } catch { throw ColumnarError(error) }
            guard count > 0 else {
                guard filled > 0 else { return nil }
                throw .damaged("the file ends \(byteCount - filled) bytes early")
            }
            filled += count
        }
        return block
    }

    private func number(_ block: ByteBlock) -> UInt32 {
        UInt32(littleEndian: block.base.loadUnaligned(as: UInt32.self))
    }

    /// Reads the next message; `nil` at the end.
    mutating func next() throws(ColumnarError) -> ArrowMessage? {
        guard var head = try read(4) else { return nil }
        if isAtStart {
            isAtStart = false
            if Array(head.buffer) == Array(Self.fileMark.prefix(4)) {
                guard let rest = try read(4), Array(rest.buffer) == Array("W1\0\0".utf8) else {
                    throw .damaged("the mark at the beginning is incomplete")
                }
                guard let first = try read(4) else { return nil }
                head = first
            }
        }
        if number(head) == .max {
            guard let size = try read(4) else { return nil }
            head = size
        }
        let size = Int(number(head))
        guard size > 0 else { return nil }
        guard size <= limits.metadataBytesMax else {
            throw ColumnarError(
                .tooLarge,
                "the metadata has \(size) bytes; at most \(limits.metadataBytesMax) are read")
        }
        guard let metadata = try read(size) else {
            throw .damaged("the file ends inside the metadata")
        }
        return try message(metadata)
    }

    private func message(_ metadata: ByteBlock) throws(ColumnarError) -> ArrowMessage {
        let table = try FlatTable(metadata)
        let bodyBytes = try table.number(3, default: Int64(0))
        guard bodyBytes >= 0, bodyBytes <= Int64(limits.memoryBytesMax) else {
            throw ColumnarError(
                .tooLarge,
                "a record batch has \(bodyBytes) bytes; at most \(limits.memoryBytesMax) are read")
        }
        guard let header = try table.table(2) else { throw .damaged("a message has no header") }
        // The bytes of such a batch would be read as values.
        if let codec = try ArrowField.texts(table, 4)[Self.formerCompression] {
            throw ColumnarError(
                .unsupported, "the buffers are compressed with \(codec) as before Arrow 1.0",
                remedy: "read the file with pyarrow, and write it again with version 1.0 or later")
        }
        guard let body = bodyBytes == 0 ? ByteBlock(capacity: 0) : try read(Int(bodyBytes)) else {
            throw .damaged("the file ends within a record batch of \(bodyBytes) bytes")
        }
        return ArrowMessage(
            kind: ArrowMessageKind(rawValue: try table.number(1, default: UInt8(0))),
            header: header, body: body)
    }
}
