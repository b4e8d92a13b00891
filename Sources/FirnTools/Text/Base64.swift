import FirnValues

extension Base64 {
    /// Appends the Base64 text of bytes.
    static func encode(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        let count = encodedCount(bytes.count)
        encode(bytes, buffer.reserve(count))
        buffer.commit(count)
    }
}
