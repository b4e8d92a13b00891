package import FirnValues

extension Value {
    /// The objects to which the value links, in its order, each once per link.
    package var linkTargets: [ObjectReference] {
        switch self {
        case .link(let reference): return [reference]
        case .list(let values), .set(let values): return values.flatMap(\.linkTargets)
        case .map(let entries): return entries.orderedEntries.flatMap(\.value.linkTargets)
        default: return []
        }
    }

    /// Returns the value after the deletion of objects: links to them become nil, or are removed
    /// from lists and sets of links.
    func without(_ targets: Set<ObjectReference>, isInLinks: Bool) -> Value {
        switch self {
        case .link(let target): return targets.contains(target) ? .null : self
        case .list(let values):
            return .list(Value.without(targets, values, isInLinks: isInLinks))
        case .set(let values):
            let rest = Value.without(targets, values, isInLinks: isInLinks)
            // A nil precedes all other values and occurs only once.
            return .set(isInLinks ? rest : rest.canonicalSet)
        case .map(let entries):
            return .map(entries.mapValues { $0.without(targets, isInLinks: false) })
        default: return self
        }
    }

    private static func without(
        _ targets: Set<ObjectReference>, _ values: [Value], isInLinks: Bool
    ) -> [Value] {
        guard isInLinks else { return values.map { $0.without(targets, isInLinks: false) } }
        return values.filter { value in
            if case .link(let target) = value { return !targets.contains(target) }
            return true
        }
    }
}
