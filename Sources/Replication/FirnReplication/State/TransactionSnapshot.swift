import FirnValues

/// The transactions of the server that a pull could see, as `pg_current_snapshot()` names them.
///
///     snapshot = oldest ":" next ":" [running ("," running)*]
///
/// All before `oldest` had ended, none from `next` on had begun, and `running` are those between that
/// had not ended. A later pull reads the changes that this one could not see, however long one of the
/// transactions runs. Files of earlier versions have only `oldest`.
struct TransactionSnapshot: Hashable, Sendable, CustomStringConvertible {
    let oldest: UInt64
    let next: UInt64
    let description: String

    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard let oldest = parts.first.flatMap({ UInt64($0) }) else { return nil }
        self.oldest = oldest
        next = parts.dropFirst().first.flatMap { UInt64($0) } ?? oldest
        description = text
    }

    /// The snapshot as the server reads it.
    var literal: String {
        description.contains(":") ? description : "\(oldest):\(oldest):"
    }
}
