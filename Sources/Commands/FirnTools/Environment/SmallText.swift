package import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// Reads short texts: a query, parameters, settings.
package enum SmallText {
    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - what: the name of the text in errors, such as `the query`.
    ///   - bytesMax: the maximum size, which protects the memory from endless input.
    package static func read(
        _ path: String, called what: String, bytesMax: Int, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> String {
        let source = try OpenedInput(path, environment).source
        let name = SafeText.escaping(source.name)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let result = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(PlatformError) in try source.read(into: buffer) }
            }
            let count: Int
            do { count = try result.get() } catch {
                throw .diagnostic(Diagnostic(error, "cannot read \(name)"))
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: piece.prefix(count))
            guard bytes.count <= bytesMax else {
                throw .diagnostic(
                    Diagnostic(.queryLimit, "\(what) is longer than \(bytesMax) bytes"))
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .diagnostic(Diagnostic(.inputEncoding, "\(name): \(what) is not UTF-8"))
        }
        return text
    }
}
