import FirnEngine
import FirnValues

/// Resolves names and types of one class.
struct Binder {
    let classSchema: ClassSchema
    let context: BindingContext
    let text: String

    /// The text of a range.
    func typed(_ range: SourceRange) -> String {
        String(
            decoding: text.utf8.dropFirst(range.bytes.lowerBound).prefix(range.bytes.count),
            as: UTF8.self)
    }

    /// The error for something that the language has and this version cannot run.
    func unsupported(
        _ what: String, _ range: SourceRange, hint: String? = nil
    ) -> QueryError {
        QueryError(
            .usage, "\(what) cannot be run by this version of firn", at: range.bytes, hint: hint)
    }

    func typeError(_ message: String, _ range: SourceRange, hint: String? = nil) -> QueryError {
        QueryError(.type, message, at: range.bytes, hint: hint)
    }
}
