import FirnEngine
import FirnQuery
import FirnValues

/// A fixed collection of objects of one class and realm, assembled by the program.
final class FixedCore: _CollectionCore {
    private let rows: ObjectRows

    /// - Returns: `nil` unless all elements belong to one class of one realm.
    init?<Element: RealmCollectionValue>(_ elements: [Element]) {
        guard let first = elements.first?._object?.access else { return nil }
        var rows: [RowID] = []
        for element in elements {
            guard let access = element._object?.access, access.instance === first.instance,
                access.binding.schema.id == first.binding.schema.id, !access.isStale
            else { return nil }
            rows.append(access.row)
        }
        self.rows = ObjectRows(rows)
        super.init(first.instance, elementClass: first.binding.schema)
    }

    override var name: String { "unmanaged collection" }

    override func load() throws(StoreError) -> CollectionContent { .objects(rows) }
}
