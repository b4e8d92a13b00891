import FirnPlatform
import FirnTools

/// Small real data sets kept with the tests.
enum Fixtures {
    static func path(_ name: String, file: String = #filePath) -> String {
        let folder = file.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(folder)/Fixtures/\(name)"
    }

    static func bytes(_ name: String) throws -> [UInt8] { try read(path(name)) }

    static func read(_ path: String) throws -> [UInt8] {
        let file = try SystemServices.real.files.open(path, .readOnly)
        let size = Int(try file.status().size)
        var bytes = [UInt8](repeating: 0, count: size)
        let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        precondition(count == size)
        return bytes
    }

    static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try SystemServices.real.files.open(path, .createNew)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
}
