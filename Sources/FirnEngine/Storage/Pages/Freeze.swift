package import FirnValues

/// A version with a name, which stays readable until it is dropped or expires.
package struct Freeze: Hashable, Sendable {
    /// 1 to 255 bytes of UTF-8 without control characters and `/`, not a number, not beginning
    /// with `@` or `-`.
    package let name: String
    package let version: LSN
    /// Seconds since 1970.
    package let createdSeconds: Int64
    /// Seconds since 1970; `nil`: never.
    package let expiresSeconds: Int64?
    /// Empty if there is none.
    package let note: String

    package init(
        name: String, version: LSN, createdSeconds: Int64, expiresSeconds: Int64?, note: String
    ) {
        self.name = name
        self.version = version
        self.createdSeconds = createdSeconds
        self.expiresSeconds = expiresSeconds
        self.note = note
    }

    /// More are refused.
    package static let countMaximum = 10_000
    package static let nameByteCountMaximum = 255
    package static let noteByteCountMaximum = 4096

    /// What is wrong with a name, as the end of a sentence that begins with it; `nil`: nothing.
    package static func problem(withName name: String) -> String? {
        let scalars = name.unicodeScalars
        guard let first = scalars.first else { return "is empty" }
        guard name.utf8.count <= nameByteCountMaximum else {
            return "is longer than \(nameByteCountMaximum) bytes"
        }
        if first == "@" || first == "-" { return "begins with \(first)" }
        if scalars.contains("/") { return "has a slash" }
        if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has a control character"
        }
        if scalars.allSatisfy({ ("0"..."9").contains($0) }) { return "is a number" }
        return nil
    }

    /// Whether it does not count any more.
    package func isExpired(at seconds: Int64) -> Bool {
        expiresSeconds.map { $0 <= seconds } ?? false
    }
}

/// How a user says which version is meant.
package enum VersionReference: Hashable, Sendable {
    case number(LSN)
    case freeze(String)
    /// `@-N`: so many commits before the newest.
    case back(UInt64)
}
