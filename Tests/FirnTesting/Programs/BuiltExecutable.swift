import FirnPlatform
import Glibc

/// The path of a program of this package in the same build.
///
/// - Throws: an error that lists the places that were searched.
package func builtExecutable(named name: String) throws -> String {
    var candidates: [String] = []
    let arguments = CommandLine.arguments
    for (index, argument) in arguments.enumerated() where argument == "--test-bundle-path" {
        guard index + 1 < arguments.count else { continue }
        candidates.append(PathName.folder(of: arguments[index + 1]))
    }
    if let own = readLink("/proc/self/exe") { candidates.append(PathName.folder(of: own)) }
    if let first = arguments.first { candidates.append(PathName.folder(of: first)) }
    for folder in candidates where access("\(folder)/\(name)", X_OK) == 0 {
        return "\(folder)/\(name)"
    }
    throw ProgramError("no executable \(name) in \(candidates.joined(separator: ", "))")
}

/// An error about a program that a test runs.
package struct ProgramError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

private func readLink(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let bytes = buffer.bindMemory(to: CChar.self)
        guard let base = bytes.baseAddress else { return nil }
        let count = readlink(path, base, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
    }
}
