package import FirnEngine
import FirnValues

/// Lists the named versions when the requested version cannot be read.
package enum VersionFailure {
    package static func failure(
        _ error: StoreError, at reference: VersionReference?, in store: Store
    ) -> CommandFailure {
        guard error.code == .versionGone || error.code == .freezeMissing,
            // If this fails too, the error itself still describes the problem.
            let versions = try? store.versions()
        else { return CommandFailure(error) }
        return .diagnostic(diagnostic(error, at: reference, versions.freezes.map(\.freeze.name)))
    }

    /// - Parameter names: the existing freezes.
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
    package var range: String {
        oldest == newest
            ? "only version \(newest.rawValue) can be read"
            : "versions \(oldest.rawValue) to \(newest.rawValue) can be read"
    }
}
