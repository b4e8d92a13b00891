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
}

/// How a user says which version is meant.
package enum VersionReference: Hashable, Sendable {
    case number(LSN)
    case freeze(String)
    /// `@-N`: so many commits before the newest.
    case back(UInt64)
}
