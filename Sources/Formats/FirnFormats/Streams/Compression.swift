package import FirnPlatform
package import FirnText
import FirnValues

/// The compression of a whole file or stream.
package enum Compression: CaseIterable {
    case gzip
    case zstd

    /// Determines the compression by the first bytes; `nil` if there is none.
    package init?(beginning: [UInt8]) {
        let found = Self.allCases.first { beginning.starts(with: $0.signature) }
        guard let found else { return nil }
        self = found
    }

    /// Determines the compression by the name of a file; `nil` if there is none.
    package init?(path: String) {
        guard let found = Self.allCases.first(where: { path.lowercased().hasSuffix($0.suffix) })
        else { return nil }
        self = found
    }

    private var signature: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// The suffix of the names of compressed files.
    package var suffix: String { self == .gzip ? ".gz" : ".zst" }

    /// The name of the program that decompresses a file with `-d`.
    package var program: String { self == .gzip ? "gzip" : "zstd" }

    /// Returns the name of a file without the suffix of compressed files.
    package static func nameOfContent(_ path: String) -> String {
        guard let found = Compression(path: path) else { return path }
        return String(path.dropLast(found.suffix.utf8.count))
    }

    package func source(_ source: any ByteSource) throws(PlatformError) -> any ByteSource {
        switch self {
        case .gzip: try GzipSource(source)
        case .zstd: try ZstdSource(source)
        }
    }

    package func sink(_ sink: any ByteSink) throws(PlatformError) -> any CompressingSink {
        switch self {
        case .gzip: try GzipSink(sink)
        case .zstd: try ZstdSink(sink)
        }
    }
}

/// A sink that compresses the bytes for another one.
package protocol CompressingSink: ByteSink {
    /// Writes the rest, which marks the file as complete.
    func finish() throws(PlatformError)
}
