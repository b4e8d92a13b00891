import FirnTools

/// What `.insert` says of an object that is not written.
///
/// The object is written as `firn write` would write it, whose errors name lines of files and
/// options that `.insert` does not have.
enum InsertRefusal {
    /// What errors call the object.
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

    /// The text without the line, which is always the first one.
    private static func message(_ text: String) -> String {
        let place = inputName + ":1"
        guard text.hasPrefix(place) else { return text }
        let rest = text.dropFirst(place.count)
        let character = rest.dropFirst().prefix(while: \.isNumber)
        guard rest.first == ":", !character.isEmpty else { return inputName + rest }
        return "\(inputName), character \(character)" + rest.dropFirst(1 + character.count)
    }
}
