import FirnPlatform

/// Compresses the bytes for another sink.
final class GzipSink: ByteSink {
    private let target: any ByteSink
    private let encoder: GzipEncoder

    init(_ target: any ByteSink) throws(PlatformError) {
        self.target = target
        encoder = try GzipEncoder()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        try encoder.encode(bytes) { piece throws(PlatformError) in try target.write(piece) }
    }

    /// Writes the trailer, which marks the file as complete.
    func finish() throws(PlatformError) {
        try encoder.finish { piece throws(PlatformError) in try target.write(piece) }
    }
}
