import FirnFormats
import FirnTools
import FirnValues

extension DotCommandName {
    /// Returns the command with a name.
    ///
    /// - Parameter allowsPrefix: whether an unambiguous prefix is accepted, as it is for people;
    ///   the meaning of a script must not change.
    static func find(
        _ name: String, allowsPrefix: Bool
    ) throws(CommandFailure) -> DotCommandName {
        if let command = DotCommandName(rawValue: name) { return command }
        let begun = allCases.filter { $0.rawValue.hasPrefix(name) }
        if allowsPrefix, !name.isEmpty, begun.count == 1, let only = begun.first { return only }
        var diagnostic = Diagnostic(
            .usageUnknownCommand, "unknown command \".\(SafeText.escaping(name))\"")
        diagnostic.suggestions = nearest(to: name, begun).map { ".\($0)" }
        diagnostic.remedy =
            diagnostic.suggestions.isEmpty
            ? "see: .help" : "did you mean \(diagnostic.suggestions.joined(separator: ", "))?"
        throw .diagnostic(diagnostic)
    }

    /// Returns the three names most similar to a word: names that begin with it, then the nearest.
    private static func nearest(to name: String, _ begun: [DotCommandName]) -> [String] {
        if let meant = Habit.commands[name.lowercased()] { return [meant.rawValue] }
        var names = name.isEmpty ? [] : begun.map(\.rawValue)
        for other in NearestNames.misspelt(name, among: allCases.map(\.rawValue))
        where !names.contains(other) { names.append(other) }
        return Array(names.prefix(3))
    }
}
