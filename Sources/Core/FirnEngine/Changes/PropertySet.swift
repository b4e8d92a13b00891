package import FirnValues

/// A set of properties of one class.
///
/// Nearly all properties have small numbers, which are bits of one word. A commit that writes to a
/// hundred thousand objects therefore makes no allocation for each.
package struct PropertySet: Hashable, Sendable {
    private var bits: UInt64 = 0
    /// The properties from 64 on, ascending.
    private var others: [PropertyID] = []

    package init() {}

    package init(_ properties: some Sequence<PropertyID>) {
        for property in properties { insert(property) }
    }

    package var isEmpty: Bool { bits == 0 && others.isEmpty }

    package mutating func insert(_ property: PropertyID) {
        guard property.rawValue >= UInt64.bitWidth else {
            bits |= 1 << UInt64(property.rawValue)
            return
        }
        let index = others.firstIndex { $0 >= property } ?? others.endIndex
        if index == others.endIndex || others[index] != property {
            others.insert(property, at: index)
        }
    }

    package func contains(_ property: PropertyID) -> Bool {
        property.rawValue < UInt64.bitWidth
            ? bits & 1 << UInt64(property.rawValue) != 0 : others.contains(property)
    }

    package mutating func formUnion(_ other: PropertySet) {
        bits |= other.bits
        for property in other.others { insert(property) }
    }

    package func intersects(_ other: PropertySet) -> Bool {
        bits & other.bits != 0 || others.contains { other.others.contains($0) }
    }

    /// Passes the properties to a closure, ascending.
    package func forEach(_ body: (PropertyID) -> Void) {
        var rest = bits
        while rest != 0 {
            body(PropertyID(UInt32(rest.trailingZeroBitCount)))
            rest &= rest - 1
        }
        others.forEach(body)
    }
}
