package import FirnPlatform

/// Where the bytes of a result go: standard output, a file, or memory in tests.
package protocol ByteSink: AnyObject {
    /// Writes all the bytes.
    ///
    /// After an error any part of them may have been written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError)
}

/// Keeps the bytes, for tests and for small texts.
package final class MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        self.bytes.append(contentsOf: bytes)
    }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A buffer in front of a sink: writers append to the buffer and hand it on when it is full.
package final class BufferedSink {
    /// Pieces of this size reach the sink: large enough that the calls cost nothing, small enough
    /// that the first rows appear at once.
    private static let flushBytes = 128 << 10

    package var buffer = TextBuffer()
    private let sink: any ByteSink

    package init(_ sink: any ByteSink) { self.sink = sink }

    /// Hands the bytes on if there are enough of them; called once per row.
    @inline(__always)
    package func flushIfFull() throws(PlatformError) {
        if buffer.count >= BufferedSink.flushBytes { try flush() }
    }

    /// Hands on whatever there is.
    package func flush() throws(PlatformError) {
        guard buffer.count > 0 else { return }
        try sink.write(buffer.bytes)
        buffer.removeAll()
    }
}
