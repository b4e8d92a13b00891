import ArgumentParser
import FirnCodec

/// The compression of pages.
enum PageCodec: String, ExpressibleByArgument, CaseIterable {
    case lz4
    case lz4High = "lz4-high"
    case none

    var level: CompressionLevel {
        switch self {
        case .lz4: .fast
        case .lz4High: .high
        case .none: .none
        }
    }
}
