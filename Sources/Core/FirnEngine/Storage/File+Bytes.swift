import FirnPlatform

extension File {
    /// Writes an array of bytes.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(PlatformError) {
        try bytes.withBytes { buffer throws(PlatformError) in try write(buffer, at: offset) }
    }

    /// Reads bytes into an array.
    ///
    /// - Returns: Fewer bytes than requested at the end of the file.
    func bytes(at offset: UInt64, count: Int) throws(PlatformError) -> [UInt8] {
        var failure: PlatformError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(PlatformError) {
                filled = try read(
                    at: offset,
                    into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
