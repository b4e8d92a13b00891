package import FirnEngine
import FirnSyntax
import FirnValues

/// Objects of a class that are found by the values of each row, without a link.
///
/// Paths lead to them as they lead to linked objects: a row keeps its number of occurrences, and has
/// one object or none, or a collection of objects.
package struct BoundJoin: Hashable, Sendable {
    /// The name of the step in paths.
    package let name: String
    package let target: ClassSchema
    /// Whether a row leads to all objects with equal values, in row order, and not only to the first.
    package let findsAll: Bool
    /// The values of the rows, and the values of the objects that must equal them.
    package let rowKeys: [BoundExpression]
    package let targetKeys: [BoundExpression]

    /// The kinds in which the values are compared.
    ///
    /// Numbers of different kinds are equal if their values are exactly equal.
    var kinds: [ValueTag] {
        zip(rowKeys, targetKeys).map { left, right in
            left.type.base == right.type.base ? left.type.base : .any
        }
    }

    /// The equalities in canonical form.
    package var conditionText: String {
        let target = BoundText(prefix: Canonical.name(name) + ".")
        return zip(rowKeys, targetKeys).map { "\($0) == \(target.text($1))" }
            .joined(separator: ", ")
    }
}

extension BoundJoin: CustomStringConvertible {
    package var description: String {
        "join(\(Canonical.name(name)) = \(findsAll ? "ALL " : "")\(Canonical.name(target.name)); "
            + "\(conditionText))"
    }
}
