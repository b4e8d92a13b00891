import CZlib
import FirnPlatform
import FirnText
import FirnValues

/// Decompresses a gzip file (RFC 1952), which may consist of several members.
///
/// Nothing is kept but the window of the format, so memory does not depend on the input, even if
/// that was made to expand a thousandfold.
final class GzipSource: ByteSource {
    /// The window exponent, plus 16 to make zlib read a gzip header and check the trailer.
    private static let windowBits: Int32 = 15 + 16
    private static let pieceByteCount = 256 << 10

    let name: String
    /// The number of decompressed bytes is known only at the end.
    var size: UInt64? { nil }

    private let source: any ByteSource
    /// The state of zlib, on the heap because zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The compressed bytes, which `stream` refers to.
    private let piece: UnsafeMutableRawBufferPointer
    private var hasEnded = false
    /// Whether a member is being read, so that the input cannot end here.
    private var isInMember = true
    /// Whether zlib may have more output for the input that it has.
    private var hasOutput = false

    /// - Throws: ``PlatformError`` if there is no memory.
    init(_ source: any ByteSource) throws(PlatformError) {
        self.source = source
        name = source.name
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        piece = .allocate(byteCount: GzipSource.pieceByteCount, alignment: 16)
        let status = inflateInit2_(
            stream, GzipSource.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            throw PlatformError(.other, operation: "allocating memory for decompression", path: "")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        piece.deallocate()
    }

    var hasInput: Bool { hasEnded || hasOutput || stream.pointee.avail_in > 0 || source.hasInput }

    /// - Throws: ``PlatformError`` with `truncatedCompression` or `damagedCompression`, or an error
    ///   of the source. The bytes before the damage were returned by earlier calls.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        guard !hasEnded, !buffer.isEmpty else { return 0 }
        // zlib counts in 32 bits.
        let room = min(buffer.count, 1 << 30)
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        while stream.pointee.avail_out == UInt32(room) {
            if !hasOutput, stream.pointee.avail_in == 0, try !refill() { break }
            try inflate()
        }
        return room - Int(stream.pointee.avail_out)
    }

    /// Reads more compressed bytes.
    ///
    /// - Returns: `false` at the end of the last member.
    private func refill() throws(PlatformError) -> Bool {
        let count = try source.read(into: piece)
        guard count > 0 else {
            guard !isInMember else { throw failure(.truncatedCompression) }
            hasEnded = true
            return false
        }
        stream.pointee.next_in = piece.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.pointee.avail_in = UInt32(count)
        return true
    }

    private func inflate() throws(PlatformError) {
        if !isInMember {
            // Some programs fill the last block of a file with zeros.
            skipZeros()
            guard stream.pointee.avail_in > 0 else { return }
            guard inflateReset(stream) == Z_OK else { throw failure(.damagedCompression) }
            isInMember = true
        }
        switch CZlib.inflate(stream, Z_NO_FLUSH) {
        case Z_OK: hasOutput = stream.pointee.avail_out == 0
        // There is nothing to do without more input.
        case Z_BUF_ERROR: hasOutput = false
        case Z_STREAM_END:
            isInMember = false
            hasOutput = false
        default: throw failure(.damagedCompression)
        }
    }

    private func skipZeros() {
        while stream.pointee.avail_in > 0, stream.pointee.next_in?.pointee == 0 {
            stream.pointee.next_in = stream.pointee.next_in?.advanced(by: 1)
            stream.pointee.avail_in -= 1
        }
    }

    private func failure(_ code: PlatformError.Code) -> PlatformError {
        PlatformError(code, operation: "inflate", path: name)
    }
}
