import FirnFormats
import FirnTools
import FirnValues

/// Adapts the errors of `.insert`.
///
/// The object is written as by `firn write`, whose errors name lines of files and options that
/// `.insert` does not have.
enum InsertRefusal {
    /// The name of the object in errors.
    static let inputName = "the object"

    static func told(_ failure: CommandFailure) -> CommandFailure {
        guard case .diagnostic(var diagnostic) = failure else { return failure }
        diagnostic.message = message(diagnostic.message)
        if diagnostic.slug == .writeDuplicateKey {
            diagnostic.remedy = "to change the existing object, end a query with | set"
        } else if let remedy = diagnostic.remedy,
            remedy.hasPrefix("--") || remedy.hasPrefix("firn ")
        {
            diagnostic.remedy = nil
        }
        return .diagnostic(diagnostic)
    }

    /// Returns the message without the line, which is always the first.
    private static func message(_ text: String) -> String {
        let location = inputName + ":1"
        guard text.hasPrefix(location) else { return text }
        let rest = text.dropFirst(location.count)
        let character = rest.dropFirst().prefix(while: \.isNumber)
        guard rest.first == ":", !character.isEmpty else { return inputName + rest }
        return "\(inputName), character \(character)" + rest.dropFirst(1 + character.count)
    }
}
