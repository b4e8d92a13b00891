import FirnValues

/// A range of the codes of a sort key, which are complemented if the key is descending.
struct KeyRange {
    let key: BoundSortKey
    let codes: ClosedRange<UInt64>

    /// Whether all rows in the range have equal values of the key.
    var isOneValue: Bool {
        let code = codes.lowerBound
        return codes.upperBound == code
            && SortCode.isExact(key.descending ? ~code : code, key.expression.kind)
    }
}
