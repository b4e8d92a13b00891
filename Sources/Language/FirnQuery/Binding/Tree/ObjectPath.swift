package import FirnEngine
import FirnSyntax
import FirnValues

/// A path to objects of one class, to which a condition can be applied.
///
/// The class is the one that the last step leads to. If a path ends in a link property, it leads to
/// the linked objects, which takes one more step:
///
///     SUBQUERY(links, $x, ...)        elements(links)                  objects of links' class
///     SUBQUERY(links.link, $x, ...)   elements(links)  link(link)      objects of link's class
///
/// A condition is bound to ``target`` and evaluated on ``target``. Its columns are therefore never
/// looked up in another class, where the same number belongs to another column or to none.
package struct ObjectPath: Hashable, Sendable {
    /// The path, whose terminal is the objects themselves.
    package let path: BoundPath
    package let target: ClassSchema

    /// Creates an object path.
    ///
    /// - Returns: `nil` if the values of the path are not objects of one class.
    package init?(_ path: BoundPath, in schema: Schema) {
        func target(_ property: PropertySchema) -> ClassSchema? {
            guard property.type.base == .link else { return nil }
            return property.type.target.flatMap { schema[$0] }
        }
        let last: BoundPath.Step?
        switch path.terminal {
        case .object: last = nil
        case .column(.property(let property)):
            guard let target = target(property) else { return nil }
            last = .link(property, target)
        case .elements(let property):
            guard let target = target(property) else { return nil }
            last = .elements(property, target)
        case .element(let property, let position):
            guard let target = target(property) else { return nil }
            last = .element(property, position, target)
        case .mapValue(let property, let key):
            guard let target = target(property) else { return nil }
            last = .mapValue(property, key: key, target)
        case .column, .keys, .nested, .collection: return nil
        }
        guard path.measure == nil else { return nil }
        let steps = path.steps + (last.map { [$0] } ?? [])
        guard let reached = ObjectPath.end(of: steps, from: path.root) else { return nil }
        self.target = reached
        self.path = BoundPath(
            root: path.root, steps: steps, terminal: .object,
            type: PropertyType(.link, target: reached.id),
            name: last == nil ? path.name : Canonical.path(steps, .object, nil))
    }

    /// Returns the class of the objects at the end of the given steps.
    private static func end(of steps: [BoundPath.Step], from root: ClassSchema) -> ClassSchema? {
        switch steps.last {
        case nil: root
        case .link(_, let target)?, .elements(_, let target)?, .element(_, _, let target)?,
            .mapValue(_, _, let target)?, .backlinks(_, let target)?:
            target
        case .lookup(let join)?: join.target
        case .allBacklinks?: nil
        }
    }
}
