import FirnEngine
import FirnValues

extension Binder {
    /// Binds the right side of a comparison.
    ///
    /// The error for an unknown property suggests quotes, because a bare word may be meant as text.
    func rightSide(_ comparison: Comparison, _ left: Side) throws(QueryError) -> Side {
        do throws(QueryError) { return try side(comparison.right) } catch {
            guard error.code == .unknownProperty, error.hint == nil, takesText(left),
                case .path(let path) = comparison.right, path.variable == nil,
                path.segments.count == 1, case .name(let name) = path.segments[0].kind
            else { throw error }
            throw error.hinting("quote texts: \"\(name.shortened)\"")
        }
    }

    private func takesText(_ side: Side) -> Bool {
        guard let base = subject(side)?.type.base else { return false }
        return base == .string || base == .any
    }
}
