package import FirnPlatform
package import FirnText
import FirnValues

/// A source whose beginning can be examined before it is read.
package final class PeekedSource: ByteSource {
    /// Enough to distinguish the formats.
    private static let sampleBytes = 64 << 10

    private let source: any ByteSource
    private var sample: [UInt8] = []
    /// The number of bytes of the sample that were delivered.
    private var position = 0

    package init(_ source: any ByteSource) { self.source = source }

    package var name: String { source.name }
    package var size: UInt64? { source.size }
    /// Whether the sample is the whole input.
    package var isWhole: Bool { hasEnded || size == UInt64(sample.count) }
    private var hasEnded = false
    package var hasInput: Bool { position < sample.count || source.hasInput }

    /// Returns the beginning up to the end of the first line that is not empty, if it is near.
    ///
    /// - Parameter skippedLineCount: the number of lines before that line.
    package func beginning(skippedLineCount: Int = 0) throws(PlatformError) -> [UInt8] {
        while sample.count < PeekedSource.sampleBytes, !hasLine(after: skippedLineCount) {
            let start = sample.count
            sample += [UInt8](repeating: 0, count: PeekedSource.sampleBytes - start)
            let result = sample.withUnsafeMutableBytes { buffer in
                Result { () throws(PlatformError) in
                    try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
                }
            }
            let count: Int
            do { count = try result.get() } catch {
                sample.removeLast(sample.count - start)
                throw error
            }
            sample.removeLast(sample.count - start - count)
            if count == 0 {
                hasEnded = true
                break
            }
        }
        return sample
    }

    private func hasLine(after skippedLineCount: Int) -> Bool {
        var rest = sample[...]
        for _ in 0..<skippedLineCount {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return false }
            rest = rest[(end + 1)...]
        }
        let line = rest.drop { $0 <= 0x20 }
        return line.contains(UInt8(ascii: "\n")) || line.contains(UInt8(ascii: "\r"))
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        guard position < sample.count else { return try source.read(into: buffer) }
        let count = min(buffer.count, sample.count - position)
        sample.withUnsafeBytes { all in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
        }
        position += count
        return count
    }
}
