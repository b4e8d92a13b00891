package import FirnFormats
import FirnPlatform
package import FirnText
import FirnValues

/// An input of the command line: a file, which can be read repeatedly, or a stream.
package struct OpenedInput {
    /// The name in errors.
    let name: String
    /// The input from its beginning.
    package let source: any ByteSource
    /// The file, unless the input is a stream.
    let file: (any File)?

    /// - Parameter path: a path, or `-` for standard input.
    package init(_ path: String, _ environment: CommandEnvironment) throws(CommandFailure) {
        guard path != "-" else {
            name = "standard input"
            source = environment.input
            file = nil
            return
        }
        name = path
        do {
            let files = environment.services.files
            // The pipe of `<(command)`, a FIFO, or /dev/stdin for a pipe. Opening it only to
            // determine its kind would let the writer begin, and lose its output.
            if let status = try files.status(of: path), status.kind == .other {
                file = nil
                source = PipeSource(try InputPipe(path))
            } else {
                let opened = try files.open(path, .readOnly)
                file = opened
                source = try FileSource(opened, name: path)
            }
        } catch {
            let status = try? environment.services.files.status(of: path)
            throw .diagnostic(
                OpenedInput.unreadable(error, path, isFolder: status?.kind == .directory))
        }
    }

    private static func unreadable(
        _ error: PlatformError, _ path: String, isFolder: Bool
    ) -> Diagnostic {
        let shown = SafeText.escaping(path)
        guard error.code == .notARegularFile else {
            var diagnostic = Diagnostic(error, "cannot read \(shown)")
            if error.code == .notFound, path.hasPrefix("{") || path.hasPrefix("[") {
                diagnostic.remedy = "name a file, or use - to read from a pipe"
            }
            return diagnostic
        }
        let kind = isFolder ? "a folder" : "neither a file nor a pipe"
        var diagnostic = Diagnostic(.inputNotAFile, "cannot read \(shown): it is \(kind)")
        diagnostic.file = path
        return diagnostic
    }
}

/// A named pipe.
private final class PipeSource: ByteSource {
    private let pipe: InputPipe

    init(_ pipe: InputPipe) { self.pipe = pipe }

    var name: String { pipe.path }
    var size: UInt64? { nil }
    var hasInput: Bool { pipe.hasInput }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try pipe.read(into: buffer)
    }
}
