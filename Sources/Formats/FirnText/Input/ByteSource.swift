package import FirnPlatform
import FirnValues

/// A source of input: a file, standard input, or memory in tests.
package protocol ByteSource: AnyObject {
    /// The name in errors.
    var name: String { get }
    /// The total number of bytes, if known, for progress.
    var size: UInt64? { get }
    /// Whether reading would return without waiting for the writer.
    var hasInput: Bool { get }

    /// Reads some bytes: at least one, unless the input has ended.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int
}

extension ByteSource {
    package var hasInput: Bool { true }

    /// Reads a number of bytes, or the bytes up to the end of the input.
    ///
    /// - Parameter start: the bytes at the beginning of the result, which are counted, too.
    package func readBytes(
        upTo size: Int, after start: [UInt8] = []
    ) throws(PlatformError) -> [UInt8] {
        var failure: PlatformError?
        let capacity = max(size, start.count)
        let all = [UInt8](unsafeUninitializedCapacity: capacity) { space, count in
            let bytes = UnsafeMutableRawBufferPointer(space)
            bytes.copyBytes(from: start)
            count = start.count
            while count < size, failure == nil {
                do throws(PlatformError) {
                    let room = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<size])
                    let read = try read(into: room)
                    guard read > 0 else { return }
                    count += min(read, room.count)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return all
    }
}

/// Reads a file from its beginning to its end.
package final class FileSource: ByteSource {
    package let name: String
    package let size: UInt64?
    private let file: any File
    private var position: UInt64 = 0

    /// - Parameter name: the name in errors; by default, the path with which the file was opened.
    package init(_ file: any File, name: String? = nil) throws(PlatformError) {
        self.file = file
        self.name = name ?? file.path
        size = try file.status().size
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        let count = try file.read(at: position, into: buffer)
        position += UInt64(count)
        return count
    }
}

/// Reads bytes from memory, in pieces of a chosen size so that tests cover every boundary.
package final class MemorySource: ByteSource {
    package let name: String
    package var size: UInt64? { UInt64(bytes.count) }
    package var byteCount: Int { bytes.count }
    private let bytes: [UInt8]
    private let pieceBytes: Int
    private var position = 0

    package init(_ bytes: [UInt8], name: String = "input.csv", pieceBytes: Int = .max) {
        self.bytes = bytes
        self.name = name
        self.pieceBytes = max(1, pieceBytes)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        let count = min(buffer.count, pieceBytes, bytes.count - position)
        bytes.withUnsafeBytes { all in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
        }
        position += count
        return count
    }
}
