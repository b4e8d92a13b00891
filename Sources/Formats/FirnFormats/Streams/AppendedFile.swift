import FirnEngine
package import FirnPlatform
import FirnValues

/// A file of lines to which a run appends, so that the lines of earlier runs stay.
///
/// Written lines are durable after ``makeDurable()``, and are removed again without ``keep()``.
package final class AppendedFile: ByteSink {
    private let path: String
    private let files: any FileSystem
    private let file: any File
    private let isNew: Bool
    /// The size before this run.
    private let start: UInt64
    private var end: UInt64
    /// The size that is durable.
    private var durable: UInt64
    private var isKept = false

    /// - Parameter inputs: the files being read, which the output must not change.
    package init(
        _ path: String, _ files: any FileSystem, keeping inputs: [String]
    ) throws(PlatformError) {
        self.path = path
        self.files = files
        let status = try files.status(of: path)
        if let status {
            guard status.kind == .regular else {
                throw PlatformError(.notARegularFile, operation: "append", path: path)
            }
            // Another user may have put the link there, to a file that only this user can write.
            let target = try files.resolvedPath(path)
            var isForeign =
                PathName.lastComponent(of: target) != PathName.lastComponent(of: path)
            if !isForeign { isForeign = try DatabaseFile.isPart(of: path, files) }
            for input in inputs where !isForeign {
                isForeign = try files.status(of: input)?.identity == status.identity
            }
            if isForeign { throw PlatformError(.notReplaceable, operation: "append", path: path) }
        }
        isNew = status == nil
        file =
            isNew
            ? try files.createOutput(path, replacing: path) : try files.open(path, .readWrite)
        start = try file.status().size
        (end, durable) = (start, start)
        if start > 0, try AppendedFile.lastByte(of: file, start) != UInt8(ascii: "\n") {
            // A power loss cut the last line of an earlier run.
            try write([UInt8(ascii: "\n")])
        }
    }

    deinit {
        guard !isKept else { return }
        // An error is ignored: the lines tell of records that were not written either.
        if isNew { try? files.remove(path) } else { try? file.truncate(to: start) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        do { try file.write(bytes, at: end) } catch {
            // The next line must not continue a cut one.
            try? file.truncate(to: end)
            throw error
        }
        end += UInt64(bytes.count)
    }

    package func makeDurable() throws(PlatformError) {
        guard end > durable || isNew && durable == start else { return }
        try file.sync(.full)
        if isNew, durable == start { try files.syncDirectory(holding: path) }
        durable = end
    }

    /// Keeps what was written.
    package func keep() { isKept = true }

    private func write(_ bytes: [UInt8]) throws(PlatformError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(PlatformError) in try write(buffer) }
        }
        try result.get()
    }

    private static func lastByte(
        of file: any File, _ size: UInt64
    ) throws(PlatformError) -> UInt8 {
        var byte: UInt8 = 0
        let result = withUnsafeMutableBytes(of: &byte) { buffer in
            Result { () throws(PlatformError) in try file.read(at: size - 1, into: buffer) }
        }
        _ = try result.get()
        return byte
    }
}
