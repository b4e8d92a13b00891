import FirnEngine
import FirnValues

@testable import FirnQuery

/// Decides for one object at a time whether an observed property changed, by following paths from
/// it.
struct ModificationOracle {
    let old: GraphData
    let new: GraphData
    let changes: VersionChanges

    func isModified(_ row: RowID, of root: ClassSchema, _ observed: ObservedPaths) -> Bool {
        switch observed {
        case .membership: false
        case .own: written(row, root) != nil
        case .reachable: isReached(row, root, links: 3)
        case .paths(let paths):
            paths.contains { path in
                isOnWay(path.steps[...], path.terminal, row, root, old)
                    || isOnWay(path.steps[...], path.terminal, row, root, new)
            }
        // No random live query observes expressions; LiveValuesTests do.
        case .values: false
        }
    }

    private func written(_ row: RowID, _ schema: ClassSchema) -> PropertySet? {
        changes.classes[schema.id]?.modified.first { $0.row == row }?.properties
    }

    private func isReached(_ row: RowID, _ schema: ClassSchema, links: Int) -> Bool {
        if written(row, schema) != nil { return true }
        guard links > 0 else { return false }
        for property in schema.properties {
            for target in new.value(property, of: row, in: schema).linkTargets {
                guard let targetClass = new.schema[target.classID] else { continue }
                if isReached(target.rowID, targetClass, links: links - 1) { return true }
            }
        }
        return false
    }

    /// Whether an object on the path of one version was written to.
    private func isOnWay(
        _ steps: ArraySlice<BoundPath.Step>, _ terminal: BoundPath.Terminal, _ row: RowID,
        _ schema: ClassSchema, _ data: GraphData
    ) -> Bool {
        guard let step = steps.first else { return isAtEnd(terminal, row, schema) }
        switch step {
        case .link(let property, let target), .elements(let property, let target),
            .element(let property, _, let target), .mapValue(let property, _, let target):
            if written(row, schema)?.contains(property.id) == true { return true }
            return data.value(property, of: row, in: schema).linkTargets.contains { reference in
                isOnWay(steps.dropFirst(), terminal, reference.rowID, target, data)
            }
        case .backlinks(let property, let source):
            return isOnWay(back: property, source, steps.dropFirst(), terminal, row, schema, data)
        case .allBacklinks:
            return data.schema.incoming(to: schema.id).contains { link in
                isOnWay(back: link.property, link.source, [], .object, row, schema, data)
            }
        case .lookup: preconditionFailure("a join, which cannot be observed")
        }
    }

    private func isOnWay(
        back property: PropertySchema, _ source: ClassSchema, _ rest: ArraySlice<BoundPath.Step>,
        _ terminal: BoundPath.Terminal, _ row: RowID, _ schema: ClassSchema, _ data: GraphData
    ) -> Bool {
        data.rows(of: source).contains { other in
            let targets = data.value(property, of: other, in: source).linkTargets
            guard targets.contains(ObjectReference(classID: schema.id, rowID: row)) else {
                return false
            }
            // The object was created or deleted, or its link was written.
            if !old.exists(other, in: source) || !new.exists(other, in: source) { return true }
            if written(other, source)?.contains(property.id) == true { return true }
            return isOnWay(rest, terminal, other, source, data)
        }
    }

    private func isAtEnd(
        _ terminal: BoundPath.Terminal, _ row: RowID, _ schema: ClassSchema
    ) -> Bool {
        guard let written = written(row, schema) else { return false }
        switch terminal {
        case .column(.property(let property)), .elements(let property), .keys(let property),
            .element(let property, _), .mapValue(let property, _), .nested(let property, _),
            .collection(let property):
            return written.contains(property.id)
        case .column, .object: return false
        }
    }
}
