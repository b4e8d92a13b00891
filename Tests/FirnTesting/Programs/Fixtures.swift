import FirnPlatform

/// Small files that are kept with the tests under `Tests/Fixtures`, and files that tests make.
package enum Fixtures {
    private static var files: any FileSystem { SystemServices.real.files }

    /// The path of a fixture.
    ///
    /// - Parameter name: The path below the folder of fixtures.
    package static func path(_ name: String) -> String {
        // Tests/FirnTesting/Programs/Fixtures.swift
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(tests)/Fixtures/\(name)"
    }

    /// The content of a fixture.
    package static func bytes(_ name: String) throws -> [UInt8] { try read(path(name)) }

    /// The content of a fixture that is a text.
    package static func text(_ name: String) throws -> String { try text(at: path(name)) }

    /// The content of a file.
    package static func read(_ path: String) throws -> [UInt8] {
        let file = try files.open(path, .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(clamping: try file.status().size))
        let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        return Array(bytes.prefix(count))
    }

    /// The content of a text file.
    package static func text(at path: String) throws -> String {
        String(decoding: try read(path), as: UTF8.self)
    }

    /// Writes a new file.
    package static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    /// Writes a new file.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try files.open(path, .createNew)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// Renames a file, and replaces the one that has the name.
    package static func rename(_ path: String, to other: String) throws {
        try files.rename(path, to: other, replacing: true)
    }

    /// Removes a file.
    package static func remove(_ path: String) throws { try files.remove(path) }
}
