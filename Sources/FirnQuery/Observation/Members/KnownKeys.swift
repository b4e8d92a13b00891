import FirnValues

/// Keys of some rows of an order, those that were compared with lately.
///
/// A search in an order begins with the same rows each time: knowing their keys saves reading them.
/// How much is known is bounded by a small part of the members.
final class KnownKeys {
    private static let countMax = 2_048
    /// Of so many members the keys of one are known.
    private static let memberShare = 256

    private var recent: [RowID: RowKeys.KeyedRow] = [:]
    /// What was known before as much was learned anew.
    private var older: [RowID: RowKeys.KeyedRow] = [:]
    private var limit = 0

    /// Lets the keys of so many rows be known as goes with a count of members.
    func limit(forMembers count: Int) {
        limit = min(Self.countMax, max(1, count / Self.memberShare))
    }

    subscript(row: RowID) -> RowKeys.KeyedRow? {
        if let keys = recent[row] { return keys }
        guard let keys = older.removeValue(forKey: row) else { return nil }
        remember(keys)
        return keys
    }

    func remember(_ keys: RowKeys.KeyedRow) {
        if recent.count >= limit {
            older = recent
            recent = [:]
        }
        recent[keys.row] = keys
    }

    /// The keys of a row are others now, or it is gone.
    func forget(_ row: RowID) {
        recent[row] = nil
        older[row] = nil
    }

    func forgetAll() {
        recent = [:]
        older = [:]
    }
}
