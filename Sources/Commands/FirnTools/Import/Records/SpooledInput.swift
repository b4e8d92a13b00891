import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// A copy of a stream in a temporary file beside the output, because an import reads its input
/// twice.
///
/// The file is removed with this object.
final class SpooledInput {
    let file: any File
    private let path: String
    private let files: any FileSystem

    private let name: String
    private let source: any ByteSource

    init(
        _ source: any ByteSource, named name: String, _ environment: CommandEnvironment,
        beside output: String, _ line: Progress
    ) throws(CommandFailure) {
        files = environment.services.files
        self.name = SafeText.escaping(name)
        self.source = source
        path = AtomicFile.temporaryPath(beside: output, environment.services.entropy)
        do { file = try files.open(path, .createNew) } catch {
            throw CommandFailure(writing: "a copy of \(self.name)", error)
        }
        try copy(environment, line)
    }

    // An error is ignored: a leftover file only takes space.
    deinit { try? files.remove(path) }

    private func copy(_ environment: CommandEnvironment, _ line: Progress) throws(CommandFailure) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var size: UInt64 = 0
        while true {
            try environment.checkSignals()
            let count: Int
            do { count = try source.read(into: piece) } catch {
                try environment.checkSignals()
                throw .diagnostic(Diagnostic(error, "cannot read \(name)"))
            }
            guard count > 0 else { return }
            do { try file.write(UnsafeRawBufferPointer(rebasing: piece[..<count]), at: size) } catch
            {
                throw CommandFailure(writing: "a copy of \(name)", error)
            }
            size += UInt64(count)
            line.update("copying \(name)", done: size, of: nil)
        }
    }
}
