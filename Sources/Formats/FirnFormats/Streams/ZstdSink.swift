import CZstd
import FirnPlatform
import FirnValues

/// Compresses the bytes for another sink to a zstd file (RFC 8878).
final class ZstdSink: CompressingSink {
    private let target: any ByteSink
    private let stream: OpaquePointer
    private let piece: UnsafeMutableRawBufferPointer

    /// - Throws: ``PlatformError`` if there is no memory.
    init(_ target: any ByteSink) throws(PlatformError) {
        guard let stream = ZSTD_createCStream() else {
            throw PlatformError(.other, operation: "allocating memory for compression", path: "")
        }
        self.stream = stream
        self.target = target
        piece = .allocate(byteCount: ZSTD_CStreamOutSize(), alignment: 16)
        // Damage is found when the file is read.
        ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCStream(stream)
        piece.deallocate()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while input.pos < input.size { _ = try compress(&input, ZSTD_e_continue) }
    }

    func finish() throws(PlatformError) {
        var input = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
        while try compress(&input, ZSTD_e_end) > 0 {}
    }

    /// - Returns: 0 when the library has nothing more to write.
    private func compress(
        _ input: inout ZSTD_inBuffer, _ directive: ZSTD_EndDirective
    ) throws(PlatformError) -> Int {
        var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
        let rest = ZSTD_compressStream2(stream, &output, &input, directive)
        guard ZSTD_isError(rest) == 0 else {
            throw PlatformError(.other, operation: "compress", path: "")
        }
        if output.pos > 0 {
            try target.write(UnsafeRawBufferPointer(rebasing: piece[..<output.pos]))
        }
        return rest
    }
}
