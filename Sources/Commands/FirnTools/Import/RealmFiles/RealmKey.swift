import FirnFormats
import FirnPlatform
import FirnText
import FirnValues
import RealmFile

/// The key of an encrypted Realm file: 64 bytes, or 128 hexadecimal digits.
enum RealmKey {
    private static let byteCount = 64
    /// The digits of a key, and the blanks around them.
    private static let textBytesMax = 1024

    /// Reads a key from a file.
    static func read(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: textBytesMax)
        let count: Int
        do {
            let source = try OpenedInput(path, environment).source
            count = try bytes.withUnsafeMutableBytes { (buffer) throws(PlatformError) in
                var done = 0
                while done < buffer.count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                    let part = try source.read(into: rest)
                    if part == 0 { break }
                    done += part
                }
                return done
            }
        } catch {
            throw error as? CommandFailure
                ?? .diagnostic(
                    .usage("the key file \(SafeText.escaping(path)) cannot be read"))
        }
        if count == byteCount { return Array(bytes[..<count]) }
        guard let key = digits(bytes[..<count]) else {
            throw .diagnostic(
                .usage(
                    "\(SafeText.escaping(path)) is not a key of a Realm file",
                    remedy: "a key file has 64 bytes, or 128 hexadecimal digits"))
        }
        return key
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = text.filter { $0 > 0x20 }
        guard digits.count == byteCount * 2 else { return nil }
        var key: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16), !pair.hasPrefix("+") else { return nil }
            key.append(byte)
        }
        return key
    }
}
