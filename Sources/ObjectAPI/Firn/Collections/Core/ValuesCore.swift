import FirnEngine
import FirnValues

/// The values of a collection, sorted or without duplicates.
final class ValuesCore: _CollectionCore {
    enum Step: Equatable {
        /// Sorts null first if ascending, and last if descending.
        ///
        /// Equal values keep their order.
        case sorted(ascending: Bool)
        /// Keeps the first of equal values.
        case distinct
    }

    let source: _CollectionCore
    private let steps: [Step]

    init(_ source: _CollectionCore, _ steps: [Step]) {
        self.source = source
        self.steps = steps
        super.init(source.instance, elementClass: nil)
    }

    override var name: String { "result of \(source.name)" }

    override func findIsValid() throws(StoreError) -> Bool { try source.findIsValid() }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        ValuesCore(source.moved(to: instance), steps)
    }

    override func isSame(as other: _CollectionCore) -> Bool {
        guard let other = other as? ValuesCore else { return false }
        return steps == other.steps && source.isSame(as: other.source)
    }

    override func load() throws(StoreError) -> CollectionContent {
        guard try source.findIsValid() else { return .values([]) }
        guard case .values(var values) = try source.contentHere() else {
            misuse("\(source.name) has objects: name one of their properties")
        }
        for step in steps {
            switch step {
            case .sorted(let ascending):
                let wanted: Ordering = ascending ? .less : .greater
                values.sort { $0.order(relativeTo: $1) == wanted }
            case .distinct:
                var seen: Set<Value> = []
                values = values.filter { seen.insert($0).inserted }
            }
        }
        return .values(values)
    }

    /// Returns the values of a collection with one more step.
    static func adding(_ step: Step, to core: _CollectionCore) -> ValuesCore {
        guard let values = core as? ValuesCore else { return ValuesCore(core, [step]) }
        return ValuesCore(values.source, values.steps + [step])
    }
}
