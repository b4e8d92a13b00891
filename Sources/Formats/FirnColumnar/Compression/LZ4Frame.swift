import CLZ4
import FirnValues

/// LZ4 blocks in a frame, as used by Arrow.
enum LZ4Frame {
    /// Decompresses a frame whose size is known.
    static func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ColumnarError) {
        guard !output.isEmpty else { return }
        var context: OpaquePointer?
        guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0
        else { throw ColumnarError(.tooLarge, "there is no memory for decompression") }
        defer { LZ4F_freeDecompressionContext(context) }
        var read = 0
        var written = 0
        while written < output.count {
            var inputCount = input.count - read
            var outputCount = output.count - written
            let status = LZ4F_decompress(
                context, output.baseAddress.map { $0 + written }, &outputCount,
                input.baseAddress.map { $0 + read }, &inputCount, nil)
            guard LZ4F_isError(status) == 0, inputCount > 0 || outputCount > 0 else { break }
            read += inputCount
            written += outputCount
        }
        guard written == output.count else {
            throw .damaged(
                "\(input.count) bytes of lz4 do not decompress to the \(output.count) bytes that "
                    + "the buffer says")
        }
    }
}
