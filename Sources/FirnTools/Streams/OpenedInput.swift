import FirnPlatform
import FirnValues

/// An input that the command line names: a file, which can be read often, or a stream.
struct OpenedInput {
    /// What errors call it.
    let name: String
    /// The input from its beginning.
    let source: any ByteSource
    /// The file, unless the input is a stream.
    let file: (any File)?

    /// - Parameter path: a path, or `-` for standard input.
    init(_ path: String, _ surroundings: Surroundings) throws(CommandFailure) {
        guard path != "-" else {
            name = "standard input"
            source = surroundings.input
            file = nil
            return
        }
        name = path
        do throws(PlatformError) {
            if let opened = try OpenedInput.regularFile(path, surroundings) {
                file = opened
                source = try FileSource(opened, name: path)
            } else {
                file = nil
                source = PipeSource(try InputPipe(path))
            }
        } catch {
            throw .diagnostic(OpenedInput.unreadable(error, path))
        }
    }

    /// - Returns: `nil` for the pipe of `<(command)`, a FIFO, or /dev/stdin in front of a pipe.
    private static func regularFile(
        _ path: String, _ surroundings: Surroundings
    ) throws(PlatformError) -> (any File)? {
        do { return try surroundings.services.files.open(path, .readOnly) } catch {
            guard error.code == .notARegularFile else { throw error }
            return nil
        }
    }

    private static func unreadable(_ error: PlatformError, _ path: String) -> Diagnostic {
        let shown = SafeText.escaping(path)
        guard error.code == .notARegularFile else {
            return Diagnostic(error, "cannot read \(shown)")
        }
        var diagnostic = Diagnostic(.inputNotAFile, "cannot read \(shown): it is a folder")
        diagnostic.file = path
        return diagnostic
    }
}

/// A pipe that has a name.
private final class PipeSource: ByteSource {
    private let pipe: InputPipe

    init(_ pipe: InputPipe) { self.pipe = pipe }

    var name: String { pipe.path }
    var size: UInt64? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try pipe.read(into: buffer)
    }
}
