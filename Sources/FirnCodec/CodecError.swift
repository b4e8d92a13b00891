/// Why bytes could not be read as what they claim to be, or a value could not be written.
package struct CodecError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// A checksum, a length or a code is not what an encoder writes.
        case corrupt
        /// A value of another kind than the column.
        case typeMismatch
        /// Larger than the format allows.
        case tooLarge
    }

    package let code: Code
    /// What is wrong, in a few words.
    package let reason: String
    /// The offset in the bytes at hand where it was noticed, if known.
    package let offset: Int?

    package init(_ code: Code, _ reason: String, at offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }
}
