package import FirnEngine
import FirnValues

extension Diagnostic {
    /// Reports a damaged database.
    ///
    /// - Parameter findings: the findings, at least one; only the first ten are shown.
    package init(_ findings: [Finding], in path: String) {
        self.init(.fileCorrupt, "\(SafeText.escaping(path)): damaged")
        file = path
        details = findings.prefix(10).map { "\($0.kind.rawValue): \($0.message)" }
        remedy = "show all damage with: firn check --deep"
    }
}
