package import FirnPlatform
package import FirnText
import FirnValues

/// Reads a text whose lines end with carriage returns, as on old Macs, with line feeds instead.
package final class LineEndSource: ByteSource {
    private let source: any ByteSource

    package init(_ source: any ByteSource) { self.source = source }

    package var name: String { source.name }
    package var size: UInt64? { source.size }
    package var hasInput: Bool { source.hasInput }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        let count = try source.read(into: buffer)
        for index in 0..<count where buffer[index] == UInt8(ascii: "\r") {
            buffer[index] = UInt8(ascii: "\n")
        }
        return count
    }

    /// Returns whether the lines of a text end with carriage returns alone.
    package static func isNeeded(for beginning: [UInt8]) -> Bool {
        beginning.contains(UInt8(ascii: "\r")) && !beginning.contains(UInt8(ascii: "\n"))
            // At the end of a sample, its line feed may follow.
            && beginning.dropLast().contains(UInt8(ascii: "\r"))
    }
}
