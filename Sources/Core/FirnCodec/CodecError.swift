import FirnValues

/// An error in reading bytes of an expected form, or in writing a value.
///
/// It is public because the compiler inlines no package function into another module.
public struct CodecError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// A checksum, a length or a code that no encoder writes.
        case corrupt
        /// A value whose kind differs from that of the column.
        case typeMismatch
        /// A value or page that exceeds a limit of the format.
        case tooLarge
    }

    package let code: Code
    /// A short description of the error.
    package let reason: String
    /// The offset in the given bytes at which the error was detected, if known.
    package let offset: Int?

    package init(_ code: Code, _ reason: String, at offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }
}
