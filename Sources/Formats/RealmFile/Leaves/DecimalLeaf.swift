import FirnValues

/// Decimal numbers in the width of the longest one.
///
/// Width 0 has only nulls, or only zeros if the flag of the array is set. Widths 4 and 8 have the
/// binary integer forms of 32 and 64 bits.
package struct DecimalLeaf {
    private static let null32: UInt32 = 0x7C00_00AA
    private static let null64: UInt64 = 0x7C00_0000_0000_00AA
    private static let null128 = Decimal128(high: 0x7C00_0000_0000_0000, low: 0xAA)

    private let node: ArrayNode
    package var count: Int { node.size }

    init(_ node: ArrayNode) throws(RealmFileError) {
        guard !node.hasRefs, node.widthType == .bytes, [0, 4, 8, 16].contains(node.width) else {
            throw .damaged("an array of decimals has another kind of elements", at: node.position)
        }
        self.node = node
    }

    /// Returns a value; `nil` for null.
    func value(_ index: Int) throws(RealmFileError) -> Decimal128? {
        switch node.width {
        case 0: return node.context ? Decimal128(0) : nil
        case 4:
            let bits = node.payload.integer(index * 4, as: UInt32.self)
            guard bits != DecimalLeaf.null32 else { return nil }
            return try narrow(
                isNegative: bits >> 31 == 1, coefficient: UInt64(bits & 0x7F_FFFF),
                exponent: Int(bits >> 23 & 0xFF) - 101)
        case 8:
            let bits = node.payload.integer(index * 8, as: UInt64.self)
            guard bits != DecimalLeaf.null64 else { return nil }
            return try narrow(
                isNegative: bits >> 63 == 1, coefficient: bits & 0x1F_FFFF_FFFF_FFFF,
                exponent: Int(bits >> 53 & 0x3FF) - 398)
        default:
            let value = Decimal128(
                high: node.payload.integer(index * 16 + 8, as: UInt64.self),
                low: node.payload.integer(index * 16, as: UInt64.self))
            return value == DecimalLeaf.null128 ? nil : value
        }
    }

    private func narrow(
        isNegative: Bool, coefficient: UInt64, exponent: Int
    ) throws(RealmFileError) -> Decimal128 {
        guard
            let value = Decimal128(
                isNegative: isNegative, coefficient: UInt128(coefficient), exponent: exponent)
        else { throw .damaged("a decimal has an impossible exponent", at: node.position) }
        return value
    }
}
