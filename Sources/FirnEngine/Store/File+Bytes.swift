import FirnPlatform

extension File {
    /// Writes an array of bytes.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(PlatformError) {
        let result: Result<Void, PlatformError> = bytes.withUnsafeBytes { buffer in
            do throws(PlatformError) {
                return .success(try write(buffer, at: offset))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Reads bytes into an array.
    ///
    /// - Returns: fewer than asked for where the file ends.
    func bytes(at offset: UInt64, count: Int) throws(PlatformError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result: Result<Int, PlatformError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(PlatformError) {
                return .success(try read(at: offset, into: buffer))
            } catch {
                return .failure(error)
            }
        }
        bytes.removeLast(count - (try result.get()))
        return bytes
    }
}
