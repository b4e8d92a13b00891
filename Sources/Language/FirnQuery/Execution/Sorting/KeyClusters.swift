import FirnCodec
import FirnEngine
import FirnValues

/// The clusters of the values of a key in the row groups of a table, which show the values that no
/// later row has.
///
/// Rows that were added in the order of a key, such as a number that counts up or a time, are
/// clustered by it: each value occurs in a few neighbouring row groups only. The zone maps tell where
/// no later row has a value any more:
///
///     row group           0        1        2        3
///     zone map          1 ... 9  9 ... 17 15 ... 30 31 ... 40
///     least from here     1        9        15       31        a group of 14 is complete before 2
///     greatest before     -        9        17       30        a group of 25 in 2 is new
struct KeyClusters: Sendable {
    /// The number of the key.
    let key: Int
    /// The least sort code in each row group and all later ones.
    private let least: [UInt64]
    /// The greatest sort code in all row groups before each one.
    private let greatest: [UInt64]

    /// The share of the row groups, as a divisor, that may overlap with the second row group after
    /// them.
    private static let overlapShare = 8

    /// Returns `nil` if the rows are not clustered by any of the keys.
    init?(_ keys: [BoundExpression], _ source: TableScanner) throws(StoreError) {
        for (number, key) in keys.enumerated() {
            guard case .column(let column) = key, Self.isSupported(key.kind),
                let zones = try Self.zones(of: column, source),
                let clusters = KeyClusters(number, zones)
            else { continue }
            self = clusters
            return
        }
        return nil
    }

    /// - Parameter zones: the least and the greatest code of each row group.
    private init?(_ key: Int, _ zones: [(least: UInt64, greatest: UInt64)]) {
        self.key = key
        var least = [UInt64](repeating: .max, count: zones.count + 1)
        var greatest = [UInt64](repeating: 0, count: zones.count + 1)
        for index in zones.indices.reversed() {
            least[index] = min(zones[index].least, least[index + 1])
        }
        for index in zones.indices {
            greatest[index + 1] = max(zones[index].greatest, greatest[index])
        }
        let overlapCount = zones.indices.count { index in
            index + 2 < zones.count && zones[index].greatest >= least[index + 2]
        }
        guard overlapCount <= zones.count / Self.overlapShare else { return nil }
        self.least = least
        self.greatest = greatest
    }

    /// Returns whether values with different codes are ordered like the codes, and zone maps do not
    /// omit any value.
    private static func isSupported(_ kind: ValueTag) -> Bool {
        switch kind {
        case .int, .date, .objectID: true
        default: false
        }
    }

    /// Returns the codes of the zone maps; `nil` if a row group has none.
    private static func zones(
        of column: BoundColumn, _ source: TableScanner
    ) throws(StoreError) -> [(least: UInt64, greatest: UInt64)]? {
        var zones: [(least: UInt64, greatest: UInt64)] = []
        for group in source.groups.indices {
            guard let zone = try source.zone(column, of: group), zone.nullCount == 0,
                let minimum = zone.minimum, let maximum = zone.maximum,
                let least = SortCode.code(of: minimum), let greatest = SortCode.code(of: maximum)
            else { return nil }
            zones.append((least, greatest))
        }
        return zones
    }

    /// Returns whether rows before a row group may have a value with this code.
    func mayPrecede(_ group: Int, _ code: UInt64) -> Bool { code <= greatest[group] }

    /// Returns whether rows of a row group or of later ones may have a value with this code.
    func mayFollow(_ group: Int, _ code: UInt64) -> Bool { code >= least[group] }
}
