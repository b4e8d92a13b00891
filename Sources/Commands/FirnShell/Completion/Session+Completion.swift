import FirnEngine
import FirnQuery
import FirnTools
import FirnValues

/// The names for completion.
extension Session {
    var completionScope: CompletionScope {
        var scope = CompletionScope()
        // An error during typing is ignored; there are no candidates then.
        scope.snapshot = try? snapshot()
        scope.className = className
        scope.lastResult = results.lastClassName
        scope.arguments = arguments
        scope.formats = PrintedQuery.formatNames
        scope.topics = ShellHelp.topics
        for (name, query) in results.saved {
            guard let snapshot = scope.snapshot else { break }
            let printed = PrintedQuery(
                query.text, defaultClass: query.defaultClass, arguments: arguments)
            // A result whose class no longer exists has no properties to offer.
            if let bound = try? printed.bound(snapshot, named: "") {
                scope.savedResults[name] = bound.classSchema.name
            }
        }
        let versions = try? database?.database.store.versions()
        scope.freezes = versions?.freezes.map(\.freeze.name) ?? []
        return scope
    }
}

/// Gives the scope of a session to its line input, which is created before the session.
final class SessionReference {
    weak var session: Session?

    var completionScope: CompletionScope { session?.completionScope ?? CompletionScope() }

    /// Returns the description of a word in the typed line.
    func help(_ word: String) -> String? {
        if word.hasPrefix(".") {
            return DotCommandName(rawValue: String(word.dropFirst())).map { name in
                "\(name.synopsis)  \(name.summary)"
            }
        }
        // A word that is neither a class nor a property has no description.
        guard let session, let schema = (try? session.snapshot())?.schema else { return nil }
        if let named = schema.classNamed(word) { return "class \(SafeText.escaping(named.name))" }
        let owner = session.className ?? session.results.lastClassName
        guard let property = owner.flatMap({ schema.classNamed($0) })?.propertyNamed(word) else {
            return nil
        }
        return "\(SafeText.escaping(property.name))  "
            + SafeText.escaping(schema.typeName(property.type))
    }
}
