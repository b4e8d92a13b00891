import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues

/// Generates live queries: every stage, every source, everything that can be observed.
struct RandomLiveQuery {
    private var generator: SplitMix64
    private var parts: RandomGraphQuery
    private let data: GraphData
    private let flight: ClassSchema
    private let plane: ClassSchema

    init(_ store: GraphStore, _ data: GraphData, seed: UInt64) {
        generator = SplitMix64(seed: seed &* 31 &+ 5)
        parts = RandomGraphQuery(store, data, seed: seed)
        self.data = data
        flight = store.flight
        plane = store.plane
    }

    private mutating func happens(_ oneIn: UInt64) -> Bool { generator.happens(oneIn: oneIn) }

    mutating func next() -> (query: BoundQuery, source: LiveSource, observed: ObservedPaths) {
        let (source, root) = source()
        let query = BoundQuery(
            classSchema: root, stages: stages(of: root), explain: false, text: "")
        return (query, source, observed(root))
    }

    private mutating func source() -> (LiveSource, ClassSchema) {
        if happens(3), let row = data.rows(of: flight).randomElement(using: &generator) {
            let collections = flight.properties.filter {
                $0.type.base == .link && $0.type.container != .single
            }
            if let property = collections.randomElement(using: &generator) {
                let object = ObjectReference(classID: flight.id, rowID: row)
                return (.elements(of: object, property), plane)
            }
        }
        if happens(5), let row = data.rows(of: plane).randomElement(using: &generator),
            let link = data.schema.incoming(to: plane.id).randomElement(using: &generator)
        {
            let object = ObjectReference(classID: plane.id, rowID: row)
            return (.sources(of: object, link.property, link.source), link.source)
        }
        return (.objects, parts.root())
    }

    private mutating func stages(of root: ClassSchema) -> [BoundStage] {
        var stages: [BoundStage] = []
        if !happens(4) { stages.append(.filter(parts.predicate(of: root, depth: 1))) }
        if happens(2) { stages.append(.sort(sortKeys(of: root))) }
        if happens(3) { stages.append(slice()) }
        if happens(4) {
            stages.append(slice())
        } else if happens(6) {
            stages.append(.distinct([key(of: root)]))
        } else if happens(8) {
            stages.append(.filter(parts.predicate(of: root, depth: 0)))
        }
        return stages
    }

    private mutating func slice() -> BoundStage {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .skip(Int.random(in: 0...6, using: &generator))
        case 1: .first
        case 2: .last
        default: .limit(Int.random(in: 0...12, using: &generator))
        }
    }

    private mutating func sortKeys(of root: ClassSchema) -> [BoundSortKey] {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            BoundSortKey(key(of: root), descending: happens(2))
        }
    }

    private mutating func key(of root: ClassSchema) -> BoundExpression {
        let own = root.properties.filter {
            $0.type.container == .single && $0.type.base != .link && $0.type.base != .any
        }
        if !happens(3), let property = own.randomElement(using: &generator) {
            return .column(.property(property))
        }
        return parts.expression(from: root, kinds: happens(2) ? [.int, .double] : [.string])
    }

    private mutating func observed(_ root: ClassSchema) -> ObservedPaths {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .membership
        case 1: .own
        case 2, 3: .reachable
        default:
            .paths(
                (0..<Int.random(in: 1...2, using: &generator)).map { _ in parts.path(from: root) })
        }
    }
}
