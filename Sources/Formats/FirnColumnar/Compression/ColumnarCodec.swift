import CLZ4
import CZlib
import CZstd
import FirnValues

/// The compression of pages and buffers.
package enum ColumnarCodec: Hashable, Sendable {
    case none
    case snappy
    case gzip
    case zstd
    /// LZ4 blocks without a frame.
    case lz4
}

extension ColumnarCodec {
    /// Decompresses a page whose size is known.
    ///
    /// - Parameters:
    ///   - input: the compressed bytes.
    ///   - output: memory of exactly the size that the file claims.
    func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ColumnarError) {
        guard !output.isEmpty else { return }
        let isComplete: Bool
        switch self {
        case .none:
            isComplete = input.count == output.count
            if isComplete { output.copyMemory(from: input) }
        case .snappy: isComplete = SnappyBlock.decompress(input, into: output)
        case .gzip: isComplete = Self.inflate(input, into: output)
        case .zstd:
            let size = ZSTD_decompress(
                output.baseAddress, output.count, input.baseAddress, input.count)
            isComplete = ZSTD_isError(size) == 0 && size == output.count
        case .lz4:
            guard let source = input.baseAddress, let target = output.baseAddress else {
                isComplete = false
                break
            }
            let size = LZ4_decompress_safe(
                source.assumingMemoryBound(to: CChar.self),
                target.assumingMemoryBound(to: CChar.self),
                Int32(clamping: input.count), Int32(clamping: output.count))
            isComplete = Int(size) == output.count
        }
        guard isComplete else {
            throw .damaged(
                "\(input.count) bytes of \(name) do not decompress to the \(output.count) bytes "
                    + "that the header says")
        }
    }

    /// The name in messages and options.
    package var name: String {
        switch self {
        case .none: "none"
        case .snappy: "snappy"
        case .gzip: "gzip"
        case .zstd: "zstd"
        case .lz4: "lz4"
        }
    }

    private static func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var stream = z_stream()
        stream.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(clamping: output.count)
        // 32: zlib finds out whether the header is of zlib or gzip. Both exist in files.
        return withUnsafeMutablePointer(to: &stream) { stream in
            guard
                inflateInit2_(
                    stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
            else { return false }
            defer { inflateEnd(stream) }
            var status = CZlib.inflate(stream, Z_NO_FLUSH)
            // Some writers make several members.
            while status == Z_STREAM_END, stream.pointee.avail_out > 0, stream.pointee.avail_in > 0,
                inflateReset(stream) == Z_OK
            {
                status = CZlib.inflate(stream, Z_NO_FLUSH)
            }
            guard stream.pointee.avail_out == 0, status == Z_STREAM_END || status == Z_OK else {
                return false
            }
            return status == Z_STREAM_END || endsHere(stream)
        }
    }

    /// Returns whether the input ends with the bytes that filled the page.
    private static func endsHere(_ stream: UnsafeMutablePointer<z_stream>) -> Bool {
        var more: UInt8 = 0
        return withUnsafeMutablePointer(to: &more) { more in
            stream.pointee.next_out = more
            stream.pointee.avail_out = 1
            return CZlib.inflate(stream, Z_NO_FLUSH) == Z_STREAM_END
                && stream.pointee.avail_out == 1
        }
    }
}

/// Compresses pages one after another with a single state.
final class PageCompressor {
    let codec: ColumnarCodec
    private let level: Int32
    private let zstd: OpaquePointer?

    /// - Parameter level: the level of zstd or gzip; `nil` for the default.
    init(_ codec: ColumnarCodec, level: Int? = nil) {
        self.codec = codec
        self.level = Int32(clamping: level ?? (codec == .gzip ? 6 : 3))
        zstd = codec == .zstd ? ZSTD_createCCtx() : nil
    }

    deinit { if let zstd { ZSTD_freeCCtx(zstd) } }

    /// Appends the compressed bytes to an output.
    ///
    /// - Returns: their number.
    func compress(
        _ input: UnsafeRawBufferPointer, to output: ByteOutput
    ) throws(ColumnarError) -> Int {
        let size: Int
        switch codec {
        case .none:
            output.append(input)
            return input.count
        case .snappy:
            let room = output.room(SnappyBlock.compressedBytesMax(input.count))
            size = SnappyBlock.compress(input, to: room)
        case .gzip: size = deflate(input, to: output)
        case .zstd:
            let bound = ZSTD_compressBound(input.count)
            let written = ZSTD_compressCCtx(
                zstd, output.room(bound), bound, input.baseAddress, input.count, level)
            size = ZSTD_isError(written) == 0 ? written : 0
        case .lz4:
            let bound = LZ4_compressBound(Int32(clamping: input.count))
            let room = output.room(Int(bound))
            size = Int(
                LZ4_compress_default(
                    input.baseAddress?.assumingMemoryBound(to: CChar.self),
                    room.assumingMemoryBound(to: CChar.self), Int32(clamping: input.count), bound))
        }
        guard size > 0 else {
            throw ColumnarError(.tooLarge, "\(codec.name) cannot compress \(input.count) bytes")
        }
        output.advance(size)
        return size
    }

    private func deflate(_ input: UnsafeRawBufferPointer, to output: ByteOutput) -> Int {
        var stream = z_stream()
        return withUnsafeMutablePointer(to: &stream) { stream in
            guard
                deflateInit2_(
                    stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                    Int32(MemoryLayout<z_stream>.size)) == Z_OK
            else { return 0 }
            defer { deflateEnd(stream) }
            let bound = Int(deflateBound(stream, UInt(input.count)))
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(clamping: input.count)
            stream.pointee.next_out = output.room(bound).assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(clamping: bound)
            guard CZlib.deflate(stream, Z_FINISH) == Z_STREAM_END else { return 0 }
            return bound - Int(stream.pointee.avail_out)
        }
    }
}
