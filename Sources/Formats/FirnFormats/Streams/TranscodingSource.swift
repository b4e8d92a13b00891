package import FirnPlatform
package import FirnText
import FirnValues

/// Reads a text in another encoding as UTF-8.
package final class TranscodingSource: ByteSource {
    private static let pieceByteCount = 64 << 10

    package let name: String
    /// The number of bytes in UTF-8 is known only at the end.
    package var size: UInt64? { nil }
    package var hasInput: Bool { position < text.count || source.hasInput }

    private let source: any ByteSource
    private let encoding: TextEncoding
    private var piece = [UInt8](repeating: 0, count: TranscodingSource.pieceByteCount)
    /// The converted text; the bytes before `position` were delivered.
    private var text: [UInt8] = []
    private var position = 0
    /// The bytes of an incomplete character at the end of the last piece.
    private var rest: [UInt8] = []
    /// The number of bytes of the source before `rest`.
    private var offset: UInt64 = 0
    private var hasEnded = false

    package init(_ source: any ByteSource, from encoding: TextEncoding) {
        self.source = source
        self.encoding = encoding
        name = source.name
    }

    /// - Throws: ``PlatformError`` with `invalidText` if the text is not in the encoding.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while position == text.count, !hasEnded { try convert() }
        let count = min(buffer.count, text.count - position)
        text.withUnsafeBytes { all in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
        }
        position += count
        return count
    }

    /// Converts the next piece of the source.
    private func convert() throws(PlatformError) {
        let result = piece.withUnsafeMutableBytes { buffer in
            Result { () throws(PlatformError) in try source.read(into: buffer) }
        }
        let count = try result.get()
        hasEnded = count == 0
        text.removeAll(keepingCapacity: true)
        position = 0
        let bytes = rest + piece[..<count]
        let used = encoding.isUTF16 ? try convertUTF16(bytes) : convertBytes(bytes)
        rest = Array(bytes[used...])
        offset += UInt64(used)
        if hasEnded, !rest.isEmpty { throw failure(at: 0) }
    }

    /// - Returns: the number of converted bytes.
    private func convertBytes(_ bytes: [UInt8]) -> Int {
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: UTF8.encode(encoding.scalar(byte)) ?? .init())
            }
        }
        return bytes.count
    }

    private func convertUTF16(_ bytes: [UInt8]) throws(PlatformError) -> Int {
        func unit(_ index: Int) -> UInt16 {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
        }
        var index = 0
        while index + 1 < bytes.count {
            let first = unit(index)
            if !UTF16.isSurrogate(first) {
                // The scalar exists, because the unit is not a surrogate.
                append(UInt32(first))
                index += 2
                continue
            }
            guard index + 3 < bytes.count else {
                if hasEnded { throw failure(at: index) }
                return index
            }
            let second = unit(index + 2)
            guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second) else {
                throw failure(at: index)
            }
            append(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
            index += 4
        }
        return index
    }

    private func append(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return }
        // The mark at the start is not part of the text.
        if value == 0xFEFF, offset == 0, text.isEmpty { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }

    private func failure(at index: Int) -> PlatformError {
        PlatformError(
            .invalidText,
            operation: "byte \(offset + UInt64(index)) is not \(encoding.title)", path: name)
    }
}
