package import FirnEngine
import FirnValues

/// Says which versions have names when the one that was asked for cannot be read.
package enum VersionFailure {
    package static func failure(
        _ error: StoreError, at reference: VersionReference?, in store: Store
    ) -> CommandFailure {
        guard error.code == .versionGone || error.code == .freezeMissing,
            // If not even that can be found out, the error itself still says what is wrong.
            let versions = try? store.versions()
        else { return CommandFailure(error) }
        return .diagnostic(diagnostic(error, at: reference, versions.freezes.map(\.freeze.name)))
    }

    /// - Parameter names: the freezes that there are.
    static func diagnostic(
        _ error: StoreError, at reference: VersionReference?, _ names: [String]
    ) -> Diagnostic {
        var diagnostic = Diagnostic(error)
        if error.code == .freezeMissing, case .freeze(let name) = reference {
            diagnostic.suggestions = NearestNames.misspelt(name, among: names)
            diagnostic.remedy = diagnostic.suggestions.first.map { "did you mean \"\($0)\"?" }
            if names.isEmpty { diagnostic.details.append("there are no freezes") }
        }
        if !names.isEmpty {
            diagnostic.details.append("freezes: \(names.joined(separator: ", "))")
        }
        return diagnostic
    }
}

extension VersionsReport {
    /// `versions 12 to 40 can be read`.
    var range: String {
        oldest == newest
            ? "only version \(newest.rawValue) can be read"
            : "versions \(oldest.rawValue) to \(newest.rawValue) can be read"
    }
}
