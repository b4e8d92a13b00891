import FirnValues

/// A part of a regular expression.
indirect enum PatternNode: Equatable, Sendable {
    case empty
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition; `max` is `nil` if there is no upper bound.
    ///
    /// A lazy one prefers few repetitions, which only matters for the place of a match.
    case repetition(PatternNode, min: Int, max: Int?, isLazy: Bool)
    /// A capturing group, identified by its number from 1.
    case group(Int, PatternNode)
}

extension PatternNode {
    /// The highest group number.
    var groupCount: Int {
        switch self {
        case .empty, .set, .assertion: 0
        case .sequence(let parts), .choice(let parts): parts.reduce(0) { max($0, $1.groupCount) }
        case .repetition(let part, _, _, _): part.groupCount
        case .group(let number, let part): max(number, part.groupCount)
        }
    }
}

/// A condition on a position of the text.
enum PatternAssertion: Equatable, Sendable {
    case start
    case end
    case wordBoundary
    case noWordBoundary

    /// - Parameters:
    ///   - previous: the character before the position; `nil` at the start.
    ///   - next: the character after the position; `nil` at the end.
    func holds(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        func isWord(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { ScalarSet.Property.word.holds($0) } ?? false
        }
        switch self {
        case .start: return previous == nil
        case .end: return next == nil
        case .wordBoundary: return isWord(previous) != isWord(next)
        case .noWordBoundary: return isWord(previous) == isWord(next)
        }
    }
}
