import FirnPlatform

/// A small file that is kept with the tests, under `Tests/Fixtures`.
package enum Fixture {
    /// The content of a text file.
    ///
    /// - Parameter name: the path below the folder of fixtures.
    package static func text(_ name: String) throws -> String {
        // Tests/FirnTesting/Programs/Fixture.swift
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let content = try SystemServices.real.files.open("/\(tests)/Fixtures/\(name)", .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(try content.status().size))
        let count = try bytes.withUnsafeMutableBytes { try content.read(at: 0, into: $0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
