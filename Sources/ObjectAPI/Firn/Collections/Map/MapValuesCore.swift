import FirnEngine
import FirnQuery
import FirnValues

/// The values of a stored map, without keys and without links that are nil.
final class MapValuesCore: _CollectionCore {
    let map: EditableCore

    init(_ map: EditableCore) {
        self.map = map
        super.init(map.instance)
    }

    override var elementClass: ClassSchema? { map.elementClass }

    override var name: String { "values of \(map.name)" }

    override func findIsValid() throws(StoreError) -> Bool { try map.findIsValid() }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        guard let moved = map.moved(to: instance) as? EditableCore else {
            misuse("\(map.name) is not a map")
        }
        return MapValuesCore(moved)
    }

    override func isSame(as other: _CollectionCore) -> Bool {
        guard let other = other as? MapValuesCore else { return false }
        return map.isSame(as: other.map)
    }

    override func load() throws(StoreError) -> CollectionContent {
        guard !map.isStale, let view = try map.findView() else { map.gone() }
        let values = try view.entries().map(\.value)
        guard elementClass != nil else { return .values(values) }
        return .objects(ObjectRows(targetsOf: values))
    }
}
