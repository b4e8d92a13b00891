import FirnPlatform
import FirnValues

/// Reads a query text from a file or from standard input.
enum QueryInput {
    /// More than the query language accepts; keeps endless input out of memory.
    private static let bytesMax = 2 << 20

    static func read(
        _ path: String, _ surroundings: Surroundings
    ) throws(CommandFailure) -> String {
        let source = try OpenedInput(path, surroundings).source
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let result = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(PlatformError) in try source.read(into: buffer) }
            }
            let count: Int
            do { count = try result.get() } catch {
                throw .diagnostic(Diagnostic(error, "cannot read \(source.name)"))
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: piece.prefix(count))
            guard bytes.count <= bytesMax else {
                throw .diagnostic(
                    Diagnostic(.queryLimit, "the query is longer than \(bytesMax) bytes"))
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .diagnostic(Diagnostic(.inputEncoding, "\(source.name): the query is not UTF-8"))
        }
        return text
    }
}
