import CZlib
package import FirnPlatform
import FirnValues

/// Compresses the bytes for another sink.
final class GzipSink: CompressingSink {
    private let target: any ByteSink
    private let encoder: GzipEncoder

    init(_ target: any ByteSink) throws(PlatformError) {
        self.target = target
        encoder = try GzipEncoder()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        try encoder.encode(bytes) { piece throws(PlatformError) in try target.write(piece) }
    }

    /// Writes the trailer, which marks the file as complete.
    func finish() throws(PlatformError) {
        try encoder.finish { piece throws(PlatformError) in try target.write(piece) }
    }
}

/// Compresses a stream of bytes to a gzip file (RFC 1952).
///
///     1F 8B 08 ... header without name and time: equal input gives equal output
///     deflate blocks (RFC 1951)
///     CRC-32, byte count modulo 2^32
package final class GzipEncoder {
    /// The window exponent, plus 16 to make zlib write a gzip header and trailer.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8
    private static let pieceByteCount = 64 << 10

    /// The state of zlib, on the heap because zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutableRawBufferPointer

    /// - Throws: ``PlatformError`` if there is no memory.
    package init() throws(PlatformError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        piece = .allocate(byteCount: GzipEncoder.pieceByteCount, alignment: 16)
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GzipEncoder.windowBits,
            GzipEncoder.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            throw PlatformError(.other, operation: "allocating memory for compression", path: "")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        piece.deallocate()
    }

    /// Compresses some bytes.
    ///
    /// - Parameter emit: receives the available output, which may be empty.
    package func encode<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer,
        _ emit: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            // zlib counts in 32 bits.
            let count = min(rest.count, 1 << 30)
            // zlib only reads the input, although the pointer is declared mutable.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: start.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(count)
            try drain(Z_NO_FLUSH, emit)
            rest = rest.dropFirst(count)
        }
    }

    /// Completes the file; no more input can follow.
    package func finish<Failure: Error>(
        _ emit: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        stream.pointee.next_in = nil
        stream.pointee.avail_in = 0
        try drain(Z_FINISH, emit)
    }

    /// Runs zlib until it has consumed its input.
    private func drain<Failure: Error>(
        _ flush: Int32, _ emit: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        repeat {
            stream.pointee.next_out = piece.assumingMemoryBound(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(piece.count)
            // Invalid arguments and a lack of memory are impossible here.
            _ = deflate(stream, flush)
            let count = piece.count - Int(stream.pointee.avail_out)
            if count > 0 { try emit(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
        } while stream.pointee.avail_out == 0
    }
}
