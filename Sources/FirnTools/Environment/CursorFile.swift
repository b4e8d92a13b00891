import FirnPlatform
import FirnValues

/// The file that stores the position of a stream: the token of the last line that was delivered, or
/// that another process applied.
struct CursorFile {
    /// A longer file is not a token.
    private static let byteCountMaximum = 256

    private let path: String
    private let services: SystemServices

    init(_ path: String, _ services: SystemServices) {
        self.path = path
        self.services = services
    }

    /// - Throws: if the file cannot be written. This is checked before anything is delivered.
    func checkWritable() throws(CommandFailure) {
        do { try replacement().abandon() } catch {
            throw CommandFailure(writing: SafeText.escaping(path), error)
        }
    }

    /// Returns the stored token; `nil` if there is none, as in an empty file created by `mktemp`.
    func token() throws(CommandFailure) -> String? {
        do throws(PlatformError) {
            guard try services.files.status(of: path) != nil else { return nil }
            let file = try services.files.open(path, .readOnly)
            var bytes = [UInt8](repeating: 0, count: CursorFile.byteCountMaximum)
            let result = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(PlatformError) in try file.read(at: 0, into: buffer) }
            }
            let text = bytes.prefix(try result.get()).prefix { $0 != UInt8(ascii: "\n") }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        } catch {
            throw .diagnostic(Diagnostic(error, "cannot read \(SafeText.escaping(path))"))
        }
    }

    /// Replaces the token atomically.
    func store(_ token: String) throws(CommandFailure) {
        do throws(PlatformError) {
            let file = try replacement()
            var text = token + "\n"
            let result = text.withUTF8 { utf8 in
                Result { () throws(PlatformError) in try file.write(UnsafeRawBufferPointer(utf8)) }
            }
            try result.get()
            try file.commit()
        } catch { throw CommandFailure(writing: SafeText.escaping(path), error) }
    }

    private func replacement() throws(PlatformError) -> AtomicFile {
        try AtomicFile(path, .replaced, services: services, isPrivate: true, isRepeated: true)
    }
}
