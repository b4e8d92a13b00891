package import FirnPlatform

/// What is wrong with input from outside, and where.
package struct InputError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// Quotes, line ends or the number of fields are not as the format has them.
        case syntax
        /// Not UTF-8, or a NUL.
        case encoding
        /// A value that the declared type does not hold.
        case type
        /// A value of the right kind that cannot be stored: out of range, no date, a wrong name.
        case value
        /// No value, or null, where the type demands one.
        case missingValue
        /// A schema document that describes no classes.
        case schema
        /// An object without a value for its primary key.
        case missingKey
        /// A named limit was exceeded.
        case limit
        /// The input could not be read.
        case unreadable
    }

    package let code: Code
    /// What is wrong, in one sentence without a final stop.
    package let message: String
    /// The input as the user named it.
    package let name: String
    /// The line, counted from 1.
    package let line: UInt64?
    /// The character of the line, counted from 1.
    package let character: Int?
    /// The property or field.
    package let column: String?
    /// The offset in the input, counted in bytes from 0.
    package let offset: UInt64?
    /// The beginning of the text in question, safe to show.
    package let excerpt: String?
    /// What the user can do about it.
    package let remedy: String?
    /// The refusal of the operating system behind it, if any.
    package let cause: PlatformError?

    package init(
        _ code: Code, _ message: String, name: String, line: UInt64? = nil,
        character: Int? = nil, column: String? = nil, offset: UInt64? = nil, excerpt: String? = nil,
        remedy: String? = nil, cause: PlatformError? = nil
    ) {
        self.code = code
        self.message = message
        self.name = name
        self.line = line
        self.character = character
        self.column = column
        self.offset = offset
        self.excerpt = excerpt
        self.remedy = remedy
        self.cause = cause
    }

    /// Input that the system did not deliver.
    package init(_ cause: PlatformError, name: String) {
        self.init(.unreadable, "cannot read", name: name, cause: cause)
    }
}
