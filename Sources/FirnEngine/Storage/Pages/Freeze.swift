package import FirnValues

/// A version with a name, which stays readable until it is dropped or expires.
package struct Freeze: Hashable, Sendable {
    /// The name, in 1 to 255 bytes of UTF-8 without control characters and `/`.
    ///
    /// It is not a number and does not begin with `@` or `-`.
    package let name: String
    package let version: LSN
    /// Seconds since 1970.
    package let createdSeconds: Int64
    /// The expiry in seconds since 1970; `nil` if the freeze never expires.
    package let expiresSeconds: Int64?
    /// The note, which may be empty.
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

    /// The largest number of freezes of a database.
    package static let countMaximum = 10_000
    package static let nameByteCountMaximum = 255
    package static let noteByteCountMaximum = 4096

    /// Returns the end of a sentence that begins with an invalid name, or `nil` if the name is
    /// valid.
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

    /// Whether the freeze no longer counts.
    package func isExpired(at seconds: Int64) -> Bool {
        expiresSeconds.map { $0 <= seconds } ?? false
    }
}

/// A reference to a version in the form that users write.
package enum VersionReference: Hashable, Sendable {
    case number(LSN)
    case freeze(String)
    /// `@-N`: the version N commits before the newest.
    case back(UInt64)
}
