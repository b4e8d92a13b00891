import CZstd
import FirnPlatform
import FirnText
import FirnValues

/// Decompresses a zstd file (RFC 8878), which may consist of several frames.
///
/// Nothing is kept but the window, which the library limits to 128 MB, so memory does not depend on
/// the input, even if that was made to expand a thousandfold.
final class ZstdSource: ByteSource {
    let name: String
    /// The number of decompressed bytes is known only at the end.
    var size: UInt64? { nil }

    private let source: any ByteSource
    private let stream: OpaquePointer
    private let piece: UnsafeMutableRawBufferPointer
    private var input = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
    private var hasEnded = false
    /// Whether a frame is being read, so that the input cannot end here.
    private var isInFrame = true
    /// Whether the library may have more output for the input that it has.
    private var hasOutput = false

    /// - Throws: ``PlatformError`` if there is no memory.
    init(_ source: any ByteSource) throws(PlatformError) {
        guard let stream = ZSTD_createDStream() else {
            throw PlatformError(.other, operation: "allocating memory for decompression", path: "")
        }
        self.stream = stream
        self.source = source
        name = source.name
        piece = .allocate(byteCount: ZSTD_DStreamInSize(), alignment: 16)
    }

    deinit {
        ZSTD_freeDStream(stream)
        piece.deallocate()
    }

    var hasInput: Bool { hasEnded || hasOutput || input.pos < input.size || source.hasInput }

    /// - Throws: ``PlatformError`` with `truncatedCompression` or `damagedCompression`, or an error
    ///   of the source. The bytes before the damage were returned by earlier calls.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        guard !hasEnded, !buffer.isEmpty else { return 0 }
        var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        while output.pos == 0 {
            if !hasOutput, input.pos == input.size, try !refill() { break }
            let status = ZSTD_decompressStream(stream, &output, &input)
            guard ZSTD_isError(status) == 0 else {
                throw PlatformError(.damagedCompression, operation: "decompress", path: name)
            }
            isInFrame = status != 0
            hasOutput = output.pos == output.size
        }
        return output.pos
    }

    /// Reads more compressed bytes.
    ///
    /// - Returns: `false` at the end of the last frame.
    private func refill() throws(PlatformError) -> Bool {
        let count = try source.read(into: piece)
        guard count > 0 else {
            guard !isInFrame else {
                throw PlatformError(.truncatedCompression, operation: "decompress", path: name)
            }
            hasEnded = true
            return false
        }
        input = ZSTD_inBuffer(src: piece.baseAddress, size: count, pos: 0)
        return true
    }
}
