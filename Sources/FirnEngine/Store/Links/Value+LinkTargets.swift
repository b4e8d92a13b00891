package import FirnValues

extension Value {
    /// The objects that the value links to, in its order, each as often as it links to it.
    package var linkTargets: [ObjectReference] {
        switch self {
        case .link(let reference): return [reference]
        case .list(let values), .set(let values): return values.flatMap(\.linkTargets)
        case .map(let entries): return entries.orderedEntries.flatMap(\.value.linkTargets)
        default: return []
        }
    }

    /// The value after an object is gone: links to it become nil, in lists and sets of links they
    /// go.
    func without(_ target: ObjectReference, isInLinks: Bool) -> Value {
        switch self {
        case .link(target): return .null
        case .list(let values):
            return .list(Value.without(target, values, isInLinks: isInLinks))
        case .set(let values): return .set(Value.without(target, values, isInLinks: isInLinks))
        case .map(let entries):
            return .map(entries.mapValues { $0.without(target, isInLinks: false) })
        default: return self
        }
    }

    private static func without(
        _ target: ObjectReference, _ values: [Value], isInLinks: Bool
    ) -> [Value] {
        isInLinks
            ? values.filter { $0 != .link(target) }
            : values.map { $0.without(target, isInLinks: false) }
    }
}
