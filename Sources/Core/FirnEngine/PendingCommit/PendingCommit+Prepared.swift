import FirnValues

extension PendingCommit {
    /// A result that an observer computes for a pending commit; ``PendingCommit`` draws its states.
    package enum Prepared<Result> {
        /// The observer is at a durable version.
        case none
        /// The observer is at the version of the commit, and the result waits for it.
        case ready(PendingCommit, Result)
        /// The observer is at a discarded version, or at none, and must be rebuilt.
        case stale

        /// Whether the result can be published.
        package var isDurable: Bool {
            if case .ready(let commit, _) = self { commit.durability == .durable } else { false }
        }

        /// Whether the commit is lost, or its version holds space that a newer root would free.
        package var isOutdated: Bool {
            guard case .ready(let commit, _) = self else { return false }
            return commit.durability == .lost || !commit.isOnNewestRoot
        }

        /// Returns the result if its commit is durable; it is then no longer held here.
        package mutating func take() -> Result? {
            guard case .ready(let commit, let result) = self, commit.durability == .durable else {
                return nil
            }
            self = .none
            return result
        }

        /// Discards the result, so that its version holds no space.
        ///
        /// - Returns: The discarded result, if there was one.
        @discardableResult
        package mutating func discard() -> Result? {
            guard case .ready(_, let result) = self else { return nil }
            self = .stale
            return result
        }
    }
}
