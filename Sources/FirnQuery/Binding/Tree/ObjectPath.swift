package import FirnEngine
import FirnValues

/// A path to objects of one class, of which a condition can be asked.
///
/// The class is the one that the last step leads to. A path that ends in a link property leads to
/// what the property links to, which takes one step more:
///
///     SUBQUERY(links, $x, ...)        elements(links)                  objects of links' class
///     SUBQUERY(links.link, $x, ...)   elements(links)  link(link)      objects of link's class
///
/// A condition is bound to ``target`` and evaluated on ``target``: a column of one class can never
/// be looked up in another, which finds some column with the same number, or none.
package struct ObjectPath: Hashable, Sendable {
    /// A path whose terminal is the objects themselves.
    package let path: BoundPath
    package let target: ClassSchema

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

    /// The class of the objects at the end of some steps.
    private static func end(of steps: [BoundPath.Step], from root: ClassSchema) -> ClassSchema? {
        switch steps.last {
        case nil: root
        case .link(_, let target)?, .elements(_, let target)?, .element(_, _, let target)?,
            .mapValue(_, _, let target)?, .backlinks(_, let target)?:
            target
        case .allBacklinks?: nil
        }
    }
}
