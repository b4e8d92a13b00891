import FirnEngine
import FirnQuery
import FirnValues

extension ObservedPaths {
    /// Creates the paths that key paths observe.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties, separated by periods, or `nil` for the default.
    ///   - root: The class of the objects, or `nil` if values are observed.
    ///   - all: The paths that are observed by default.
    init(
        _ keyPaths: [String]?, of root: ClassSchema?, in schema: FirnEngine.Schema,
        otherwise all: ObservedPaths
    ) {
        guard let keyPaths else {
            self = root == nil ? .own : all
            return
        }
        guard !keyPaths.isEmpty else {
            self = .membership
            return
        }
        guard let root else {
            misuse(
                "key paths \(keyPaths) of values: values have no properties; leave keyPaths out, or "
                    + "pass [] to observe only what comes and goes")
        }
        self = .paths(keyPaths.map { ObservedPaths.bound($0, root, schema) })
    }

    private static func bound(
        _ keyPath: String, _ root: ClassSchema, _ schema: FirnEngine.Schema
    ) -> BoundPath {
        var steps: [BoundPath.Step] = []
        var owner = root
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            if let inverse = owner.inverseNamed(name), let source = schema[inverse.sourceClass],
                let property = source[inverse.sourceProperty]
            {
                steps.append(.backlinks(property, of: source))
                owner = source
                continue
            }
            guard let property = owner.propertyNamed(name) else {
                misuse(
                    "\(owner.name) has no persisted property named \"\(name)\", which the key path "
                        + "\"\(keyPath)\" needs: it has "
                        + (owner.properties.map(\.name) + owner.inverses.map(\.name))
                        .joined(separator: ", "))
            }
            if isLast {
                let isSingle = property.type.container == .single
                return BoundPath(
                    root: root, steps: steps,
                    terminal: isSingle ? .column(.property(property)) : .collection(property),
                    type: property.type, name: keyPath)
            }
            guard let target = property.type.target.flatMap({ schema[$0] }) else {
                misuse(
                    "\(owner.name).\(name) is not a link to objects, and \"\(keyPath)\" cannot continue "
                        + "after it: end the key path there")
            }
            let isSingle = property.type.container == .single
            steps.append(isSingle ? .link(property, target) : .elements(property, target))
            owner = target
        }
        return BoundPath(
            root: root, steps: steps, terminal: .object,
            type: FirnValues.PropertyType(.link, target: owner.id), name: keyPath)
    }
}

extension _CollectionCore {
    /// Returns the paths of the elements that key paths observe.
    final func observed(_ keyPaths: [String]?) -> ObservedPaths {
        ObservedPaths(
            keyPaths, of: elementClass, in: instance.snapshot.schema, otherwise: .reachable)
    }
}
