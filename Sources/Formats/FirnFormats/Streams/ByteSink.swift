package import FirnPlatform
package import FirnText
import FirnValues

/// The destination of the bytes of a result: standard output, a file, or memory in tests.
package protocol ByteSink: AnyObject {
    /// Writes all the bytes.
    ///
    /// After an error, any part of them may have been written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError)

    /// Makes everything that was written durable, if the sink is a file that can lose it.
    ///
    /// A position that is stored elsewhere acknowledges what was written before it.
    func makeDurable() throws(PlatformError)

    /// Whether the sink is a file whose last line has no end, because an earlier write was
    /// interrupted.
    var endsInsideLine: Bool { get }

    /// Whether another process reads what is written, and may lose it.
    var isPipe: Bool { get }
}

extension ByteSink {
    package func makeDurable() throws(PlatformError) {}

    package var endsInsideLine: Bool { false }

    package var isPipe: Bool { false }
}

/// Collects the bytes, for tests and for small texts.
package final class MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        self.bytes.append(contentsOf: bytes)
    }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A buffer before a sink: writers append to the buffer, which is flushed when it is full.
package final class BufferedSink {
    /// The size of the pieces for the sink: large enough to make the cost of the calls negligible,
    /// and small enough to show the first rows immediately.
    private static let flushBytes = 128 << 10

    package var buffer = TextBuffer()
    private let sink: any ByteSink

    package init(_ sink: any ByteSink) { self.sink = sink }

    /// Flushes the buffer if it is large enough; called once per row.
    @inline(__always)
    package func flushIfFull() throws(PlatformError) {
        if buffer.count >= BufferedSink.flushBytes { try flush() }
    }

    /// Flushes the buffer.
    package func flush() throws(PlatformError) {
        guard buffer.count > 0 else { return }
        try sink.write(buffer.bytes)
        buffer.removeAll()
    }
}
