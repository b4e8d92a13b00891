package import FirnPlatform
import FirnValues

/// An error in a Parquet or Arrow file, with the location in the file.
package struct ColumnarError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// Bytes that no writer of the format produces.
        case damaged
        /// A feature of the format that is not implemented.
        case unsupported
        /// Sizes beyond the limits that keep memory bounded.
        case tooLarge
        /// A value that the type of its column cannot represent.
        case unrepresentable
        /// A failed system call.
        case system(PlatformError)
    }

    package let code: Code
    /// The error: what was found, and what is allowed.
    package let reason: String
    /// A way to read or write the data nevertheless.
    package var remedy: String?
    /// The row group of a Parquet file or the record batch of an Arrow file, from 0.
    package var group: Int?
    /// The page in the column of the row group, from 0; the dictionary counts as a page.
    package var page: Int?
    /// The path of the column, with periods.
    package var column: String?

    package init(_ code: Code, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    static func damaged(_ reason: String) -> ColumnarError { ColumnarError(.damaged, reason) }

    init(_ error: PlatformError) {
        self.init(.system(error), "cannot \(error.operation)")
    }

    /// The location and the reason as one text.
    package var text: String {
        var parts: [String] = []
        if let column { parts.append("column \(column)") }
        if let group { parts.append("row group \(group)") }
        if let page { parts.append("page \(page)") }
        return parts.isEmpty ? reason : parts.joined(separator: ", ") + ": " + reason
    }

    /// Returns the error, with the missing parts of its location filled in.
    func located(column: String? = nil, group: Int? = nil, page: Int? = nil) -> ColumnarError {
        var located = self
        located.column = self.column ?? column
        located.group = self.group ?? group
        located.page = self.page ?? page
        return located
    }
}
