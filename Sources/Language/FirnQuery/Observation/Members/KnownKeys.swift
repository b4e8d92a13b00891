import FirnValues

/// A cache of the sort keys of recently compared rows.
///
/// Every binary search begins with the same rows, so caching their keys saves reads. The size of
/// the cache is limited to a small share of the members.
final class KnownKeys {
    private static let countMax = 2_048
    /// The number of members per cached key.
    private static let memberShare = 256

    private var recent: [RowID: RowKeys.KeyedRow] = [:]
    /// The keys of the previous generation, which the recent keys replace when they reach the
    /// limit.
    private var older: [RowID: RowKeys.KeyedRow] = [:]
    private var limit = 0

    /// Sets the limit of the cache for a number of members.
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

    /// Removes a row whose keys changed, or that was deleted.
    func forget(_ row: RowID) {
        recent[row] = nil
        older[row] = nil
    }

    func forgetAll() {
        recent = [:]
        older = [:]
    }
}
