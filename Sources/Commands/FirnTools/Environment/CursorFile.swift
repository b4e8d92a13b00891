import FirnFormats
import FirnPlatform
import FirnValues

/// The file that stores the position of a stream: the token of the last line that was delivered, or
/// that another process applied.
///
/// A process stores its position only if no other process has stored one since, because the slower of two
/// would move it back.
final class CursorFile {
    /// The maximum size of a file with a token.
    private static let byteCountMaximum = 256

    private let path: String
    private let services: SystemServices
    /// The token that this process has read or stored last; `nil` if it knows of none.
    private var known: String?

    init(_ path: String, _ services: SystemServices) {
        self.path = path
        self.services = services
    }

    /// Reads the position, and checks that it can be replaced, before anything is delivered.
    ///
    /// - Throws: if the file cannot be read or written.
    func checkWritable() throws(CommandFailure) {
        _ = try token()
        do { try replacement().abandon() } catch {
            throw CommandFailure(writing: SafeText.escaping(path), error)
        }
    }

    /// Returns the stored token; `nil` if there is none, as in an empty file created by `mktemp`.
    func token() throws(CommandFailure) -> String? {
        known = try read()
        return known
    }

    private func read() throws(CommandFailure) -> String? {
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
    ///
    /// - Throws: `lock.held` if another process has stored a position.
    func store(_ token: String) throws(CommandFailure) {
        let file: AtomicFile
        do { file = try replacement() } catch {
            throw CommandFailure(writing: SafeText.escaping(path), error)
        }
        // The file is locked now. A user may remove it to start again.
        if let found = try read(), found != known { throw moved() }
        do throws(PlatformError) {
            var text = token + "\n"
            let result = text.withUTF8 { utf8 in
                Result { () throws(PlatformError) in try file.write(UnsafeRawBufferPointer(utf8)) }
            }
            try result.get()
            try file.commit()
        } catch { throw CommandFailure(writing: SafeText.escaping(path), error) }
        known = token
    }

    private func moved() -> CommandFailure {
        let path = SafeText.escaping(path)
        var diagnostic = Diagnostic(
            .lockHeld, "cannot write \(path): another process stores its position there, too")
        diagnostic.file = self.path
        diagnostic.remedy = "give each process a --cursor-file of its own"
        return .diagnostic(diagnostic)
    }

    private func replacement() throws(PlatformError) -> AtomicFile {
        try AtomicFile(path, .replaced, services: services, isPrivate: true, isRepeated: true)
    }
}
