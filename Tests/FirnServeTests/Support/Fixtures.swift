import FirnPlatform

/// The files of a test.
enum Fixtures {
    private static let files = SystemServices.real.files

    static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try files.open(path, .createNew)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    static func text(_ path: String) throws -> String {
        let file = try files.open(path, .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(try file.status().size))
        let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    static func rename(_ path: String, to other: String) throws {
        try files.rename(path, to: other, replacing: true)
    }

    static func remove(_ path: String) throws { try files.remove(path) }
}
