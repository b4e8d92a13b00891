import FirnPlatform

/// Small files that are kept with the tests, under `Tests/Fixtures`.
package enum Fixture {
    /// The path of a fixture.
    ///
    /// - Parameter name: the path below the folder of fixtures.
    package static func path(_ name: String) -> String {
        // Tests/FirnTesting/Programs/Fixture.swift
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(tests)/Fixtures/\(name)"
    }

    /// The content of a file.
    package static func bytes(_ name: String) throws -> [UInt8] {
        let content = try SystemServices.real.files.open(path(name), .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(clamping: try content.status().size))
        let count = try bytes.withUnsafeMutableBytes { try content.read(at: 0, into: $0) }
        return Array(bytes.prefix(count))
    }

    /// The content of a text file.
    package static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }
}
