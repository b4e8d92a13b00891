import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// The standard output of `observe`, which passes on whole lines.
final class LineSink: ByteSink {
    private var rest: [UInt8] = []
    /// The number of bytes of the rest that are known to contain no line end.
    private var searchedCount = 0
    private let deliver: (StreamLine) throws(PlatformError) -> Void

    init(_ deliver: @escaping (StreamLine) throws(PlatformError) -> Void) {
        self.deliver = deliver
    }

    var isPipe: Bool { true }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        rest.append(contentsOf: bytes)
        var start = 0
        while let end = rest[(start + searchedCount)...].firstIndex(of: UInt8(ascii: "\n")) {
            try deliver(StreamLine(rest[start..<end]))
            start = end + 1
            searchedCount = 0
        }
        rest.removeFirst(start)
        searchedCount = rest.count
    }
}
