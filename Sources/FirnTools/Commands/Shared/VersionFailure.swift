import FirnEngine
import FirnValues

/// Says which versions can be read when the one that was asked for cannot.
enum VersionFailure {
    static func failure(
        _ error: StoreError, at reference: VersionReference?, in store: Store
    ) -> CommandFailure {
        guard error.code == .versionGone || error.code == .freezeMissing,
            // If not even that can be found out, the error itself still says what is wrong.
            let versions = try? store.versions()
        else { return CommandFailure(error) }
        return .diagnostic(diagnostic(error, at: reference, versions))
    }

    static func diagnostic(
        _ error: StoreError, at reference: VersionReference?, _ versions: VersionsReport
    ) -> Diagnostic {
        var diagnostic = Diagnostic(error)
        let names = versions.freezes.map(\.freeze.name)
        if error.code == .freezeMissing, case .freeze(let name) = reference {
            diagnostic.suggestions = EditDistance.nearest(to: name, among: names)
            if let first = diagnostic.suggestions.first {
                diagnostic.details.append("did you mean \"\(first)\"?")
            }
            diagnostic.details.append(names.isEmpty ? "there are no freezes" : list(names))
            return diagnostic
        }
        diagnostic.details.append(range(versions))
        if !names.isEmpty { diagnostic.details.append(list(names)) }
        return diagnostic
    }

    /// `versions 12 to 40 can be read`.
    static func range(_ versions: VersionsReport) -> String {
        let (oldest, newest) = (versions.oldest.rawValue, versions.newest.rawValue)
        return oldest == newest
            ? "only version \(newest) can be read" : "versions \(oldest) to \(newest) can be read"
    }

    private static func list(_ names: [String]) -> String {
        "freezes: \(names.joined(separator: ", "))"
    }
}
