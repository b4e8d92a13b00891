import FirnEngine
import FirnTesting
import FirnValues

/// Edits of random collections of a graph.
struct RandomEdits {
    private var generator: SplitMix64
    private let store: GraphStore

    init(_ store: GraphStore, seed: UInt64) {
        generator = SplitMix64(seed: seed &* 17 &+ 3)
        self.store = store
    }

    /// Commits some edits of some collections.
    mutating func commit() throws {
        let transaction = try store.store.beginWrite()
        let planes = try GraphData(transaction.snapshot()).rows(of: store.plane)
        for schema in [store.flight, store.plane] {
            let rows = try GraphData(transaction.snapshot()).rows(of: schema)
            let collections = schema.properties.filter {
                $0.type.container != .single && $0.type.base != .any
            }
            for _ in 0..<4 {
                guard let row = rows.randomElement(using: &generator),
                    let property = collections.randomElement(using: &generator)
                else { continue }
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let count = try transaction.collection(of: property, of: row, in: schema).count
                    guard let edit = edit(property, count, planes) else { continue }
                    try transaction.edit(property.id, of: row, in: schema.id, edit)
                }
            }
        }
        _ = try transaction.commit()
    }

    private mutating func edit(
        _ property: PropertySchema, _ count: Int, _ planes: [RowID]
    ) -> CollectionEdit? {
        if generator.happens(oneIn: 25) { return .clear }
        guard let value = value(property, planes) else { return nil }
        switch property.type.container {
        case .single: return nil
        case .list:
            let index = Int.random(in: 0...count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: return .append(value)
            case 1: return .insert(index, value)
            case 2 where index < count: return .replace(index, value)
            case 3 where index < count: return .remove(index)
            case 4 where index < count:
                return .move(from: index, to: Int.random(in: 0..<count, using: &generator))
            default: return .append(value)
            }
        case .set: return generator.happens(oneIn: 2) ? .add(value) : .discard(value)
        case .map:
            let key = ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
            return generator.happens(oneIn: 3) ? .drop(key) : .put(key, value)
        }
    }

    private mutating func value(_ property: PropertySchema, _ planes: [RowID]) -> Value? {
        guard property.type.base == .link else {
            return GraphValues.any(property.type.base, &generator)
        }
        return planes.randomElement(using: &generator).map {
            .link(ObjectReference(classID: store.plane.id, rowID: $0))
        }
    }
}
