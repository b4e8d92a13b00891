package import FirnPlatform
import FirnValues

/// An error in external input, and its position.
package struct InputError: Error, Hashable, Sendable {
    package enum Code: Sendable {
        /// Quotes, line ends or the number of fields do not conform to the format.
        case syntax
        /// Not UTF-8, or a NUL.
        case encoding
        /// A value that does not fit the declared type.
        case type
        /// A value of the right kind that cannot be stored: out of range, an invalid date or name.
        case value
        /// A missing or null value where the type requires one.
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
    /// A description of the error, in one sentence without a final period.
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
    /// The start of the affected text, safe to show.
    package let excerpt: String?
    /// The suggested action.
    package let remedy: String?
    /// The error of the operating system that caused it, if any.
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

    /// An error of the operating system while reading input.
    package init(_ cause: PlatformError, name: String) {
        self.init(.unreadable, "cannot read", name: name, cause: cause)
    }
}
